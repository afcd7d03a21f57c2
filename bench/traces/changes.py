"""Changes of a program, and what each gains: the changed program is run, and all other figures are kept.

A change is what README.md calls one, as data: `{"change": "no-sync"}`, or `{"change": "faster", "what": "kernel", "name": "gemm", "percent": 50}`.
Those made together are a list. What a change takes away leaves its place in the program, as figures depend on places.
"""

import itertools
import re

from machine import Machine

# These are tried with every program.
WORDS = ["host-2x", "kernels-2x", "no-sync", "no-reads", "pinned", "non-blocking", "connections-32", "no-alloc"]
ROWS = [*WORDS, "host row gone", "host row halved", "kernel with most time, twice as fast", "second kernel, twice as fast",
        "another kernel, twice as fast", "copy twice as fast", "copied once", "call gone", "no time between calls", "warm-up", "graphs",
        "one collective a step", "two collectives a step", "four collectives a step", "no-sync and no-reads", "no-sync and pinned",
        "another pair", "no-sync and host row gone"]  # of tables
SIDES = ("host-2x", "kernels-2x")  # nobody can do one thing about these
FIXED = 7_800  # ns of a collective that do not depend on its bytes: README.md has the source
PAUSE = 1_000_000  # ns of host code that end what may be one graph
LEAST = 0.01  # of the makespan: what takes less in all is not made faster
COPIES = ("HtoD", "DtoH", "PtoP", "memset")


def word(name):
    return {"change": name}


def faster(what, name, percent):
    return {"change": "faster", "what": what, "name": name, "percent": percent}


def short(name):
    """The name of a kernel without its type, its arguments and where it is declared."""
    name = re.sub(r"<.*>|\(.*\)|^void ", "", name)
    return name.split("::")[-1]


def key(changes):
    """Equal for changes that are the same; tools may shorten the names of kernels."""
    def of(change):
        name = change.get("name")
        name = short(name) if name and change.get("what") == "kernel" else name
        return (change["change"], change.get("what"), name, change.get("percent"), change.get("joined"))

    return frozenset(of(change) for change in changes)


def actions_of(program):
    return [action for process in program["processes"] for actions in process["threads"].values() for action in actions]


def with_actions(program, of):
    """The program with each thread's actions changed."""
    processes = [{**process, "threads": {tid: of(actions) for tid, actions in process["threads"].items()}}
                 for process in program["processes"]]
    return {**program, "processes": processes}


def kind_of(action):
    return "memset" if action["do"] == "memset" else action["direction"] if action["do"] == "copy" else None


