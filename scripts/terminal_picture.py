#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what a command shows on a terminal, as an SVG picture.

usage: terminal_picture.py COLUMNSxROWS COMMAND [ARGUMENT...] > PICTURE.svg

Runs the command on a pseudo-terminal of that size. The picture has the
reader's colours, dark or light. Prints what went wrong and exits with 1 if
the command fails.
"""

import fcntl
import html
import os
import pty
import re
import struct
import subprocess
import sys
import termios

WIDTH, HEIGHT, PADDING = 8.4, 19, 14
PROMPT = "$ "
SEQUENCE = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])")
# SGR parameters (ECMA-48) and the classes of STYLE that show them.
CLASSES = {"1": "bold", "2": "faint"} | {
    str(30 + number): f"color{number}" for number in range(1, 8)
}
STYLE = """
  text { font: 14px ui-monospace, Menlo, Consolas, monospace; fill: #1f2328 }
  rect { fill: #f6f8fa; stroke: #d1d9e0 }
  .bold { font-weight: bold } .faint { opacity: 0.6 }
  .color1 { fill: #cf222e } .color2 { fill: #116329 } .color3 { fill: #7d4e00 }
  .color4 { fill: #0550ae } .color5 { fill: #8250df } .color6 { fill: #1b7c83 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } rect { fill: #0d1117; stroke: #30363d }
    .color1 { fill: #ff7b72 } .color2 { fill: #7ee787 }
    .color3 { fill: #e3b341 } .color4 { fill: #79c0ff }
    .color5 { fill: #d2a8ff } .color6 { fill: #76e3ea }
  }
"""


def shown(columns: int, rows: int, command: list[str]) -> str:
    """All that `command` writes to a terminal of that size."""
    ours, theirs = pty.openpty()
    size = struct.pack("HHHH", rows, columns, 0, 0)
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, size)
    environment = os.environ | {"TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    os.close(theirs)
    output = b""
    try:
        while part := os.read(ours, 65536):
            output += part
    except OSError:
        pass  # the other side is closed
    if process.wait() != 0:
        sys.exit(f"terminal_picture.py: {command[0]}: {process.returncode}")
    return output.decode().replace("\r\n", "\n")


def tspan(text: str, classes: list[str]) -> str:
    escaped = html.escape(text, quote=False)
    if not classes:
        return escaped
    return f'<tspan class="{" ".join(classes)}">{escaped}</tspan>'


def draw(lines: list[str], columns: int) -> str:
    width = columns * WIDTH + 2 * PADDING
    height = len(lines) * HEIGHT + 2 * PADDING
    picture = [
        f'<svg xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}">',
        f"<style>{STYLE}</style>",
        '<rect width="100%" height="100%" rx="6"/>',
    ]
    classes: list[str] = []
    for number, line in enumerate(lines):
        row, end = "", 0
        for match in SEQUENCE.finditer(line):
            row += tspan(line[end : match.start()], classes)
            end = match.end()
            if match[2] != "m":
                continue
            for parameter in match[1].split(";"):
                if parameter in ("", "0"):
                    classes = []
                elif parameter in CLASSES:
                    classes = classes + [CLASSES[parameter]]
        row += tspan(line[end:], classes)
        y = PADDING + (number + 0.75) * HEIGHT
        picture.append(
            f'<text x="{PADDING}" y="{y:.1f}" xml:space="preserve">{row}</text>'
        )
    return "\n".join(picture + ["</svg>", ""])


def main(arguments: list[str]) -> int:
    size = re.fullmatch(r"(\d+)x(\d+)", arguments[0]) if arguments else None
    if size is None or len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    columns, rows = int(size[1]), int(size[2])
    command = arguments[1:]
    prompt = " ".join([os.path.basename(command[0]), *command[1:]])
    text = shown(columns, rows, command)
    lines = [PROMPT + prompt, *text.rstrip("\n").split("\n")]
    print(draw(lines, columns), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
