# SPDX-License-Identifier: Apache-2.0
"""Runs heapprof on inputs that are made to do harm.

usage: hostile_inputs.py HEAPPROF FOLDER

FOLDER must be empty. Each run states the status that it must end with, and how
much memory and processor time it may take at most. This script must need less
memory than that, because the peak of a process includes what the parent had
when it started it; so it writes large files in pieces.
"""

import json
import os
import pathlib
import re
import resource
import struct
import subprocess
import sys
import xml.etree.ElementTree
import zlib
from collections.abc import Callable
from typing import NamedTuple

HEAPPROF, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
HEADER = b"heap_v2/524288\n  t*: 1: 1 [0: 0]\n"
RECORD = b"@ 0x1 0x2\n  t*: 1: 4096 [0: 0]\n"
NO_MAP = b"\nMAPPED_LIBRARIES:\n"
# The type inuse_space/bytes, and one location.
PPROF = (
    b"\x0a\x04\x08\x01\x10\x02\x32\0\x32\x0binuse_space\x32\x05bytes"
    b"\x22\x04\x08\x01\x18\x10"
)
LOG = (
    b'{"info":{"lg_sample_rate":19},"threads":[{"thr_uid":0}],'
    b'"stack_traces":[["0x1"]],"allocations":['
)
MEGABYTE = 1 << 20


class Outcome(NamedTuple):
    out: bytes
    err: str


def run(
    *arguments: str | pathlib.Path,
    status: int = 0,
    megabytes: int = 48,
    seconds: float = 2,
    message: str = "",
    stdin: bytes = b"",
    prepare: Callable[[], None] | None = None,
) -> Outcome:
    """Runs heapprof. `message` is a regular expression for its messages."""
    command = [HEAPPROF, *map(str, arguments)]
    out, err = FOLDER / "stdout", FOLDER / "stderr"
    given = FOLDER / "stdin"
    given.write_bytes(stdin)
    with given.open("rb") as i, out.open("wb") as o, err.open("wb") as e:
        child = subprocess.Popen(
            command, stdin=i, stdout=o, stderr=e, preexec_fn=prepare
        )
        _, code, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(code)
    messages = err.read_text(errors="replace")
    used = usage.ru_utime + usage.ru_stime
    peak = usage.ru_maxrss // 1024
    line = " ".join(command)[:300]
    print(f"{peak} MB, {used:.2f} s, status {child.returncode}: {line}")
    for is_right, what in [
        (child.returncode == status, f"status {status} expected"),
        (peak <= megabytes, f"at most {megabytes} MB expected"),
        (used <= seconds, f"at most {seconds} s expected"),
        (re.search(message, messages), f"expected a message like {message}"),
        (len(messages) < 4000, "short messages expected"),
    ]:
        if not is_right:
            sys.exit(f"{what}: {line}\n{messages[-800:]}")
    return Outcome(out.read_bytes(), messages)


def expect(is_right: object, what: str) -> None:
    if not is_right:
        sys.exit(f"expected {what}")


def write(name: str, data: bytes | str) -> pathlib.Path:
    path = FOLDER / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def repeated(
    name: str, start: bytes, part: bytes, count: int, end: bytes = b""
) -> pathlib.Path:
    """A file of `part`, repeated; compressed if it is called "*.gz"."""
    block = part * 10_000
    blocks = count // 10_000
    path = FOLDER / name
    with path.open("wb") as file:
        if name.endswith(".gz"):
            # Compressing each block again would take ten times as long.
            checksum = zlib.crc32(start)
            for _ in range(blocks):
                checksum = zlib.crc32(block, checksum)
            file.write(b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + squeezed(start))
            file.writelines([squeezed(block)] * blocks)
            size = len(start) + len(block) * blocks + len(end)
            file.write(squeezed(end, zlib.Z_FINISH))
            file.write(struct.pack("<II", zlib.crc32(end, checksum), size % 2**32))
        else:
            file.write(start)
            file.writelines([block] * blocks)
            file.write(end)
    return path


