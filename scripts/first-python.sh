#!/usr/bin/env bash
# What a stranger does with the Python package in the first ten minutes, in a bare folder: an environment, the wheel, the beginning of
# docs/python.md without any other library, and a notebook. Needs the wheel of `make test-bindings` and a registry of packages.
#   BLOCKSTEP_PYTHON    which Python, 3.10 or later (default: python3)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
wheel="$(echo "$PWD"/target/python/wheels/*.whl)"
[ -f "$wheel" ] || die "There is no wheel: \`make test-bindings\` builds it."
page="$PWD/docs/python.md"
bare="$(mktemp -d)"
trap 'rm -rf "$bare"' EXIT
cd "$bare"
unset PYTHONPATH VIRTUAL_ENV

said() { say "$SECONDS s: $*"; }
"${BLOCKSTEP_PYTHON:-python3}" -m venv env
env/bin/pip install --quiet --disable-pip-version-check "$wheel"
said "The wheel is installed; with it: $(env/bin/pip list --format freeze --disable-pip-version-check | grep -v '^pip=\|^setuptools=' | xargs)"

# The sections before the first that needs a library; of that one, the lines before it.
env/bin/python - "$page" <<'EOF'
import doctest, re, sys
text = open(sys.argv[1], encoding="utf-8").read().split("    >>> import pyarrow")[0]
test = doctest.DocTestParser().get_doctest(text, {}, "docs/python.md", sys.argv[1], 0)
ran = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
ran.run(test)
sys.exit(ran.failures > 0 or ran.tries < 5)
EOF
said "The beginning of docs/python.md says what happens."

env/bin/python - <<'EOF'
import blockstep as bs
for wrong in (lambda: bs.simulate("tx2-table-1"), lambda: bs.study("lp33"), lambda: bs.simulate(bs.example("tx2-table-1"), policy="gcap"),
              lambda: bs.simulate(bs.example("tx2-table-1")).widget(), lambda: bs.simulate(bs.example("tx2-table-1")).jobs.to_pandas()):
    try:
        wrong()
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
    else:
        raise SystemExit("this should have been an error")
EOF
said "Five mistakes have a message each."

env/bin/pip install --quiet --disable-pip-version-check "$wheel[pandas,widget]" nbconvert ipykernel
cat >first.ipynb <<'EOF'
{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
  {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "execution_count": null, "source": "import blockstep as bs\nrun = bs.simulate(bs.example('tx2-table-1'))\nrun"},
  {"cell_type": "code", "id": "b", "metadata": {}, "outputs": [], "execution_count": null, "source": "run.kernels"},
  {"cell_type": "code", "id": "c", "metadata": {}, "outputs": [], "execution_count": null, "source": "run.kernels.to_pandas().describe()"},
  {"cell_type": "code", "id": "d", "metadata": {}, "outputs": [], "execution_count": null, "source": "run.widget(at='1.2s')"}]}
EOF
env/bin/python -m nbconvert --log-level ERROR --execute --to html first.ipynb
pictures="$({ grep -o '<svg [^>]*role="img"' first.html || true; } | wc -l)"
[ "$pictures" = 2 ] || die "The page of the notebook has $pictures pictures, not 2."
said "A notebook shows the run, its tables and the widget's picture; its page has $(($(wc -c <first.html) / 1024)) KiB."
