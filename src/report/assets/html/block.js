// SPDX-License-Identifier: Apache-2.0
//
// Reads the data block of the page. Its bytes are a length (four bytes,
// little-endian), a header of this length in JSON, and the columns that the
// header lists. A column is a run of LEB128 numbers.
import {unpack} from "../shared/unpack.js";
/** @import {Level} from "./gamma_quantiles.js" */

/**
 * @typedef {object} Metric
 * @property {string} name  "inuse_space"
 * @property {string} title  "live bytes"
 * @property {boolean} is_bytes  else objects
 * @property {string} state  "live" or "allocated since the start"
 * @property {boolean} has_errors  its values have error bars
 * @property {ErrorsOfSums|null} errors  null: the page cannot compute the errors
 *     of sums
 * @property {number} judge  index of the metric whose errors say whether values
 *     have changed; object counts have no errors of their own
 */

/**
 * How runs vary: see include/heapprof/stats/run_variation.h.
 * @typedef {object} Variation
 * @property {number} sampling
 * @property {[number, number]} relative  by side, divided by the number of runs
 * @property {number} widening  factor of the variance, for few runs
 * @property {number} [widening_of_changes]  the same, where changes are judged
 */

/**
 * See ErrorModel in include/heapprof/view/error_bars.h.
 * @typedef {object} ErrorsOfSums
 * @property {[number|null, number|null]} missed  bytes, now and in the base
 * @property {Variation} of_entries
 * @property {Variation} of_total
 * @property {Level} [changes]  at which changes are judged; in a comparison
 */

/**
 * @typedef {object} Source
 * @property {number} label  its index + 1
 * @property {number} file  its index + 1
 * @property {number} first_line
 * @property {string[]} lines
 */

/**
 * @typedef {object} Thread
 * @property {number} uid
 * @property {string} name
 * @property {string} top  the function that is charged with most of the metric
 *     that is shown first
 * @property {([number, number]|null)[]} intervals  of its total, by metric
 */

/**
 * A thread in a comparison.
 * @typedef {object} ThreadChange
 * @property {number} uid
 * @property {string} name
 * @property {string} top  the function that is charged with most
 * @property {[number, number, [number, number]|null, boolean][]} values  by
 *     metric: before, after, the interval of the change, and whether it is more
 *     than chance
 */

/**
 * @typedef {object} Dump
 * @property {string} name
 * @property {number} time  in seconds since 1970; 0 if unknown
 * @property {number|null} missed  as in ErrorsOfSums; null: it has no errors
 */

/**
 * See HtmlSeeds in include/heapprof/report/html_data.h.
 * @typedef {object} Seeds
 * @property {0|1} side  of the new dumps, of the base
 * @property {number} sharing  how many threads may have one seed
 * @property {boolean} in_all  whether the whole profile has this run
 * @property {number|null} dump  which dump the run is
 * @property {"thread"|"seeds"} slices @property {number} first  slice
 * @property {number} count  of slices
 */

/** @typedef {"functions"|"lines"|"files"|"modules"|"groups"} TableName */

/**
 * @typedef {object} Header
 * @property {boolean} is_comparison
 * @property {Metric[]} metrics
 * @property {number} metric  the one that is shown first
 * @property {string[]} modules
 * @property {string[]} files
 * @property {Thread[]} threads
 * @property {ThreadChange[]} [thread_changes]  only in comparisons
 * @property {Dump[]} dumps
 * @property {Seeds[]} seeds
 * @property {Record<string, Record<number, string>>} names  by table and row,
 *     where the columns do not say it
 * @property {Source[]} sources
 * @property {[string, "u"|"s"|"t", number, number][]} columns  name, kind, number
 *     of values, bytes
 */

export class Block {
  /** @type {Uint8Array} */
  #bytes;
  /**
   * @type {Map<string, {at: number, end: number, isSigned: boolean,
   *                     count: number}>}
   */
  #places = new Map();

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    const LENGTH_BYTES = 4;
    const end = bytes.length - LENGTH_BYTES;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const start = end - view.getUint32(end, true);
    const text = new TextDecoder().decode(bytes.subarray(start, end));
    /** @type {Header} */
    this.header = JSON.parse(text);
    this.#bytes = bytes;
    let at = 0;
    for (const [name, kind, count, size] of this.header.columns) {
      const end = at + size;
      this.#places.set(name, {at, end, isSigned: kind === "s", count});
      at = end;
    }
    if (at !== start)
      throw new Error(`the columns have ${start} bytes, not ${at}`);
  }

  /**
   * Decodes a column. One that is not there is empty.
   * @param {string} name
   */
  column(name) {
    const place = this.#places.get(name);
    if (!place) return new Float64Array();
    const values = new Float64Array(place.count);
    this.#decode(place, values);
    return place.isSigned ? values.map(unzigzag) : values;
  }

  /**
   * Decodes a column of numbers below 2^32.
   * @param {string} name
   */
  indexes(name) {
    const place = this.#places.get(name);
    const values = new Uint32Array(place?.count ?? 0);
    if (place) this.#decode(place, values);
    return values;
  }

  /**
   * Decodes a column of texts.
   * @param {string} name
   */
  texts(name) {
    const place = this.#places.get(name);
    if (!place) return [];
    const bytes = this.#bytes.subarray(place.at, place.end);
    const texts = new TextDecoder().decode(bytes).split("\n");
    if (texts.pop() !== "" || texts.length !== place.count)
      throw new Error("a column of the data block is damaged");
    return texts;
  }

  /**
   * Decodes a column of differences: the first value is itself one.
   * @param {string} name
   */
  increasing(name) {
    const values = this.indexes(name);
    for (let i = 1; i < values.length; ++i) values[i] += values[i - 1];
    return values;
  }

  // Values reach 2^53, so that bits cannot be shifted into place.
  /**
   * @param {{at: number, end: number}} place
   * @param {Float64Array|Uint32Array} values
   */
  #decode({at, end}, values) {
    const bytes = this.#bytes;
    for (let i = 0; i < values.length; ++i) {
      let byte = bytes[at++];
      let value = byte & 127;
      for (let factor = 128; byte >= 128; factor *= 128) {
        byte = bytes[at++];
        value += (byte & 127) * factor;
      }
      values[i] = value;
    }
    if (at !== end) throw new Error("a column of the data block is damaged");
  }
}

/** @param {number} value */
function unzigzag(value) {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

/**
 * @param {Element} packed  as unpack() reads it
 * @returns {Promise<Block>}
 */
export async function loadBlock(packed) {
  return new Block(new Uint8Array(await unpack(packed).arrayBuffer()));
}
