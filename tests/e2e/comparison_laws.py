#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""All outputs of a comparison say the same about each entity.

usage: comparison_laws.py SCRATCH FOLDER...
       comparison_laws.py --pair BEFORE[,BEFORE...] AFTER[,AFTER...] [OPTION...]

Compares dumps in the folders, and runs of random programs that are built in
SCRATCH, in both directions; or only the given dumps.

For each function, source line, file, module, thread, stack and call, every
output that lists it has the same values before and after and the same change:
to the byte, or as exactly as the output rounds. The stacks of --collapsed
--two-column are the reference; from them follow the own and cumulative values
of all else, by brute force. The reference itself is what the outputs of single
dumps say, if both sides are of one build: so a change from A to B is the
opposite of that from B to A, and a dump does not differ from itself. The totals
are the sums of all stacks.

Runs $HEAPPROF; prints what does not hold and exits with 1. With $HEAPPROF_FULL,
compares all pairs of dumps that are worth it, and 60 pairs of random runs.
"""

import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import NamedTuple

import comparison_facts as facts_of
import random_program
import read_documents
import read_text_outputs as read
from comparison_facts import TOTAL, Facts, Key, Stacks, Value, both, grown
from reports import is_sampled, run

# All rows of graphs and trees, with whole names and bytes.
ALL = ("--nodecount=0", "--nodefraction=0", "--edgefraction=0",
       "--maxdegree=0", "--names=full", "--show_bytes")
KINDS = {"functions": "function", "lines": "line", "files": "file",
         "modules": "module"}
# What an output lists.
STACKS = ("stack self", "total self")
Names = Callable[[str], str]


def table(kind: str) -> tuple[str, ...]:
    return (f"{kind} self", f"{kind} cumulative", "total self")


class Pair(NamedTuple):
    before: tuple[str, ...]
    after: tuple[str, ...]
    options: tuple[str, ...] = ()
    metric: str = "inuse_space"

    def arguments(self) -> list[str]:
        bases = [f"--base={path}" for path in self.before]
        return [f"--{self.metric}", *self.options, *bases, *self.after]

    def swapped(self) -> "Pair":
        return self._replace(before=self.after, after=self.before)

    def is_exact(self) -> bool:
        """True if all values are whole numbers."""
        return not any(map(is_sampled, self.before + self.after))


class Result(NamedTuple):
    problems: list[str]
    outputs: int
    rows: int


def base_name(path: str) -> str:
    return path.rpartition("/")[2]


class Laws:
    """Checks the laws on one pair."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.is_exact = pair.is_exact()
        self.problems: list[str] = []
        self.outputs = self.rows = 0

    def check(self) -> Result:
        truths = {name: self.check_tables(name) for name in KINDS}
        self.check_sides(truths["functions"])
        self.check_files(truths)
        self.check_trees()
        self.check_growth()
        self.check_threads()
        shorten = self.short_names()
        self.check_terminal("none", truths, shorten)
        self.check_check("none", truths, shorten)
        truths = {name: self.truth(name, "--own=auto") for name in KINDS}
        self.check_terminal("auto", truths, shorten)
        self.check_overview(truths["functions"], shorten)
        self.check_trend(truths, shorten)
        self.check_check("auto", truths, shorten)
        return Result(self.problems, self.outputs, self.rows)

    def problem(self, *what: object) -> None:
        arguments = " ".join(self.pair.arguments())
        self.problems.append(f"{arguments}\n   {': '.join(map(str, what))}")

    def report(self, *options: str) -> str:
        """Standard output; it is empty if nothing changed."""
        done = run(*options, *self.pair.arguments())
        is_empty = done.status == 1 and re.search(
            "no difference|nothing to draw|none of the functions",
            done.messages)
        if done.status != 0 and not is_empty:
            self.problem(*options, done.messages)
        return done.text

    def files(self, *names: str, options: tuple[str, ...]) -> dict[str, bytes]:
        """The outputs that one run writes to files of these names."""
        with tempfile.TemporaryDirectory() as folder:
            paths = [f"{folder}/{name}" for name in names]
            outputs = [word for path in paths for word in ("-o", path)]
            arguments = [*outputs, *options, *self.pair.arguments()]
            done = run(*arguments)
            if done.status != 0:
                raise RuntimeError(f"{' '.join(arguments)}: {done.messages}")
            return {name: pathlib.Path(path).read_bytes()
                    for name, path in zip(names, paths)}

    def expect(self, output: str, facts: Facts, truth: Facts,
               lists: tuple[str, ...] = (), *, by: str = "--two-column",
               is_complete: bool = False, hidden: float = 0) -> None:
        """The rows of an output are those of `truth`.

        lists: the kinds and measures of which the output lists all rows. A row
        that it does not have says that nothing changed; if is_complete, that
        there is nothing on either side. Changes below `hidden` need no row.
        """
        self.outputs += 1
        listed = {key for key in truth if " ".join(key[:2]) in lists}
        for key in sorted(listed | facts.keys()):
            self.rows += 1
            said, true = facts.get(key, []), truth.get(key, [])
            slack = 0 if self.is_exact else 2 + sum(v.error for v in true)
            if not said and not is_complete:
                slack += hidden
                said = [grown(0)]
            if by != "--two-column":  # which alone says both sides
                said = facts_of.changes(said)
            if not facts_of.agree(said, true, slack, is_partial=not lists):
                self.problem(
                    f"{output} says {facts_of.text_of(said)}, "
                    f"{by} {facts_of.text_of(true)}",
                    f"{key.measure} {key.kind} {key.name}")

    def columns(self, *options: str) -> Stacks:
        return read.columns(
            self.report("--collapsed", "--two-column", *ALL, *options))

    def traces(self, *options: str) -> Stacks:
        return read.traces(self.report("--traces", *ALL, *options))

    def truth(self, granularity: str, *options: str) -> Facts:
        stacks = self.columns(f"--{granularity}", *options)
        rows = facts_of.frame_rows(stacks, KINDS[granularity])
        return rows | facts_of.stack_rows(stacks)

    def shown(self, facts: Facts) -> Facts:
        """Without jeprof's total, which filters do not change."""
        return {key: values for key, values in facts.items()
                if key != TOTAL or not self.pair.options}

    def check_tables(self, granularity: str) -> Facts:
        """Outputs for any kind of rows. Returns the reference."""
        kind = KINDS[granularity]
        option = f"--{granularity}"
        truth = self.truth(granularity)
        stacks = self.traces(option)
        together = facts_of.without_marks(stacks)
        self.expect(f"--traces {option}", facts_of.frame_rows(together, kind)
                    | facts_of.stack_rows(together), truth,
                    (*table(kind), *STACKS))
        # Of tables, inlined calls of a function are a row of their own.
        marked = facts_of.frame_rows(stacks, kind)
        files = self.files("a.txt", "a.json", options=(*ALL, option))
        rows = read.read_text(files["a.txt"].decode(), kind)
        lists = table(kind)[:2] if self.pair.options else table(kind)
        self.expect(f"--text {option}", self.shown(rows), marked, lists,
                    by="--traces")
        rows = read.read_text(
            self.report("--text", *ALL, option, "--no-show_bytes"), kind)
        self.expect(f"--text {option} in MB", self.shown(rows), marked, lists,
                    by="--traces", hidden=0.05 * read.MIB)
        rows = facts_of.of_kinds(read_documents.read_json(
            files["a.json"].decode(), kind), kind, "total")
        self.expect(f"--json {option}", rows, marked, table(kind),
                    by="--traces")
        self.check_graphs(option, kind, stacks, marked)
        # The other row of a function may be absent, and with it a part of both
        # sides.
        parts = () if kind in ("file", "module") else ("--no-inlines",)
        rows = facts_of.of_kinds(read_documents.read_json(
            self.report("--json", "--names=full", option, *parts), kind),
            kind, "total")
        self.expect(f"--json {option} {' '.join(parts)}", rows,
                    self.truth(granularity, *parts), table(kind))
        return truth

    def check_graphs(self, option: str, kind: str, stacks: Stacks,
                     marked: Facts) -> None:
        calls = facts_of.call_rows(stacks, marked, kind)
        for output, reader in (("--dot", read.read_dot),
                               ("--tree", read.read_tree)):
            rows = self.shown(reader(self.report(output, *ALL, option), kind))
            self.expect(f"{output} {option}", rows, marked | calls, (
                f"{kind} self", f"{kind} cumulative", "call cumulative"),
                by="--traces")

    def check_sides(self, truth: Facts) -> None:
        """Each side is the mean of its dumps, as they are without the other."""
        sides = []
        for dumps in (self.pair.before, self.pair.after):
            sums: dict[Key, int] = collections.defaultdict(int)
            for dump in dumps:
                text = run("--collapsed", f"--{self.pair.metric}", *ALL,
                           *self.pair.options, dump).text
                for stack, value in read.counts(text):
                    sums[Key("stack", "self", facts_of.join(stack))] += value
                    sums[TOTAL] += value
            sides.append({key: v / len(dumps) for key, v in sums.items()})
        # Stacks of two builds get the names of one.
        keys = (sides[0].keys() | sides[1].keys() if self.has_one("build_id")
                else {TOTAL})
        facts = {key: [both(*(side.get(key, 0) for side in sides))]
                 for key in keys}
        self.expect("each side alone", facts, truth,
                    STACKS if len(keys) > 1 else (), is_complete=True)

    def has_one(self, fact: str) -> bool:
        """True if this fact is the same for all dumps."""
        document = json.loads(self.report("--json"))
        return len({dump[fact] for dump in document["inputs"]}) == 1

    def check_files(self, truths: dict[str, Facts]) -> None:
        truth = truths["functions"]
        metric = self.pair.metric
        files = self.files("a.html", "a.flame.svg", "a.pb.gz",
                           "a.speedscope.json",
                           options=(*ALL, "--min-width=0"))
        page = read_documents.read_page(files["a.html"].decode(), metric)
        self.expect("--html", facts_of.of_kinds(page, "stack", "total"), truth,
                    STACKS, is_complete=True)
        for granularity, kind in KINDS.items():
            self.expect(f"--html, {granularity}", facts_of.of_kinds(page, kind),
                        truths[granularity], table(kind)[:2], is_complete=True)
        flames = read_documents.flames(files["a.flame.svg"].decode())
        self.expect("--flamegraph", facts_of.stack_rows(flames, is_total=True),
                    truth, STACKS, is_complete=True)
        profile = read_documents.PprofProfile(files["a.pb.gz"])
        samples = profile.stacks(metric, 0 if self.is_exact else 1)
        self.expect("--proto", facts_of.stack_rows(samples, is_total=True),
                    truth, STACKS, is_complete=True)
        stacks = read_documents.speedscope(
            files["a.speedscope.json"].decode(), metric)
        self.expect("--speedscope", facts_of.stack_rows(stacks, is_total=True),
                    truth, STACKS)

    def check_trees(self) -> None:
        stacks = self.traces()
        rows = facts_of.frame_rows(stacks, "function")
        for name in ("callers", "callees"):
            output = f"--{name}=."
            document = self.report("--json", output, *ALL)
            for paths in (read.call_paths(self.report(output, *ALL)),
                          read_documents.json_paths(document, name)):
                facts = {Key("path", "cumulative", " - ".join(path)): [value]
                         for path, value in paths}
                roots = {path[0] for path, _ in paths}
                truth = facts_of.path_rows(stacks, roots, name == "callers")
                self.expect(output, facts, truth, ("path cumulative",),
                            by="--traces")
        tree, peek = (self.report(o, *ALL) for o in ("--tree", "--peek=."))
        if peek and peek != tree:
            self.problem("--peek=. is not --tree")
        document = self.report("--json", "--tree", *ALL)
        self.expect("--json --tree", read_documents.read_json_tree(document),
                    rows, table("function")[:2], by="--traces")
        traces = read_documents.json_traces(
            self.report("--json", "--traces", *ALL))
        self.expect("--json --traces", facts_of.stack_rows(traces, True),
                    facts_of.stack_rows(stacks, True), STACKS, by="--traces")
        # Functions of one name in two files have two listings.
        rows = read.read_list(self.report("--list=.", *ALL))
        together = facts_of.frame_rows(
            facts_of.without_marks(stacks), "function")
        together |= facts_of.frame_rows(
            facts_of.without_marks(self.traces("--lines")), "line")
        self.expect("--list", facts_of.single(rows), together, by="--traces")

    def check_growth(self) -> None:
        """Outputs that cannot say what shrank."""
        grew = [(stack, grown(value)) for stack, value in read.counts(
            self.report("--collapsed", *ALL))]
        self.expect("--collapsed", facts_of.of_kinds(
            facts_of.growth_rows(grew), "stack"),
            facts_of.growth_rows(self.columns()), ("stack growth",))
        # Of two stacks with the same names, one may grow and one may shrink.
        truth = facts_of.growth_rows(self.traces("--lines"))
        self.expect("--callgrind", read.read_callgrind(
            self.report("--callgrind", *ALL)), truth, ("function growth",),
            by="--traces")

    def check_threads(self) -> None:
        """By uid; check adds up the threads of a name."""
        by_uid, by_name = facts_of.Sums(), facts_of.Sums()
        for stack, value in self.columns("--thread=*"):
            found = re.fullmatch(r"\[t(\d+) ?(.*)\]", stack[0])
            by_uid.add(Key("thread", "self", found[1]), value, 1)
            name = facts_of.plain(found[2]) or f"t{found[1]}"
            by_name.add(Key("thread", "self", name), value, 1)
        threads = read.read_threads(self.report("--threads", *ALL))
        tables = read.read_thread_tables(
            self.report("--text", "--thread=*", *ALL))
        document = read_documents.read_json(self.report("--json"), "function")
        for output, facts in (
                ("--threads", threads), ("--text --thread=*", tables),
                ("--json", facts_of.of_kinds(document, "thread"))):
            self.expect(f"{output}, threads", facts_of.added_up(facts),
                        by_uid.facts, ("thread self",))
        facts = facts_of.of_kinds(self.findings("none", "thread"), "thread")
        self.expect("check --by=thread", facts, by_name.facts)

    def short_names(self) -> Names:
        """How a terminal and check name functions: with the arguments of
        templates only if that makes a difference. The numbers of lambdas, which
        --names=full leaves out, are no part of these names."""
        names = []
        for style in ("full", "template", "short"):
            files = self.files("a.pb.gz", options=(f"--names={style}",))
            profile = read_documents.PprofProfile(files["a.pb.gz"])
            names.append(map(facts_of.plain, profile.frame_names()))
        short = {}
        for full, template, shortest in zip(*names, strict=True):
            short |= {template: shortest, full: shortest}

        def shorten(name: str) -> str:
            name = re.sub(r"#\d+(?=})|(?<=\$_)\d+", "", name)
            return short.get(name, name)
        return shorten

    def check_terminal(self, own: str, truths: dict[str, Facts],
                       shorten: Names) -> None:
        for granularity in ("functions", "files", "modules"):
            kind = KINDS[granularity]
            rename = {"function": shorten, "module": base_name}.get(kind, str)
            truth = facts_of.renamed(truths[granularity], rename)
            for options, measure in (((), "self"), (("--cum",), "cumulative")):
                options = (f"--{granularity}", f"--own={own}", *options)
                text = read.on_terminal(
                    [os.environ["HEAPPROF"], "--text", "--top=0", *options,
                     *self.pair.arguments()])
                rows = read.read_terminal(text, kind, measure)
                self.expect(f"terminal, {' '.join(options)}",
                            facts_of.renamed(rows, rename), truth,
                            (f"{kind} {measure}", "total self"),
                            is_complete=True)

    def check_overview(self, truth: Facts, shorten: Names) -> None:
        """Which is in a pipe as on a terminal."""
        rows = read.read_terminal(
            self.report("--overview", "--top=0"), "function", "self")
        self.expect("--overview", facts_of.renamed(rows, shorten),
                    facts_of.renamed(truth, shorten),
                    ("function self", "total self"), is_complete=True)

    def check_trend(self, truths: dict[str, Facts], shorten: Names) -> None:
        """Of two dumps of one program, it has both. It leaves out small rows.
        Programs at different paths have trends of their own.
        """
        paths = self.pair.before + self.pair.after
        if (len(set(paths)) != 2 or self.pair.metric != "inuse_space"
                or not self.has_one("build_id")
                or not self.has_one("program")):
            return
        for by, granularity, rename in (
                ("own", "functions", shorten), ("file", "files", str)):
            done = run("trend", "--json", f"--by={by}", *self.pair.options,
                       *paths)
            if done.status != 0:
                self.problem("trend", by, done.messages)
                continue
            rows = read_documents.read_trend(done.text, KINDS[granularity],
                                             *map(base_name, paths))
            self.expect(f"trend --by={by}", facts_of.renamed(rows, rename),
                        facts_of.renamed(truths[granularity], rename))

    def findings(self, own: str, by: str) -> Facts:
        """What check says of all that holds or has grown by anything."""
        rule = {"stack": "function"}.get(by, by)
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as budgets:
            if by != "thread" and self.pair.metric.endswith("space"):
                budgets.write(f'[[rules]]\n{rule} = "."\nmax_total = "0B"\n')
                budgets.flush()
            done = run(
                "check", f"--own={own}", f"--by={by}", "--noise=point",
                "--max-growth=0", f"--budgets={budgets.name}",
                "--format=json", "--require-symbols=0", "--allow-empty",
                "--allow-renamed",
                f"--{self.pair.metric}", *self.pair.options, "--base",
                *self.pair.before, "--new", *self.pair.after)
        if done.status not in (0, 1):
            self.problem("check", f"--own={own}", f"--by={by}", done.messages)
            return {}
        return read_documents.read_check(done.text, by)

    def check_check(self, own: str, truths: dict[str, Facts],
                    shorten: Names) -> None:
        """What it does not find is no contradiction: it is below a limit, or
        explained by a callee."""
        def shorten_all(stack: str) -> str:
            return ";".join(map(shorten, stack.split(";")))

        for by, granularity, rename in (
                ("function", "functions", shorten), ("file", "files", str),
                ("module", "modules", base_name),
                ("stack", "functions", shorten_all)):
            self.expect(f"check --own={own} --by={by}",
                        facts_of.renamed(self.findings(own, by), rename),
                        facts_of.renamed(truths[granularity], rename))


