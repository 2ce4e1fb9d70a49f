/** Sorted keys: keeps the keys of items in order, for the embedded DynamoDB in memory. */
/** A range of keys. Without a bound the range is open at that end; `gt` and `lt` go before `gte` and `lte`. */
export interface KeyRange {
  readonly gt?: string | undefined;
  readonly gte?: string | undefined;
  readonly lt?: string | undefined;
  readonly lte?: string | undefined;
  readonly reverse?: boolean;
}

/** Keys of a full chunk. An insertion moves half of them on average. */
const CHUNK = 512;

/** A position between two keys. */
interface Position {
  readonly chunk: number;
  readonly index: number;
}

/** A sorted set of texts: a list of sorted chunks, like the leaves of a B-tree. */
export class SortedKeys {
  readonly #chunks: string[][] = [[]];

  /** Adds a key that is not in the set. */
  add(key: string): void {
    const number = this.#chunkOf(key);
    const chunk = this.#at(number);
    chunk.splice(indexIn(chunk, key, false), 0, key);
    if (chunk.length > CHUNK) this.#chunks.splice(number + 1, 0, chunk.splice(CHUNK / 2));
  }

  /** Removes a key that is in the set. */
  delete(key: string): void {
    const number = this.#chunkOf(key);
    const chunk = this.#at(number);
    chunk.splice(indexIn(chunk, key, false), 1);
    if (chunk.length === 0 && this.#chunks.length > 1) this.#chunks.splice(number, 1);
  }

  /** The first keys of a range, at most `size`; the last ones, backwards, with `reverse`. */
  take(range: KeyRange, size: number): string[] {
    const { gt, gte = '', lt, lte } = range;
    const first = this.#position(gt ?? gte, gt !== undefined);
    const end = lt ?? lte;
    const last =
      end === undefined
        ? { chunk: this.#chunks.length - 1, index: this.#at(this.#chunks.length - 1).length }
        : this.#position(end, lt === undefined);
    return range.reverse ? this.#backwards(first, last, size) : this.#forwards(first, last, size);
  }

  #forwards(first: Position, last: Position, size: number): string[] {
    const keys: string[] = [];
    let { index } = first;
    for (let number = first.chunk; number <= last.chunk && keys.length < size; number += 1, index = 0) {
      const end = number === last.chunk ? last.index : undefined;
      for (const key of this.#at(number).slice(index, end)) {
        if (keys.length === size) break;
        keys.push(key);
      }
    }
    return keys;
  }

  #backwards(first: Position, last: Position, size: number): string[] {
    const keys: string[] = [];
    for (let number = last.chunk; number >= first.chunk && keys.length < size; number -= 1) {
      const chunk = this.#at(number);
      const start = number === first.chunk ? first.index : 0;
      const end = number === last.chunk ? last.index : chunk.length;
      const wanted = Math.min(size - keys.length, end - start);
      for (const key of chunk.slice(Math.max(start, end - wanted), Math.max(start, end)).reverse())
        keys.push(key);
    }
    return keys;
  }

  /** The position before a key, or after it with `isAfter`. */
  #position(key: string, isAfter: boolean): Position {
    const chunk = this.#chunkOf(key);
    return { chunk, index: indexIn(this.#at(chunk), key, isAfter) };
  }

  /** The number of the only chunk that may have a key. */
  #chunkOf(key: string): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#at(middle)[0] ?? '') <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #at(number: number): string[] {
    return this.#chunks[number] ?? [];
  }
}

/** The number of keys of a chunk before a key, and with `isAfter` also the key itself. */
const indexIn = (chunk: readonly string[], key: string, isAfter: boolean): number => {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = chunk[middle] ?? '';
    if (found < key || (isAfter && found === key)) low = middle + 1;
    else high = middle;
  }
  return low;
};
