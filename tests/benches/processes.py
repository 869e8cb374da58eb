#!/usr/bin/env python3
"""Times whole processes in pairs and prints ratios; README, "How fast", says how to read them.

Every figure compares commands that ran in turn within the same run, so a busy machine slows both sides. A time is that
from the spawn to the last byte on standard output, the median of ROUNDS. Texts are generated here; peers that are not
installed are skipped by name. Needs Python 3.9 and a Unix; GNU time for the peak memory.

usage: cargo build --release --bin mcp-footprint --example notes --example handshake
       tests/benches/processes.py [--rounds N] [--server 'COMMAND ARGS']...
"""
import argparse
import json
import os
import random
import shlex
import shutil
import statistics
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
RELEASE = os.path.join(HERE, "..", "..", "target", "release")
TOOL = os.path.realpath(os.path.join(RELEASE, "mcp-footprint"))
HANDSHAKE = os.path.realpath(os.path.join(RELEASE, "examples", "handshake"))
NOTES = os.path.realpath(os.path.join(RELEASE, "examples", "notes"))
EMPTY = shutil.which("true")
TIME = "/usr/bin/time"
DEV_NULL = os.open(os.devnull, os.O_RDWR)


def run(command):
    """Milliseconds from the spawn to the last byte of the document; the exit is waited for, and not counted."""
    reader, writer = os.pipe()
    actions = [(os.POSIX_SPAWN_DUP2, DEV_NULL, 0), (os.POSIX_SPAWN_DUP2, writer, 1), (os.POSIX_SPAWN_DUP2, DEV_NULL, 2)]
    begun = time.perf_counter()
    pid = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
    os.close(writer)
    last, read = None, 0
    while chunk := os.read(reader, 1 << 20):
        last, read = time.perf_counter(), read + len(chunk)
    os.close(reader)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status != 0:
        raise SystemExit(f"exit {status}: {shlex.join(command)}")
    return 1000 * ((last if read else time.perf_counter()) - begun)


def in_turn(rounds, *commands):
    """The times of each command, a list each; the first round warms the caches and is dropped.

    Each round has an order of its own, since the end of one command may cost the next one something."""
    times = [[] for _ in commands]
    for _ in range(rounds + 1):
        for place in random.sample(range(len(commands)), len(commands)):
            times[place].append(run(commands[place]))
    return [column[1:] for column in times]


def median_difference(some, others):
    return statistics.median(a - b for a, b in zip(some, others))


def peak(command):
    """Peak memory in MB of the largest process: the program, or a server that it launched and waited for."""
    if not os.path.exists(TIME):
        return "-"
    with tempfile.NamedTemporaryFile("r") as note:
        subprocess.run([TIME, "-f", "%M", "-o", note.name, *command], stdout=DEV_NULL, stderr=DEV_NULL, check=True)
        return f"{int(note.read().split()[-1]) / 1024:.1f} MB"


def say(what, figures, target=""):
    print(f"{what:<52} {figures}" + (f"   (target: {target})" if target else ""), flush=True)


def definition(number, kilobytes):
    """A definition of ordinary shape and about this size; no two are alike."""
    kind = ("note", "label", "folder", "reminder", "attachment")[number % 5]
    fields = {
        f"{kind}_field_{place}": {
            "type": "string",
            "description": f"Value {place} of the {kind}; it's kept where left out, at most {number * 7 + place} characters.",
        }
        for place in range(max(1, round(kilobytes * 7)))
    }
    schema = {"type": "object", "properties": fields, "required": list(fields)[:1], "additionalProperties": False}
    description = f"Change {kind} {number}.\n\nFails with 'not found' where no {kind} has the id; doesn't create one."
    return {"name": f"update_{kind}_{number}", "description": description, "inputSchema": schema}


def write(folder, name, tools, kilobytes):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"tools": [definition(number, kilobytes) for number in range(tools)]}, file)
    return path


def server_of(folder, list_file, seconds=0):
    """A server whose own time is next to nothing: a shell that sends ready answers to the requests it does not read."""
    name = os.path.basename(list_file)
    opening, answer = os.path.join(folder, "opening.json"), os.path.join(folder, name + ".answer")
    info = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": name, "version": "1"}}
    with open(opening, "w", encoding="utf-8") as file:
        file.write('{"jsonrpc":"2.0","id":1,"result":' + json.dumps(info) + "}\n")
    with open(list_file, encoding="utf-8") as listed, open(answer, "w", encoding="utf-8") as file:
        file.write('{"jsonrpc":"2.0","id":2,"result":' + listed.read() + "}\n")
    wait = f"sleep {seconds}; " if seconds else ""
    script = f"read a; {wait}cat '{opening}'; read b; read c; cat '{answer}'; read d"
    return ["/bin/sh", "-c", script]


def servers(rounds, named):
    for name, command in named:
        tool, bare = in_turn(rounds, [TOOL, "--", *command], [HANDSHAKE, *command])
        more = median_difference(tool, bare)
        figures = f"{statistics.median(tool):.1f} ms, {statistics.median(tool) / statistics.median(bare):.2f} x, {more:+.1f} ms"
        say(f"{name} / bare handshake", figures, "+10 ms")


def captures(rounds, files):
    one, large = files["one tool"], files["119 tools"]
    tool, empty = in_turn(rounds * 3, [TOOL, "--from", one], [EMPTY])
    ratio = statistics.median(tool) / statistics.median(empty)
    say("--from, one tool / true", f"{statistics.median(tool):.2f} ms, {ratio:.2f} x, peak {peak([TOOL, '--from', one])}", "6 x")
    if not shutil.which("jq"):
        say("--from, 119 tools / jq", "skipped: jq is not installed")
        return
    tool, empty, jq, idle = in_turn(rounds * 3, [TOOL, "--from", large], [EMPTY], ["jq", "-c", ".", large], ["jq", "-n", "1"])
    own, theirs = median_difference(tool, empty), median_difference(jq, idle)
    size = os.path.getsize(large) / 1000
    say(f"--from, 119 tools ({size:.0f} kB) - true / jq -c . - jq -n 1", f"{own:.2f} ms / {theirs:.2f} ms, {own / theirs:.2f} x", "1.5 x")


