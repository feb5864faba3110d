# SPDX-License-Identifier: Apache-2.0
"""Types command lines in real shells, and looks what the Tab key makes of them.

usage: completions.py bash|zsh|fish FOLDER

FOLDER has the script of the shell, as `cmake --install` puts it somewhere. In
bash and zsh, a key inserts all completions, and a function `heapprof` writes
its arguments to a file; fish prints the completions itself.
"""

import contextlib
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

FILES = ["web.1.0.f.heap", "old.pb.gz", "notes.txt", "logs/x.heap"]
COMMANDS = set(
    "record dump doctor check trend info cache index completion help".split()
)

# Command lines, of which the last word is completed, and what is offered: words
# that must be there, and words that must not.
CASES = [
    ("rec", {"record"}, COMMANDS - {"record"}),
    ("", COMMANDS | {"web.1.0.f.heap", "old.pb.gz", "logs"}, {"notes.txt"}),
    ("w", {"web.1.0.f.heap"}, {"old.pb.gz"}),
    ("--color ", {"auto", "always", "never"}, {"web.1.0.f.heap"}),
    ("--palette m", {"mem", "module"}, {"own"}),
    ("--base o", {"old.pb.gz"}, {"notes.txt"}),
    ("--budgets n", {"notes.txt"}, set()),
    ("--sysroot l", {"logs"}, {"notes.txt"}),
    ("--no-c", {"--no-cache"}, {"--cache"}),
    ("--max-g", set(), {"--max-growth"}),
    ("check --max-g", {"--max-growth"}, set()),
    ("check --col", {"--color"}, {"--collapsed"}),
    ("check --noise s", {"strict"}, {"ci"}),
    ("check --by f", {"function", "file"}, {"own", "rss"}),
    ("trend --by ", {"own", "rss"}, {"web.1.0.f.heap"}),
    ("trend --fail-on ", set(), {"never"}),
    ("trend --per ", {"hour", "dump", "gib"}, {"web.1.0.f.heap"}),
    ("info o", {"old.pb.gz"}, {"notes.txt"}),
    ("cache ", {"list", "prune", "clear"}, {"web.1.0.f.heap"}),
    ("help tren", {"trend"}, {"recording"}),
    ("help inp", {"inputs"}, set()),
    ("completion ", {"bash", "zsh", "fish"}, set()),
    ("record --every 5s seq", {"seq"}, {"sequences"}),
    ("record cat n", {"notes.txt"}, {"nl"}),
    (f"dump {os.getpid()}", {str(os.getpid())}, set()),
]
# fish offers other files after the dumps, and a command of several letters.
ALLOWED_IN_FISH = {"notes.txt", "nl"}


class Terminal:
    """A shell on a terminal of its own."""

    def __init__(self, command: list[str], folder: pathlib.Path):
        self.folder = folder
        environment = {
            "PATH": "/usr/bin:/bin", "HOME": str(folder), "TERM": "dumb",
            "ZDOTDIR": str(folder), "LC_ALL": "C.UTF-8",
        }
        process, self.screen = pty.fork()
        if process == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        self.process = process

    def type(self, keys: str):
        os.write(self.screen, keys.encode())

    def wait_for(self, path: pathlib.Path) -> str:
        """Waits until the shell has written the file."""
        end = time.monotonic() + 20
        shown = b""
        while time.monotonic() < end:
            if select.select([self.screen], [], [], 0.01)[0]:
                shown += os.read(self.screen, 65536)
            if path.exists():
                return path.read_text(encoding="utf-8")
        sys.exit(f"{path.name}: the shell did not write it; it shows:\n"
                 + shown.decode(errors="replace"))

    def end(self):
        """Waits until the shell has written the last of its files."""
        self.type("exit\n")
        with contextlib.suppress(OSError):  # what reading ends with
            while os.read(self.screen, 65536):
                pass
        os.waitpid(self.process, 0)


# Ctrl-X * inserts all completions.
BASH_SETUP = r"""
PS1='$ '
bind 'set enable-bracketed-paste off'
bind '"\C-x*": insert-completions'
source {script}
heapprof() {{ printf '%s\n' "$@" >"$out.part"; mv "$out.part" "$out"; }}
"""
ZSH_SETUP = r"""
PS1='$ '
unsetopt zle_bracketed_paste 2>/dev/null
autoload -Uz compinit && compinit -u -D
zle -C all-matches complete-word _generic
bindkey '^X*' all-matches
zstyle ':completion:all-matches::::' completer _all_matches _complete
zstyle ':completion:all-matches:*' insert yes
source {script}
heapprof() {{ print -rl -- "$@" >"$out.part"; mv "$out.part" "$out" }}
"""


def offered_on_terminal(shell: str, script: pathlib.Path,
                        folder: pathlib.Path) -> list[set[str]]:
    """Returns the words that each case ends with."""
    setup = {"bash": BASH_SETUP, "zsh": ZSH_SETUP}[shell].format(script=script)
    rc = folder / f".{shell}rc"
    rc.write_text(setup + ": >ready\n", encoding="utf-8")
    command = ["bash", "--rcfile", str(rc), "-i"] if shell == "bash" else \
        ["zsh", "-i", "+o", "globalrcs"]
    terminal = Terminal(command, folder)
    terminal.wait_for(folder / "ready")
    offers = []
    for number, (line, _, _) in enumerate(CASES):
        out = folder / f"out.{number}"
        terminal.type(f" out={out}\n")
        terminal.type(f"heapprof {line}\x18*")
        time.sleep(0.02)
        terminal.type("\n")
        words = terminal.wait_for(out).split("\n")
        before = len(line.split(" ")) - 1
        offers.append({word.rstrip("/") for word in words[before:]})
    terminal.end()
    return offers


def offered_by_fish(script: pathlib.Path,
                    folder: pathlib.Path) -> list[set[str]]:
    offers = []
    for line, _, _ in CASES:
        shown = subprocess.run(
            ["fish", "-c", f"source {script}; complete -C 'heapprof {line}'"],
            check=True, capture_output=True, text=True, cwd=folder,
            env={"PATH": "/usr/bin:/bin", "HOME": str(folder)}).stdout
        offers.append({re.split("\t", offer)[0].rstrip("/")
                       for offer in shown.splitlines()})
    return offers


def main():
    shell, installed = sys.argv[1:]
    if shutil.which(shell) is None:
        print(f"{shell} is not installed")
        sys.exit(77)
    scripts = {"bash": "heapprof", "zsh": "_heapprof", "fish": "heapprof.fish"}
    script = pathlib.Path(installed).resolve() / shell / scripts[shell]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file in FILES:
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).touch()
        offers = offered_by_fish(script, folder) if shell == "fish" else \
            offered_on_terminal(shell, script, folder)
    failures = 0
    for (line, expected, forbidden), offer in zip(CASES, offers, strict=True):
        if shell == "fish":
            forbidden = forbidden - ALLOWED_IN_FISH
        if expected <= offer and not forbidden & offer:
            continue
        failures += 1
        print(f"{shell}: heapprof {line}<Tab>\n"
              f"  expected: {sorted(expected)}, not {sorted(forbidden)}\n"
              f"  found:    {sorted(offer)[:40]}")
    sys.exit(1 if failures else 0)


main()
