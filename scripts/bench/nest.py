# SPDX-License-Identifier: Apache-2.0
"""Holds many small objects from many stacks, then writes a heap dump.

usage: nest.py DUMP     (under jemalloc with prof:true)

The compiler of Python is recursive: each expression is another stack.
"""

import ast
import ctypes
import json
import os
import random
import sys

random.seed(1)


def expression(depth):
    if depth == 0:
        return str(random.randrange(1000))
    forms = ["({}+{})", "f({},[{}])", "{{{}:{}}}", "(lambda x:({},{}))",
             "[{} for y in z if {}]", "({} if {} else 1)"]
    return random.choice(forms).format(expression(depth - 1),
                                       expression(depth - 1))


def nested(depth):
    if depth == 0:
        return {"a": random.random(), "b": "x" * random.randrange(40)}
    return [nested(depth - 1) for _ in range(random.randrange(1, 4))]


held = []
for _ in range(40):
    text = expression(9)
    held.append(compile(text, "text", "eval"))
    held.append(ast.parse(text))
for _ in range(20):
    held.append(json.loads(json.dumps(nested(9))))

path = ctypes.c_char_p(sys.argv[1].encode())
status = ctypes.CDLL(None).mallctl(b"prof.dump", None, None,
                                   ctypes.byref(path), ctypes.c_size_t(8))
os._exit(status)