def many(rounds, folder, files):
    for name, target in (("5000 tools", "+150 ms, 64 MB"), ("50000 tools", "")):
        path = files[name]
        rounds_here = rounds if name == "5000 tools" else max(1, rounds // 5)
        served = server_of(folder, path)
        live, saved, bare, empty = in_turn(
            rounds_here, [TOOL, "--", *served], [TOOL, "--format", "json", "--from", path], [HANDSHAKE, *served], [EMPTY]
        )
        size = os.path.getsize(path) / 1e6
        added = f"{median_difference(live, bare):+.0f} ms, peak {peak([TOOL, '--', *served])}"
        say(f"{name} ({size:.1f} MB) / bare handshake", added, target)
        added = f"{median_difference(saved, empty):+.0f} ms, peak {peak([TOOL, '--format', 'json', '--from', path])}"
        say(f"{name}, --from, as JSON / true", added)


def one_long_string(rounds, folder):
    for name, text in (("one letter", "a" * 1_000_000), ("white space", " " * 1_000_000)):
        path = os.path.join(folder, "long.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump([{"name": "long", "description": text, "inputSchema": {"type": "object"}}], file)
        [tool] = in_turn(rounds, [TOOL, "--from", path])
        say(f"1 MB of {name}", f"{statistics.median(tool):.0f} ms, peak {peak([TOOL, '--from', path])}", "1 s")
    path = os.path.join(folder, "hostile.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump([{"name": "long", "description": "a" * 8_000_000}], file)
    [tool] = in_turn(1, [TOOL, "--from", path])
    say("8 MB of one letter", f"{statistics.median(tool):.0f} ms, peak {peak([TOOL, '--from', path])}")


def fleet(rounds, folder, files):
    """Ten servers, the slowest of which takes 0.5 s, and all of them nearly 3 s."""
    path = os.path.join(folder, "budgets.toml")
    entries = ['estimator = "o200k_base:mcp-tool-json-v1"\n']
    for place in range(1, 11):
        command, *args = server_of(folder, files["one tool"], seconds=place / 20)
        entries.append(f"[servers.s{place}]\ncommand = {json.dumps(command)}\nargs = {json.dumps(args)}\n")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(entries))
    own = [TOOL, "report", "--budgets", path, "--jobs", "10"]
    every, slowest = in_turn(max(3, rounds // 3), own, [*own, "--server", "s10"])
    figures = f"{statistics.median(every):.0f} ms / {statistics.median(slowest):.0f} ms"
    say("ten servers at once / the slowest alone", f"{figures}, {statistics.median(every) / statistics.median(slowest):.2f} x, peak {peak(own)}", "1 x")


def config_of(folder, command):
    """A client's config with this server alone, for tools that take nothing else."""
    path = os.path.join(folder, "peers.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"mcpServers": {"server": {"command": command[0], "args": command[1:]}}}, file)
    return path


def peers(rounds, folder, named):
    """Other tools on the same server. Their figures are of other texts and other tokenizers; only the time compares.

    Those from PyPI fetch their tokenizer's vocabulary on the first run; without a network they end with an error, unless
    TIKTOKEN_CACHE_DIR names a folder that holds it."""
    known = {
        "mcp-tokens": lambda command: ["mcp-tokens", "analyze", "--provider", "tiktoken", "--", *command],
        "toolism": lambda command: ["toolism", "measure", "--mcp", shlex.join(command)],
        "mcp-checkup": lambda command: ["mcp-checkup", "weigh", "--json", "--no-cost", shlex.join(command)],
        "toolbill": lambda command: ["toolbill", "audit", "--json", "--config", config_of(folder, command)],
    }
    for peer, line in known.items():
        if not shutil.which(peer):
            say(peer, "skipped: not installed")
            continue
        for name, command in named:
            try:
                tool, other = in_turn(max(3, rounds // 3), [TOOL, "--", *command], line(command))
            except SystemExit as error:
                say(f"{peer} on {name}", f"skipped: {error}")
                continue
            ratio = statistics.median(other) / statistics.median(tool)
            say(f"{peer} on {name} / this tool", f"{statistics.median(other):.0f} ms, {ratio:.1f} x, peak {peak(line(command))}")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=20)
    options.add_argument("--server", action="append", default=[], help="one more server, as a shell would be given it")
    options = options.parse_args()
    for program in (TOOL, HANDSHAKE, NOTES):
        if not os.path.exists(program):
            raise SystemExit(f"{program} is missing; build it as the usage in this file says")
    named = [("notes", [NOTES])]
    if shutil.which("mcp-server-everything"):
        named.append(("server-everything", ["mcp-server-everything", "stdio"]))
    named += [(command, shlex.split(command)) for command in options.server]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sizes = {"one tool": (1, 0.5), "119 tools": (119, 2.0), "5000 tools": (5000, 1.0), "50000 tools": (50000, 0.2)}
        files = {name: write(folder, name.replace(" ", "-") + ".json", *size) for name, size in sizes.items()}
        servers(options.rounds, named)
        captures(options.rounds, files)
        many(options.rounds, folder, files)
        one_long_string(options.rounds, folder)
        fleet(options.rounds, folder, files)
        peers(options.rounds, folder, named)


if __name__ == "__main__":
    main()
