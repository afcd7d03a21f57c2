"""The names of the module, of its stubs and of docs/python.md agree; so do the texts that say what they do."""

from __future__ import annotations

import ast
import inspect
import os
import re
import textwrap
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

import blockstep as bs

ROOT = Path(__file__).parents[3]
STUBS = Path(__file__).parents[1] / "python" / "blockstep" / "__init__.pyi"
PAGE = (ROOT / "docs/python.md").read_text("utf-8")


def listed(heading: str) -> dict[str, list[str]]:
    """The rows of a table of docs/python.md, by their first word."""
    rows = PAGE.split(f"| {heading} |")[1].split("\n\n")[0].splitlines()[2:]
    return {name: names for name, *names in (re.findall(r"`(\w+)`", row) for row in rows)}


def public(of: type) -> list[str]:
    return [name for name in vars(of) if not name.startswith("_")]


def test_the_page_has_every_function_and_what_it_takes() -> None:
    functions = {name: getattr(bs, name) for name in bs.__all__ if inspect.isbuiltin(getattr(bs, name))}
    assert listed("function") == {name: list(inspect.signature(function).parameters) for name, function in functions.items()}


def test_the_page_has_every_class_and_what_it_has() -> None:
    classes = {name: getattr(bs, name) for name in bs.__all__ if isinstance(getattr(bs, name), type)}
    assert {name: sorted(names) for name, names in listed("class").items()} == {name: sorted(public(of)) for name, of in classes.items()}


def documented(tree: ast.Module) -> list[tuple[str, ast.FunctionDef | ast.ClassDef, Any]]:
    """Every public function, class, method and property of the stubs, with what it is a stub of."""
    found: list[tuple[str, ast.FunctionDef | ast.ClassDef, Any]] = []
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            found.append((node.name, node, getattr(bs, node.name)))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            inner = [one for one in node.body if isinstance(one, ast.FunctionDef) and not one.name.startswith("_")]
            found += [(f"{node.name}.{one.name}", one, getattr(getattr(bs, node.name), one.name)) for one in inner]
    return found


def text_of(thing: Any) -> str:
    """What it says of itself."""
    return inspect.getdoc(thing) or ""


def written(node: ast.FunctionDef | ast.ClassDef, text: str) -> list[str]:
    """The lines of a text below a `def` or `class`."""
    indent = " " * (node.col_offset + 4)
    lines = textwrap.indent(text, indent).splitlines()
    lines[0] = f'{indent}"""{lines[0].strip()}'
    return [*lines, f'{indent}"""'] if len(lines) > 1 else [f'{lines[0]}"""']


def test_stubs_say_what_the_module_says() -> None:
    """Editors read the stubs, and notebooks the module. `BLESS=1` writes the stubs anew."""
    source = STUBS.read_text("utf-8")
    things = documented(ast.parse(source))
    missing = [name for name, _, thing in things if not text_of(thing)]
    assert missing == []
    differ = [name for name, node, thing in things if ast.get_docstring(node) != text_of(thing)]
    if differ and os.environ.get("BLESS") == "1":
        lines = source.splitlines()
        for _, node, thing in sorted(things, key=lambda of: of[1].lineno, reverse=True):
            first, has_text = node.body[0], ast.get_docstring(node) is not None
            is_empty = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and first.value.value is ...
            if has_text:
                lines[first.lineno - 1 : first.end_lineno] = written(node, text_of(thing))
            elif is_empty:
                end = first.end_lineno or 0
                lines[end - 1] = lines[end - 1][: first.col_offset].rstrip()
                lines[end:end] = written(node, text_of(thing))
            else:
                lines[first.lineno - 1 : first.lineno - 1] = [*written(node, text_of(thing)), ""]
        STUBS.write_text("\n".join(lines) + "\n", "utf-8")
        return
    assert differ == []


def test_a_text_says_what_each_argument_is() -> None:
    for name in bs.__all__:
        function = getattr(bs, name)
        if inspect.isbuiltin(function):
            for argument in inspect.signature(function).parameters:
                assert re.search(rf"\b{argument}\b", text_of(function)), (name, argument)


def test_the_names_of_the_module_are_those_of_the_stubs() -> None:
    tree = ast.parse(STUBS.read_text("utf-8"))
    [names] = [node.value for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"]
    assert ast.literal_eval(names) == bs.__all__ == sorted(bs.__all__)


def test_what_registries_show() -> None:
    found = metadata("blockstep")
    address = os.environ.get("BLOCKSTEP_ADDRESS", "")
    assert found.get_all("Project-URL") == ([f"Homepage, {address}"] if address else None)
    assert (found["Version"], found["License-Expression"], found["Requires-Python"]) == (bs.__version__, "MIT", ">=3.10")
    assert found["Summary"] and found["Keywords"] and found.get_all("Classifier")
    assert found["Description-Content-Type"].startswith("text/markdown") and ">>> import blockstep as bs" in found.json["description"]
    # Nothing but what is asked for is installed with it.
    assert all("extra ==" in needed for needed in found.get_all("Requires-Dist", []))