def changed(program, change):
    """The program with one change; what words change is in the machine."""
    gone = {"do": "gone"}
    if change["change"] == "warm-up":
        return {**program, "cold": False}
    if change["change"] == "copied-once":
        return with_actions(program, lambda actions: [gone if each is None else each for each in copied_once(actions, change["name"])])
    if change["change"] == "fewer-collectives":
        return with_actions(program, lambda actions: [gone if each is None else each for each in joined(actions, change["joined"])])
    if change["change"] == "graphs":
        return with_actions(program, graphs)
    if change["change"] != "faster":
        return program
    what, name, percent = change["what"], change["name"], change["percent"]
    if what == "host" and name is None:
        return {**program, "less_between": percent}

    def shorter(spec):
        if what == "kernel" and "blocks" in spec and spec["name"] == name:
            return {**spec, "block_ns": spec["block_ns"] * (100 - percent) // 100}
        if what == "host" and spec.get("do") == "host" and spec["name"] == name:
            return {**spec, "ns": spec["ns"] * (100 - percent) // 100}
        if what == "copy" and spec.get("do") and kind_of(spec) == name:
            return {**spec, "less_copy": percent}
        if what == "call" and spec.get("call") == name:
            return {**spec, "less_call": percent}
        if spec.get("do") == "graph":
            return {**spec, "nodes": [shorter(node) for node in spec["nodes"]]}
        return spec

    return with_actions(program, lambda actions: [shorter(action) for action in actions])


def copied_once(actions, direction):
    """Of the copies of a direction only the first to the GPU stays, or the last from it; None for what is gone."""
    places = [place for place, action in enumerate(actions) if kind_of(action) == direction]
    keep = places[:1] if direction == "HtoD" else places[-1:]
    return [None if place in places and place not in keep else action for place, action in enumerate(actions)]


def steps_of(actions):
    """The places of a thread's collectives, by step. A step ends where the thread waits for another, wakes one, or copies."""
    steps = [[]]
    for place, action in enumerate(actions):
        if action["do"] in ("await", "signal", "copy"):
            steps.append([])
        elif "collective" in action:
            steps[-1].append(place)
    return steps


def joined(actions, most):
    """At most so many collectives of a step are one: it has the place of the last. The events that the others waited for are gone."""
    actions = list(actions)
    for step in steps_of(actions):
        for first in range(0, len(step), most):
            *before, last = step[first : first + most]
            sum_ns = sum(actions[place]["block_ns"] for place in [*before, last]) - FIXED * len(before)
            actions[last] = {**actions[last], "block_ns": sum_ns}
            for place in before:
                actions[place] = None
                while actions[place - 1] and actions[place - 1]["do"] in ("record", "wait"):
                    place -= 1
                    actions[place] = None
    return actions


def graphs(actions):
    """Kernels that follow one another with nothing between but the host's code are one graph; that code is gone with their calls."""
    actions, run_of = list(actions), []

    def capture():
        if len(run_of) > 1:
            nodes = [{**actions[place], "at": place, "after": [node - 1] if node else []} for node, place in enumerate(run_of)]
            first = run_of[0]
            for place in range(first, run_of[-1] + 1):
                actions[place] = {"do": "gone"}
            actions[first] = {"do": "graph", "call": "cudaGraphLaunch", "stream": nodes[0]["stream"], "nodes": nodes}
        run_of.clear()

    for place, action in enumerate(actions):
        if action["do"] == "kernel":
            run_of.append(place)
        elif action["do"] != "host" or action["ns"] > PAUSE:
            capture()
    capture()
    return actions


def can_be_graphs(program):
    """Whether each thread launches into one stream, and nothing but kernels that may stand in one graph. No capture allows allocations."""
    if touches(program, "no-alloc"):
        return False
    for process in program["processes"]:
        for actions in process["threads"].values():
            kernels = [action for action in actions if action["do"] in ("kernel", "graph")]
            if len({action["stream"] for action in kernels}) > 1 or any("nodes" in a or a.get("pdl") or "collective" in a for a in kernels):
                return False
    return any(action["do"] == "graph" for process in program["processes"] for actions in process["threads"].values()
               for action in graphs(actions))


def run(program, changes):
    """A run with these changes."""
    words = [change["change"] for change in changes if change["change"] in WORDS]
    for change in changes:
        program = changed(program, change)
    return Machine(program, words, labels=False).run()


def touches(program, name):
    """Whether a word changes something of the program."""
    actions = actions_of(program)
    streams = [stream for process in program["processes"] for stream in process["streams"]]
    if name == "no-sync":
        return any(action["do"] in ("sync", "sync-event") and not action.get("last") for action in actions)
    if name == "no-reads":
        return any(action.get("read") for action in actions)
    if name == "pinned":
        return any(action["do"] == "copy" and not action["read"] and (action["sync"] or not action["pinned"]) for action in actions)
    if name == "non-blocking":
        return any(stream["kind"] == "blocking" for stream in streams)
    if name == "connections-32":
        return len(streams) > program.get("connections", 8)
    if name == "no-alloc":
        return any(action["do"] == "alloc" for action in actions)
    return True


def largest(sums, least):
    """The names with at least so much, the one with most first."""
    return sorted((name for name, ns in sums.items() if ns >= least), key=lambda name: (-sums[name], str(name)))


def levers(program, machine):
    """What may take less time, or be left out, as (row of the table, change), and the largest named piece of the host."""
    least = LEAST * machine.length()
    host, kernels, copies, bytes_of = {}, {}, {}, {}
    for work in machine.host_work:
        host[work["name"]] = host.get(work["name"], 0) + work["end"] - work["start"]
    for op in machine.operations:
        sums, name = (kernels, op.name) if op.kind == "kernel" else (copies, op.kind)
        sums[name] = sums.get(name, 0) + op.end - op.start
        bytes_of.setdefault(op.kind, []).append(op.bytes)
    rows = largest(host, least)
    found = [("host row gone", faster("host", name, 100)) for name in rows]
    found += [("host row halved", faster("host", name, 50)) for name in rows[:1]]
    places = ["kernel with most time, twice as fast", "second kernel, twice as fast"]
    for place, name in enumerate(largest(kernels, least)):
        found.append((places[place] if place < len(places) else "another kernel, twice as fast", faster("kernel", name, 50)))
    for name in largest(copies, least):
        found.append(("copy twice as fast", faster("copy", name, 50)))
        if name in ("HtoD", "DtoH") and len(bytes_of[name]) >= 3 and len(set(bytes_of[name])) == 1:
            found.append(("copied once", {"change": "copied-once", "name": name}))
    for name in largest(machine.own_ns, least):
        found.append(("call gone", faster("call", name, 100)) if name else ("no time between calls", faster("host", None, 100)))
    if program.get("cold"):
        found.append(("warm-up", word("warm-up")))
    if can_be_graphs(program):
        found.append(("graphs", word("graphs")))
    longest = max(len(step) for process in program["processes"] for actions in process["threads"].values() for step in steps_of(actions))
    for parts, row in ((1, "one collective a step"), (2, "two collectives a step"), (4, "four collectives a step")):
        each = -(-longest // parts)
        if each > 1:
            found.append((row, {"change": "fewer-collectives", "joined": each}))
    return found, rows[:1]


def gains(program, machine):
    """What each change gains of a run: the rows of the tables that it stands in, the changes, and the gain."""
    found, host = levers(program, machine)
    touched = [name for name in WORDS if touches(program, name)]
    tried = [(name, [word(name)]) for name in WORDS] + [(row, [change]) for row, change in found]
    letting_go = [name for name in ("no-sync", "no-reads", "pinned", "no-alloc") if name in touched]
    letting_go += [row for row, _ in found if row == "warm-up"]
    for one, other in itertools.combinations(letting_go, 2):
        row = f"{one} and {other}"
        tried.append((row if row in ROWS else "another pair", [word(one), word(other)]))
    if "no-sync" in touched:
        tried += [("no-sync and host row gone", [word("no-sync"), faster("host", name, 100)]) for name in host]
    before = machine.length()
    gain = lambda row, each: before - run(program, each).length() if row not in WORDS or row in touched else 0
    return [{"row": row, "changes": each, "ns": gain(row, each)} for row, each in tried]