def squeezed(data: bytes, mode: int = zlib.Z_FULL_FLUSH) -> bytes:
    """A part of a deflate stream that needs none before it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush(mode)


def elf(name: str, sections: dict[str, tuple[bytes, int, int]]) -> pathlib.Path:
    """A program with these sections: bytes, type and flags."""
    names = b"\0"
    data = b""
    headers = [bytes(64)]
    start = 64 + 56
    for section, (content, kind, flags) in [
        *sections.items(),
        (".shstrtab", (b"", 3, 0)),
    ]:
        at = len(names)
        names += section.encode() + b"\0"
        if section == ".shstrtab":
            content = names
        headers.append(
            struct.pack(
                "<IIQQQQIIQQ", at, kind, flags, 0, start + len(data),
                len(content), 0, 0, 1, 0,
            )
        )  # fmt: skip
        data += content
    data += bytes(-(start + len(data)) % 8)
    header = b"\x7fELF\x02\x01\x01" + bytes(9)
    header += struct.pack(
        "<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, start + len(data), 0, 64, 56, 1, 64,
        len(headers), len(headers) - 1,
    )  # fmt: skip
    segment = struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, 0x2000, 0x2000, 0x1000)
    return write(name, header + segment + data + b"".join(headers))


def dump_of(binary: pathlib.Path, name: str, *addresses: int) -> pathlib.Path:
    """A dump of a process in which the binary is mapped at 0x400000."""
    stack = " ".join(map(hex, addresses or (0x400010, 0x400020)))
    return write(
        name,
        f"heap_v2/1\n  t*: 1: 4096 [0: 0]\n@ {stack}\n  t*: 1: 4096 [0: 0]\n"
        f"\nMAPPED_LIBRARIES:\n400000-402000 r-xp 00000000 fe:00 7 {binary}\n",
    )


SMALL = write("small.heap", HEADER + RECORD + NO_MAP)


def repeated_records() -> None:
    """A million and a half records of one stack or of one line."""
    count = 1_500_000
    flat = b"heap profile: 1: 4096 [1: 4096] @ heap_v2/524288\n"
    for name, start, part in [
        ("stacks", HEADER, RECORD),
        ("two_stacks", HEADER, RECORD + b"@ 0x1\n t*: 1: 8 [0: 0]\n"),
        ("flat", flat, b"1: 4096 [1: 4096] @ 0x1 0x2\n"),
        ("totals", HEADER + b"@ 0x1\n", b" t*: 1: 4096 [0: 0]\n"),
        ("threads", HEADER + b"@ 0x1\n", b" t1: 1: 4096 [0: 0]\n"),
        ("samples", PPROF, b"\x12\x05\x08\x01\x10\x80\x20"),
        ("allocations", LOG, b'{"usize":8},'),
    ]:
        end = {"samples": b"", "allocations": b"{}]}"}.get(name, NO_MAP)
        path = repeated(name, start, part, count, end)
        # The file is mapped, and a table has up to 262 144 rows.
        limit = path.stat().st_size // MEGABYTE + 72
        # Without a "t*" line, no sample is left.
        status = 1 if name == "threads" else 0
        out = run(
            "--text",
            "--show_bytes",
            path,
            megabytes=limit,
            seconds=3,
            status=status,
        ).out
        if name in ("samples", "allocations"):
            expect(re.search(rb"^Total: [1-9]", out), f"a report of {name}")
        path.unlink()
        if name == "stacks":
            once = write("once.heap", HEADER + RECORD + NO_MAP)
            line = run("--text", "--show_bytes", once).out
            one, all = (int(text.split()[1]) for text in (line, out))
            expect(abs(all - count * one) < count, f"{count} times {one}")


def bombs() -> None:
    """Small compressed files that inflate to hundreds of megabytes."""
    limit = {"megabytes": 200, "seconds": 3}
    large = "inflates to more than [0-9]+ bytes; if you trust the file"
    path = repeated("bomb.gz", HEADER, RECORD, 9_000_000)
    run("--text", path, status=1, message=large, **limit)
    run("--text", "-", stdin=path.read_bytes(), status=1, message=large, **limit)
    path = repeated("maps.gz", b"", b"1000-2000 r-xp 0 fe:00 1 /x\n", 9_000_000)
    run("--maps", path, "--text", SMALL, status=1, message=large, **limit)
    path = repeated("perf.gz", b"", b"10 10 f\n", 20_000_000)
    run("--perf-map", path, "--text", SMALL, status=1, message=large, **limit)
    run("--symbols", HEAPPROF, stdin=path.read_bytes(), status=1, message=large,
        **limit)  # fmt: skip
    path = repeated("budgets.gz", b"", b"[[rules]]\n", 1_000_000)
    run("check", "--budgets", path, SMALL, status=2, message=large)
    path = repeated("long.heap", HEADER + b"@", b" 0x1", 4_000_000, b"\n" + NO_MAP)
    run("--text", path, status=1, megabytes=64,
        message="at most 1048576 bytes of addresses")  # fmt: skip


def limited_memory() -> None:
    """--memory-limit ends a run with a line, but does not count binaries."""
    path = FOLDER / "perf.map"
    with path.open("w") as file:
        file.writelines(f"{i:x} 8 f{i}\n" for i in range(0, 9_000_000, 8))
    out_of_memory = (
        r"^heapprof: error: out of memory while reading the profile.*, 40 MiB "
        r"is the limit \(--memory-limit\)[^\n]*\n$"
    )
    limit = ("--memory-limit", "40MiB", "--no-cache", "--perf-map", path)
    run(*limit, "--text", SMALL, status=1, megabytes=64, message=out_of_memory)
    run("check", *limit, "--max-total=1GiB", SMALL, status=3, megabytes=64,
        message=out_of_memory)  # fmt: skip
    for size, shown in (("300KiB", "300 KiB"), ("100", "100 B")):
        run(f"--memory-limit={size}", *limit[2:], "--text", SMALL, status=1,
            message=f", {shown} is the limit")  # fmt: skip
    path.unlink()
    binary = elf("large", {".text": (b"\xc3" * 256, 1, 6)})
    os.truncate(binary, 4 << 30)
    run(*limit[:3], "--text", dump_of(binary, "large.heap"), megabytes=64)
    binary.unlink()


def packages() -> None:
    """A .dwp file whose index has 2^32 rows without columns."""
    source = write(
        "split.c", "int f(int x) { return x + 1; } void _start() { f(1); }"
    )
    binary = FOLDER / "split"
    subprocess.run(
        ["gcc", "-g", "-gsplit-dwarf", "-nostdlib", "-static", "-o", binary,
         source], check=True, cwd=FOLDER)  # fmt: skip
    for path in FOLDER.glob("*.dwo"):
        path.unlink()
    symbols = subprocess.check_output(["nm", binary], text=True)
    address = int(re.search("([0-9a-f]+) T f\n", symbols)[1], 16)
    headers = subprocess.check_output(["readelf", "-lW", binary], text=True)
    load = re.search(
        "LOAD +(0x[0-9a-f]+) (0x[0-9a-f]+) .* R E", headers
    ).groups()
    offset, start = (int(text, 16) for text in load)
    dump = dump_of(binary, "split.heap", address - start + 0x400005)
    text = dump.read_text().replace("r-xp 00000000", f"r-xp {offset:08x}")
    dump.write_text(text)
    for rows in (20_000_000, 2**32 - 1):
        index = struct.pack("<4I", 5, 0, rows, 0)
        elf("split.dwp", {".debug_cu_index": (index, 1, 0)})
        run("--no-cache", "--lines", dump,
            message=r"split\.dwp: section \.debug_cu_index is damaged"
        )  # fmt: skip


def sections() -> None:
    """A section of 200 KB that inflates to 200 MB of zeros."""
    header = struct.pack("<IIQQ", 1, 0, 200 * MEGABYTE, 1)
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(bytes(MEGABYTE)) for _ in range(200))
    packed += packer.flush()
    binary = elf("packed", {
        ".text": (b"\xc3" * 256, 1, 6),
        ".debug_info": (header + packed, 1, 0x800),
        ".debug_abbrev": (b"\x01\x11\0\0\0\0", 1, 0),
    })  # fmt: skip
    run("--no-cache", "--force", "--text", dump_of(binary, "packed.heap"),
        message=r"section \.debug_info: .* cannot inflate to")  # fmt: skip


def file_size_limit() -> None:
    """Files may not grow: an error for a report, none for an index."""
    def no_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    functions = "".join(f"int f{i}(void) {{ return {i}; }}" for i in range(99))
    source = write("gauge.c", f"{functions}int main(void) {{ return f1(); }}")
    binary = FOLDER / "gauge"
    subprocess.run(["gcc", "-g", "-no-pie", "-o", binary, source], check=True)
    symbols = subprocess.check_output(["nm", binary], text=True)
    main = int(re.search("([0-9a-f]+) T main\n", symbols)[1], 16)
    dump = dump_of(binary, "gauge.heap", main + 9)
    cache = ("--force", "--cache-dir", FOLDER / "cache")
    no_index = "warning: no index for later runs: .*cache: cannot write: File too large"
    run(*cache, "--text", dump, prepare=no_files, message=no_index)
    run("check", *cache, "--max-total=1GiB", "--allow-empty", "--require-symbols=0",
        dump, prepare=no_files, message=no_index)  # fmt: skip
    report = FOLDER / "report.html"
    run("--no-cache", "-o", report, dump, status=1, prepare=no_files,
        message="report.html: cannot write: File too large")  # fmt: skip
    expect(not report.exists(), "no report")


def sources() -> None:
    """Debug information that names other files as sources."""
    secret = write("secret", "top secret\n" * 3)
    secret.chmod(0o600)
    (FOLDER / "evil.c").symlink_to(secret)
    honest = write("honest.c", "/* shown */\n" * 3)
    names = [
        "/proc/self/environ", "/proc/self/cmdline.c", str(secret),
        f"{FOLDER}/evil.c", str(honest), "/sys/kernel/notes",
    ]  # fmt: skip
    code = "".join(
        f'#line 1 "{name}"\n__attribute__((noinline)) void f{i}(void) '
        '{ __asm__ volatile(""); }\n'
        for i, name in enumerate(names)
    )
    calls = "".join(f"f{i}();" for i in range(len(names)))
    source = write("names.c", f"{code}int main(void) {{ {calls} return 0; }}")
    binary = FOLDER / "names"
    subprocess.run(["gcc", "-g", "-no-pie", "-o", binary, source], check=True)
    symbols = subprocess.check_output(["nm", binary], text=True)
    records = "".join(
        f"@ {int(at, 16) + 5:#x}\n  t*: 1: 4096 [0: 0]\n"
        for at in re.findall(r"([0-9a-f]+) T f\d\n", symbols)
    )
    maps = "400000-405000 r-xp 00000000 fe:00 7"
    dump = write("names.heap", f"heap_v2/1\n  t*: 6: 24576 [0: 0]\n{records}"
                 f"\nMAPPED_LIBRARIES:\n{maps} {binary}\n")  # fmt: skip
    page = FOLDER / "page.html"
    os.environ["PROBE"] = "probe"
    run("--no-cache", "--force", "--html-source", "-o", page, dump,
        message=f"the page contains source code of {honest}\n")  # fmt: skip
    text = page.read_text()
    expect(f"Contains code of</dt><dd>{honest}</dd>" in text, "a list of files")
    listing = run("--no-cache", "--force", "--list=^f", dump,
                  message="not read, because it does not look").out  # fmt: skip
    expect(b"shown" in listing, "the honest source")
    for word in (b"top secret", b"PROBE", b"hostile_inputs"):
        expect(word not in listing, f"no {word} in the listing")
    run("--no-cache", "--force", "--list=^f", "--source-path", FOLDER, dump)
    (FOLDER / "evil.c").unlink()


def names() -> None:
    """Names that could command a terminal, a CI service or a browser."""
    every = [
        "##[error]a", "##vso[task.b]", "c\x1b[2J", "d\0e", "f\uffff\ufffe",
        "g" * 200_000, "h::" * 50_000,
    ]  # fmt: skip
    symbols = "".join(
        f"0x{i * 4096 + 4096:016x} {name}\n" for i, name in enumerate(every)
    )
    def dump(name: str, size: int) -> pathlib.Path:
        records = "".join(
            f"@ {i * 4096 + 4096:#x}\n  t*: 9: {size} [0: 0]\n"
            for i in range(len(every))
        )
        return write(name, f"--- symbol\nbinary=/app\n{symbols}---\n--- heap\n"
                     f"heap_v2/1\n  t*: 9: {size} [0: 0]\n{records}")  # fmt: skip
    before, after = dump("before.raw", 4096), dump("after.raw", 65536)
    for output in ("--text", "--collapsed", "--tree", "--traces", "--overview",
                   "--markdown"):
        out = run(output, after).out
        expect(not re.search(rb"[\0\x1b]|##(\[|vso\[)", out), f"no {output} command")
    picture = run("--svg", after, seconds=20, megabytes=200).out
    xml.etree.ElementTree.fromstring(picture)
    check = ("check", "--max-growth=1%", "--base", before, after)
    documents = {
        form: run(*check, f"--format={form}", status=1).out
        for form in ("text", "json", "junit", "markdown", "github")
    }
    for form, document in documents.items():
        expect(not re.search(rb"##(\[|vso\[)", document), f"no command in {form}")
    found = json.loads(documents["json"])["findings"]
    expect(any(each["entry"]["name"] == every[0] for each in found), "the name")
    xml.etree.ElementTree.fromstring(documents["junit"])
    page = FOLDER / "page.html"
    run("--html", "-o", page, after)
    expect(page.stat().st_size < MEGABYTE, "a page that lays out little")


def inlined(name: str, stack: str) -> pathlib.Path:
    """A dump of one stack. 0x1 is the address of 20 000 inlined calls."""
    calls = "--".join(f"f{i}" for i in range(20_000))
    return write(name, f"--- symbol\nbinary=/app\n0x1 {calls}\n---\n--- heap\n"
                 "heap profile: 1: 4096 [1: 4096] @ heap_v2/524288\n"
                 f"1: 4096 [1: 4096] @ {stack}\n")  # fmt: skip


def inlined_calls() -> None:
    """The memory of a long stack does not grow with the inlined calls of one of
    its locations."""
    dump = inlined("inlined", " ".join(["0x1"] + ["0x9"] * 60_000))
    for report in "collapsed", "flamegraph", "traces", "speedscope":
        run(f"--{report}", dump, megabytes=64)


def repeated_calls() -> None:
    """Nor with the calls of a location that is repeated. The address of a caller
    is one more than that of its symbols."""
    dump = inlined("repeated", " ".join(["0x2"] * 60_000))
    for report in "text", "tree", "overview", "markdown":
        run(f"--{report}", dump, megabytes=128, seconds=3,
            message="inlined calls left out: 1 address has more")  # fmt: skip


def many_stacks() -> None:
    """The time of a check grows with the stacks, not with their square."""
    def dump(name: str, count: int) -> pathlib.Path:
        records = "".join(
            f"@ {i % 997 + 16:#x} {i // 997 + 2048:#x} 0x9999\n"
            f"  t*: 1: {4096 + count * i % 777} [0: 0]\n" for i in range(40_000)
        )
        return write(name, f"heap_v2/524288\n  t*: 1: 1 [0: 0]\n{records}\n"
                     f"MAPPED_LIBRARIES:\n1-10000 r-xp 0 fe:00 1 /app\n")
    run("check", "--no-cache", "--by=stack", "--max-growth=10%", "--require-symbols=0",
        "--base", dump("a.heap", 3), dump("b.heap", 5), megabytes=160,
        seconds=5)  # fmt: skip
    keys = ".x" * 400_000
    run("check", "--budgets", write("deep.toml", f"x{keys} = 1\n"), SMALL, status=2,
        message="deep.toml:1: .*expected keys with at most 16 dots")  # fmt: skip


def many_modules() -> None:
    """Nor with the square of the number of binaries."""
    count = 60_000
    pages = range(0x400, 0x400 + count)
    dump = write("modules.heap", HEADER
        + "".join(f"@ 0x{page:x}010\n  t*: 1: 4096 [0: 0]\n" for page in pages).encode()
        + NO_MAP
        + "".join(f"{page:x}000-{page + 1:x}000 r-xp 0 fe:00 7 /no/lib{page}.so\n"
                  for page in pages).encode())  # fmt: skip
    run("check", "--no-cache", "--max-growth=1%", "--require-symbols=0", "--base", dump,
        dump, megabytes=200, seconds=4)  # fmt: skip


def equal_hashes() -> None:
    """Addresses whose products with the golden ratio, by which hash tables like
    to multiply, are small: they had one slot, and took a minute."""
    factor = pow(0x9E3779B97F4A7C15, -1, 1 << 64)
    addresses = [f"{i * factor % (1 << 64):#x}" for i in range(1, 200_000)]
    stacks = (" ".join(addresses[i : i + 40]) for i in range(0, 200_000, 40))
    run("--text", write("slots.heap", HEADER + "".join(
        f"@ {stack}\n  t*: 1: 4096 [0: 0]\n" for stack in stacks
    ).encode() + NO_MAP), megabytes=160, seconds=3)  # fmt: skip
    # Those whose lower bits are equal, and threads whose numbers are multiples
    # of the sizes of the standard library's tables.
    run("--text", write("slots.heap", HEADER + "".join(
        f"@ {i << 44:#x} 0x1\n  t*: 1: 4096 [0: 0]\n" for i in range(1, 200_000)
    ).encode() + NO_MAP), megabytes=200, seconds=3)  # fmt: skip
    run("--text", write("uids.heap", HEADER + b"@ 0x1 0x2\n  t*: 1: 4096 [0: 0]\n"
        + "".join(f"  t{i * 85_229 * 172_933}: 1: 4096 [0: 0]\n"
                  for i in range(160_000)).encode()
        + NO_MAP), megabytes=160, seconds=3)  # fmt: skip


for test in (
    repeated_records, bombs, limited_memory, packages, sections,
    file_size_limit, sources, names, inlined_calls, repeated_calls,
    many_stacks, many_modules, equal_hashes,
):  # fmt: skip
    print(f"--- {test.__name__}")
    test()
