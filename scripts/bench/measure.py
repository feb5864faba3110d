#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares heapprof with its peers on the data that bench.sh has made, and
prints Markdown tables.

usage: measure.py FOLDER HEAPPROF ADDR2LINE RUNS [TABLE...]

FOLDER is where bench.sh put its data, ADDR2LINE gimli's. TABLE is one of dumps,
symbolizers, reports, growth, check, each and index; without it, all of them are
printed. Contenders take turns; each number is the median of RUNS wall-clock
times. A contender whose first run takes longer than SLOW seconds runs only
once. After LIMIT seconds, a run is killed. The page cache is warm: first runs
that are not slow do not count. A contender whose output ends before its process
does is shown as "output (process)". The CPU time that an index takes is the
median of five times as many runs. Peak memory is anonymous memory, in one run
without a cache.
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

SLOW = 15
LIMIT = 120
CHUNK = 1 << 20


class Contender:
    """A command with its times; `cold` gives it an empty cache each time."""

    def __init__(self, name, command, stdin=os.devnull, cold=False):
        self.name, self.command, self.stdin = name, command, stdin
        self.cold = cold
        self.output, self.process = [], []

    def run(self):
        cache = tempfile.mkdtemp(prefix="bench-cache-") if self.cold else None
        command = list(self.command)
        if cache:
            command.append("--cache-dir=" + cache)
        start = time.perf_counter()
        with open(self.stdin, "rb") as stdin, subprocess.Popen(
                command, stdin=stdin, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL) as child:
            limit = threading.Timer(LIMIT, child.kill)
            limit.start()
            size = 0
            while chunk := os.read(child.stdout.fileno(), CHUNK):
                size += len(chunk)
            output = time.perf_counter() - start
            status = child.wait()
            process = time.perf_counter() - start
            limit.cancel()
        if cache:
            shutil.rmtree(cache)
        if process >= LIMIT:
            return LIMIT, LIMIT
        if status != 0 or size < 100:
            sys.exit(f"measure.py: status {status}, {size} bytes of output: "
                     + " ".join(command))
        return output, process

    def seconds(self):
        return statistics.median(self.output)

    def __str__(self):
        output = self.seconds()
        if output == LIMIT:
            return f"> {LIMIT} s"
        process = statistics.median(self.process)
        text = format_seconds(output)
        if process > 1.1 * output:
            text += f" ({format_seconds(process)})"
        return text


class Naming(Contender):
    """The time that a command reports for naming frames. It is short, so each
    time is the median of a few runs."""

    def run(self):
        times = []
        for _ in range(5):
            said = subprocess.run(
                self.command + ["--verbose"], check=True, text=True,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE).stderr
            times.append(float(re.search(r"naming the frames ([\d.]+) ms",
                                         said)[1]) / 1000)
        return statistics.median(times), statistics.median(times)


def format_size(size):
    return f"{size / 1e6:.0f} MB"


def format_seconds(seconds):
    if seconds < 0.1:
        return f"{seconds * 1000:.1f} ms"
    return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.1f} s"


def race(contenders, runs):
    for contender in contenders:
        output, process = contender.run()
        if output > SLOW:
            contender.output, contender.process = [output], [process]
    for _ in range(runs):
        for contender in contenders:
            if len(contender.output) == 1 and contender.output[0] > SLOW:
                continue
            output, process = contender.run()
            contender.output.append(output)
            contender.process.append(process)


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def header(*cells):
    row(*cells)
    row(*["---"] * len(cells))


def format_ratio(times):
    return f"{times:.1f} ×" if times < 10 else f"{times:.0f} ×"


def ratio(peer, ours):
    more = "> " if peer.seconds() == LIMIT else ""
    return more + format_ratio(peer.seconds() / ours.seconds())


