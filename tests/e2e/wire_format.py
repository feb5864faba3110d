# SPDX-License-Identifier: Apache-2.0
"""Reads and writes protobuf messages, without protobuf."""

from collections.abc import Iterator

VARINT, BYTES = 0, 2  # wire types

Value = int | bytes


class Malformed(Exception):
    """The bytes are not a protobuf message."""


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """The number at a position, and the position after it."""
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise Malformed(f"byte {at}: a number does not end")
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def fields(data: bytes) -> Iterator[tuple[int, Value]]:
    """The fields of a message, by number."""
    at = 0
    while at < len(data):
        tag, at = read_varint(data, at)
        kind = tag & 7
        if kind == VARINT:
            value, at = read_varint(data, at)
        elif kind == BYTES:
            size, at = read_varint(data, at)
            value, at = data[at : at + size], at + size
            if at > len(data):
                raise Malformed(f"byte {at}: field {tag >> 3} is cut off")
        else:
            raise Malformed(f"byte {at}: wire type {kind}")
        yield tag >> 3, value


def varint(value: int) -> bytes:
    out = bytearray()
    value &= 2**64 - 1
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def field(number: int, value: Value) -> bytes:
    if isinstance(value, bytes):
        return varint(number << 3 | BYTES) + varint(len(value)) + value
    return varint(number << 3) + varint(value)
