// SPDX-License-Identifier: Apache-2.0
//
// Writes profiles in pprof's format, for functions that no test program has.

/** @param {number} number */
function varint(number) {
  const bytes = [];
  for (; number >= 128; number = Math.floor(number / 128))
    bytes.push(number % 128 + 128);
  return [...bytes, number];
}

/** A number, or the bytes of a text or a message. */
function field(number, value) {
  if (typeof value === "number") return [...varint(8 * number), ...varint(value)];
  const bytes = typeof value === "string" ? [...Buffer.from(value)] : value;
  return [...varint(8 * number + 2), ...varint(bytes.length), ...bytes];
}

const message = (...fields) =>
  fields.flatMap(([number, value]) => field(number, value));

/** Gives each different key a number, from `first` on. */
class Numbers {
  #known = new Map();
  #first;

  constructor(first) {
    this.#first = first;
  }

  of(key) {
    if (!this.#known.has(key))
      this.#known.set(key, this.#first + this.#known.size);
    return this.#known.get(key);
  }

  get keys() {
    return [...this.#known.keys()];
  }
}

/**
 * The live bytes of stacks. A frame is "FUNCTION FILE MODULE".
 * @param {[string[], number][]} stacks  from the root on
 */
export function pprofFile(stacks) {
  const strings = new Numbers(0), modules = new Numbers(1);
  const functions = new Numbers(1), locations = new Numbers(1);
  strings.of("");
  const samples = stacks.map(([frames, bytes]) => message(
      ...frames.toReversed().map((frame) => [1, locations.of(frame)]),
      [2, bytes]));
  const places = locations.keys.map((frame, i) => {
    const [name, file, module] = frame.split(" ");
    return message([1, i + 1], [2, modules.of(module)], [3, 4096 * (i + 1)],
                   [4, message([1, functions.of(`${name} ${file}`)])]);
  });
  const code = functions.keys.map((key, i) => {
    const [name, file] = key.split(" ");
    return message([1, i + 1], [2, strings.of(name)], [4, strings.of(file)]);
  });
  const mappings = modules.keys.map((module, i) =>
    message([1, i + 1], [5, strings.of(module)], [7, 1], [8, 1], [9, 1]));
  const type = message([1, strings.of("inuse_space")], [2, strings.of("bytes")]);
  return Uint8Array.from(message(
      [1, type], ...samples.map((sample) => [2, sample]),
      ...mappings.map((mapping) => [3, mapping]),
      ...places.map((place) => [4, place]),
      ...code.map((each) => [5, each]),
      ...strings.keys.map((text) => [6, text])));
}