def distinct_addresses(dump):
    found = set()
    with open(dump, encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("MAPPED"):
                break
            if line.startswith("@"):
                found.update(line.split()[1:])
    return len(found)


def cpu_seconds(command):
    """CPU time of one run, user and system."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"measure.py: status {child.returncode}: "
                 + " ".join(command))
    return usage.ru_utime + usage.ru_stime


def dwarf_size(file):
    """The size of the debug sections, which are not compressed."""
    sections = subprocess.run(["readelf", "-SW", file], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
    return sum(int(size, 16) for size in re.findall(
        r"\.debug_\w+ +\w+ +\w+ \w+ (\w+)", sections))


def peak_anonymous_memory(command, stdin=os.devnull):
    """In bytes, sampled every millisecond."""
    peak = 0
    with open(stdin, "rb") as file, subprocess.Popen(
            command, stdin=file, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL) as child:
        while child.poll() is None:
            try:
                with open(f"/proc/{child.pid}/status",
                          encoding="ascii") as status:
                    for line in status:
                        if line.startswith("RssAnon"):
                            peak = max(peak, int(line.split()[1]) * 1024)
            except OSError:
                pass
            time.sleep(0.001)
    return peak


def elapsed(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def stage_medians(messages):
    """The medians of the stages that --verbose says of each dump, in ms."""
    times = {}
    for line in messages.splitlines():
        if ".heap: reading the profile " in line:
            for stage, value in re.findall(r"(\w[\w ]*?) ([\d.]+) ms", line):
                times.setdefault(stage, []).append(float(value))
    return {stage: statistics.median(all_times)
            for stage, all_times in times.items()}


def peak_of(command):
    """The peak memory of a run with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        return peak_anonymous_memory(command(cache))


class Bench:
    def __init__(self, folder, heapprof, addr2line, runs):
        self.folder, self.heapprof = folder, heapprof
        self.addr2line, self.runs = addr2line, runs
        self.warm_cache = "--cache-dir=" + os.path.join(folder, "cache")

    def path(self, name):
        return os.path.join(self.folder, name)

    def ours(self, *arguments):
        """Commands of heapprof: the first run, and later runs."""
        command = [self.heapprof, *arguments]
        return (Contender("heapprof", command, cold=True),
                Contender("heapprof, again", command + [self.warm_cache]))

    def tools(self):
        """jeprof needs the paths of all tools if it is given one."""
        others = [f"{name}:{shutil.which(name)}"
                  for name in ("c++filt", "nm", "objdump")]
        return ",".join(["addr2line:" + self.addr2line, *others])

    def peak(self, *arguments):
        """The peak memory of a run of heapprof without a cache."""
        command = [self.heapprof, "--no-cache", *arguments]
        return format_size(peak_anonymous_memory(command))

    def dumps(self):
        header("dump", "size", "addresses", "jeprof", "jeprof, gimli's",
               "heapprof", "again", "ratio", "again", "peak memory")
        for label, mode, binary, dump in (
                ("clang 19 compiling, no debug information", "--collapsed",
                 "/usr/lib/llvm-19/bin/clang", "clang.heap"),
                ("Python compiling, DWARF in a separate file, zlib", "--text",
                 "/usr/bin/python3.11", "python.heap"),
                ("OpenJDK 17 compiling, DWARF in a separate file, zlib",
                 "--collapsed", "/usr/lib/jvm/java-17-openjdk-amd64/bin/java",
                 "jvm.heap"),
                ("generated, on libjvm.so with its DWARF inside",
                 "--collapsed", self.path("libjvm.so"), "inside.heap"),
                ("generated, on libjvm.so, DWARF in a separate file, zlib",
                 "--collapsed", "/usr/lib/jvm/java-17-openjdk-amd64/lib/"
                 "server/libjvm.so", "separate.heap")):
            dump = self.path(dump)
            theirs = Contender("jeprof", ["jeprof", mode, binary, dump])
            gimli = Contender("jeprof, gimli's", [
                "jeprof", "--tools=" + self.tools(), mode, binary, dump])
            cold, warm = self.ours(mode, binary, dump)
            race([theirs, gimli, cold, warm], self.runs)
            row(label, f"{os.path.getsize(dump) / 1e6:.1f} MB",
                distinct_addresses(dump), theirs, gimli, cold, warm,
                ratio(theirs, cold), ratio(theirs, warm),
                self.peak(mode, binary, dump))

    def symbolizers(self):
        header("10 000 addresses of", "llvm-symbolizer", "eu-addr2line",
               "gimli's addr2line", "heapprof, 1 thread", "all threads",
               "again", "naming alone", "gimli's : 1 thread", "all", "again",
               "naming alone", "peak memory, gimli's", "heapprof")
        osd = self.path("packages/ceph-osd/usr/bin/ceph-osd")
        # The other programs get the file with the DWARF. eu-addr2line takes
        # minutes for each of the last three.
        for label, binary, debug, name in (
                ("libjvm.so, C++, DWARF inside", self.path("libjvm.so"),
                 self.path("libjvm.so"), "inside"),
                ("libjvm.so, C++, DWARF in a separate file, zlib",
                 "/usr/lib/jvm/java-17-openjdk-amd64/lib/server/libjvm.so",
                 self.path("libjvm.so.zlib.debug"), "separate"),
                ("addr2line, Rust, DWARF inside", self.addr2line,
                 self.addr2line, "rust"),
                ("ceph-mon, C++, DWARF inside", self.path("ceph-mon"),
                 self.path("ceph-mon"), "mon"),
                ("wb_command, C++, DWARF inside", self.path("wb_command"),
                 self.path("wb_command"), "wb"),
                ("ceph-osd, C++, DWARF in a separate file, zlib", osd,
                 self.path("ceph-osd.zlib.debug"), "osd")):
            addresses = self.path(name + ".addresses")
            dump = self.path(name + ".heap")
            llvm = Contender("llvm-symbolizer", [
                "llvm-symbolizer-19", "--obj=" + debug], addresses)
            elfutils = [] if name in ("mon", "wb", "osd") else [
                Contender("eu-addr2line", ["eu-addr2line", "-C", "-f", "-i",
                                           "-e", debug], addresses)]
            gimli = Contender("gimli", [
                self.addr2line, "-C", "-f", "-i", "-e", debug], addresses)
            # Some bytes in the code of the Rust program look like calls.
            options = ("--force", "--collapsed", "--debug-dir="
                       + self.path("packages/ceph-osd/usr/lib/debug"),
                       binary, dump)
            one, _ = self.ours("--jobs=1", *options)
            cold, warm = self.ours(*options)
            naming = Naming("naming alone", warm.command)
            race([llvm, *elfutils, gimli, one, cold, warm, naming], self.runs)
            row(label, llvm, *elfutils or ["–"], gimli, one, cold, warm,
                naming,
                ratio(gimli, one), ratio(gimli, cold), ratio(gimli, warm),
                ratio(gimli, naming),
                format_size(peak_anonymous_memory(gimli.command, addresses)),
                self.peak(*options))

    def reports(self):
        """What each report adds to reading a large dump."""
        dump = self.path("python.heap")
        size = os.path.getsize(dump)
        header(f"report of a dump of {format_size(size)}", "making the report",
               "whole process", "peak memory", "of the dump")
        for options in (["--text"], ["--collapsed"], ["--json"], ["--proto"],
                        ["--raw"], ["--flamegraph"], ["--speedscope"],
                        ["--html"], ["--text", "--base", dump]):
            with tempfile.TemporaryDirectory() as folder:
                command = [self.heapprof, *options, self.warm_cache, "-o",
                           os.path.join(folder, "report"),
                           "/usr/bin/python3.11", dump]
                elapsed(command)
                making, process = [], []
                for _ in range(self.runs):
                    process.append(elapsed(command))
                    said = subprocess.run(
                        command + ["--verbose"], check=True, text=True,
                        stderr=subprocess.PIPE).stderr
                    making.append(float(re.search(
                        r"making the report ([\d.]+) ms", said)[1]))
                peak = peak_anonymous_memory(command)
            row(" ".join(options).replace(dump, "DUMP"),
                f"{statistics.median(making):.0f} ms",
                format_seconds(statistics.median(process)),
                format_size(peak), f"{peak / size:.1f} ×")

    def growth(self):
        header("addresses of libjvm.so, DWARF inside", "gimli's addr2line",
               "heapprof", "again")
        binary = self.path("libjvm.so")
        for count in (1_000, 10_000, 100_000, 1_000_000):
            gimli = Contender("gimli", [
                self.addr2line, "-C", "-f", "-i", "-e", binary],
                self.path(f"{count}.addresses"))
            # More addresses than there are calls: not all follow one.
            cold, warm = self.ours("--force", "--text", "--top=10", binary,
                                   self.path(f"{count}.heap"))
            race([gimli, cold, warm], self.runs)
            row(f"{count}", gimli, cold, warm)

    def check(self):
        header("addresses of libjvm.so in each of 10 dumps per side",
               "heapprof check", "again")
        for count in (1_000, 10_000):
            dumps = 10 * [self.path(f"{count}.heap")]
            cold, warm = self.ours("check", "--max-growth=0", "--base", *dumps,
                                   "--new", *dumps)
            race([cold, warm], self.runs)
            row(f"{count}", cold, warm)

    def each(self):
        """All dumps of one process: one by one, and in one run. The parts of a
        further dump are medians of what --verbose says of each, with one
        thread."""
        header("dumps of OpenJDK 17", "jeprof, one by one",
               "heapprof, one by one", "--each, first run", "again",
               "further dump", "to read and write it", "ratio",
               "memory of one run", "of --each")
        folder = self.path("series")
        dumps = sorted(entry.path for entry in os.scandir(folder))
        binary = "/usr/lib/jvm/java-17-openjdk-amd64/bin/java"
        jeprof = Contender("jeprof", ["jeprof", "--collapsed", binary,
                                      dumps[-1]])
        jeprof.output, jeprof.process = zip(*[jeprof.run()])
        for option, extension in (("--proto", "pb.gz"), ("--text", "txt")):
            out = tempfile.mkdtemp(prefix="bench-each-")
            pattern = f"-o={out}/{{name}}.{extension}"
            command = [self.heapprof, "--each", option, pattern, folder]
            one_by_one, cold, warm = [], [], []
            for _ in range(self.runs):
                with tempfile.TemporaryDirectory() as cache:
                    cold.append(elapsed(command + ["--cache-dir=" + cache]))
                warm.append(elapsed(command + [self.warm_cache]))
                one_by_one.append(sum(
                    elapsed([self.heapprof, option, self.warm_cache,
                             f"-o={out}/one.{extension}", dump])
                    for dump in dumps))
            said = subprocess.run(
                command + [self.warm_cache, "--jobs=1", "--verbose"],
                check=True, text=True, stderr=subprocess.PIPE).stderr
            stages = stage_medians(said)
            further = sum(stages.values())
            needed = (stages["reading the profile"]
                      + stages["making the report"])
            one = peak_of(lambda cache: [
                self.heapprof, option, f"-o={out}/one.{extension}", dumps[-1],
                "--cache-dir=" + cache])
            all_dumps = peak_of(lambda cache: command
                                + ["--cache-dir=" + cache])
            shutil.rmtree(out)
            row(f"{len(dumps)}, {option}",
                "about " + format_seconds(jeprof.seconds() * len(dumps)),
                format_seconds(statistics.median(one_by_one)),
                format_seconds(statistics.median(cold)),
                format_seconds(statistics.median(warm)),
                f"{further:.1f} ms", f"{needed:.1f} ms",
                f"{further / needed:.2f}", f"{one / 1e6:.0f} MB",
                f"{all_dumps / 1e6:.0f} MB")

    def index(self):
        """The extra cost of a first run with a cache over one without."""
        header("index of", "DWARF", "to build it, 1 thread", "per GB of DWARF",
               "index", "of DWARF")
        for label, binary, name in (
                ("libjvm.so, C++", self.path("libjvm.so"), "inside"),
                ("addr2line, Rust", self.addr2line, "rust")):
            command = [self.heapprof, "--jobs=1", "--force", "--collapsed",
                       binary, self.path(name + ".heap")]
            without, building = [], []
            # The steps of CPU time are too coarse for a few runs.
            for _ in range(5 * self.runs):
                without.append(cpu_seconds(command + ["--no-cache"]))
                with tempfile.TemporaryDirectory() as cache:
                    building.append(
                        cpu_seconds(command + ["--cache-dir=" + cache]))
                    size = sum(file.stat().st_size for file in
                               os.scandir(cache) if file.is_file())
            seconds = statistics.median(building) - statistics.median(without)
            dwarf = dwarf_size(binary)
            row(label, f"{dwarf / 1e6:.0f} MB",
                f"{seconds:.2f} s of CPU time",
                f"{seconds / dwarf * 1e9:.1f} s", f"{size / 1e6:.1f} MB",
                f"{100 * size / dwarf:.1f} %")


def main():
    tables = ["dumps", "symbolizers", "reports", "growth", "check", "each",
              "index"]
    wanted = sys.argv[5:] or tables
    if len(sys.argv) < 5 or not set(wanted) <= set(tables):
        sys.exit(__doc__)
    bench = Bench(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
    for table in wanted:
        getattr(bench, table)()
        print()


if __name__ == "__main__":
    main()