def pairs_of_dumps(folders: list[str], is_full: bool) -> Iterator[Pair]:
    """Dumps of one program, and with others; in a short run, the few that
    differ most from each other."""
    dumps = {p.name: str(p) for f in folders for p in pathlib.Path(f).iterdir()}
    short = [("growth.first.heap", "growth.grown.heap"),
             ("threads.gcc-O2.heap", "inlining.clang-O2.heap"),
             ("quickstart.gcc-O2.heap", "quickstart.clang-O2.heap")]
    names = sorted(dumps)
    full = [*short, *zip(names, names[1:] + names[:1]), *(
        (a, b) for a, b in itertools.combinations(names, 2)
        if a.partition(".")[0] == b.partition(".")[0])]
    for before, after in dict.fromkeys(full if is_full else short):
        yield Pair((dumps[before],), (dumps[after],))


BUILDS = {"gcc-O2": ("g++", "-O2"), "gcc-O0": ("g++", "-O0"),
          "clang-O2": ("clang++-19", "-O2")}
# Of random pairs in turn, but for the first ones.
OPTIONS = ((), ("--no-inlines",), ("--focus=F1",), ("--ignore=Helper",),
           ("--exclude=Grow",), ("--hide=F2",))


def pairs_of_runs(scratch: pathlib.Path, is_full: bool) -> Iterator[Pair]:
    """Of one build and of two, with one run a side and with three, and as if
    not every allocation had been sampled."""
    for seed in range(15 if is_full else 1):
        source = random_program.Source(seed)
        old, new = list(itertools.permutations(BUILDS, 2))[seed % 6]
        runs = {}
        for name in (old, new):
            program = random_program.Program(
                source, scratch / f"{seed}.{name}", *BUILDS[name], "-g")
            runs[name] = [program.profile(run) for run in range(1, 7)]
        if is_full:
            yield Pair((runs[old][0],), (runs[old][1],),
                       OPTIONS[seed % len(OPTIONS)])
        yield Pair((runs[old][0],), (runs[new][2],),
                   OPTIONS[seed // len(OPTIONS) % len(OPTIONS)])
        yield Pair(tuple(runs[old][:3]), tuple(runs[(old, new)[seed % 2]][3:]))
        before, after = (random_program.as_sampled(runs[name][4])
                         for name in (old, new))
        yield Pair((before,), (after,))


def check_pair(pair: Pair) -> Result:
    return Laws(pair).check()


def main() -> int:
    is_full = "HEAPPROF_FULL" in os.environ
    if sys.argv[1] == "--pair":
        before, after, *options = sys.argv[2:]
        pairs = [Pair(tuple(before.split(",")), tuple(after.split(",")),
                      tuple(options))]
    else:
        scratch = pathlib.Path(sys.argv[1])
        shutil.rmtree(scratch, ignore_errors=True)
        pairs = [*pairs_of_dumps(sys.argv[2:], is_full),
                 *pairs_of_runs(scratch, is_full)]
        pairs.append(pairs[0]._replace(metric="alloc_objects"))
        pairs.append(pairs[-4]._replace(options=("--no-inlines",)))
        pairs.append(pairs[0]._replace(after=pairs[0].before))
        if not is_full:
            pairs = pairs[::2]
    pairs += [pair.swapped() for pair in (pairs if is_full else pairs[::6])]
    with concurrent.futures.ProcessPoolExecutor() as pool:
        results = list(pool.map(check_pair, pairs))
    problems = [problem for result in results for problem in result.problems]
    print("\n".join(problems[:60]))
    outputs, rows = (sum(column) for column in zip(
        *((result.outputs, result.rows) for result in results)))
    print(f"{len(pairs)} pairs, {outputs} outputs, {rows} rows, "
          f"{len(problems)} contradictions")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
