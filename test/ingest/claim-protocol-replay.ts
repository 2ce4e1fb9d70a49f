import type { Ordinals } from '../../shared/ingest/ordinals.ts';
import type { Key } from '../../shared/table/keys.ts';
import type { StoredItem, Table, Write, WriteOutcome } from '../../shared/table/table.ts';
import {
  attributesOf,
  BEYOND,
  cellOf,
  CLAIMS,
  itemOf,
  keyOf,
  namedBy,
  naming,
  type Item,
} from './claim-protocol-items.ts';
import type { Program } from './claim-protocol-programs.ts';

/**
 * One write of a request. The condition of an update: the cell is as the program read it last, or as it was before
 * that.
 */
export interface CellWrite {
  readonly cell: number;
  readonly kind: 'insert' | 'update' | 'outdated update';
  readonly set: Item;
}

/** The next request of a program to the table; the program numbers the ordinals that it knows in their order. */
export type Request =
  | { readonly kind: 'read'; readonly cells: readonly number[] }
  | { readonly kind: 'write'; readonly writes: readonly CellWrite[] }
  | { readonly kind: 'take'; readonly count: number }
  /** The program has ended; `rest` is its next work from the start, if there is any. */
  | { readonly kind: 'end'; readonly rest: Program | undefined };

/** An answered request: the items read, 1 or 0 for every write, or the ordinals taken. */
export interface Answered {
  readonly kind: 'read' | 'write' | 'take';
  readonly values: readonly number[];
  /** Items that were written since an earlier read of the same item, as bits by position. */
  readonly changed: number;
}

/** The last ordinal of a program that sees the order of ordinals reversed. */
const LAST = BEYOND / 2;

/**
 * Runs the real code of a program from its start with the known answers, up to the first request without an answer. A
 * program keeps nothing in memory between its steps, so each of its states can be continued in every way.
 */
export const replay = async (
  program: Program,
  own: number,
  history: readonly Answered[],
): Promise<Request> => {
  const told = new Replay(program, own, history);
  const surroundings = { table: told, ordinals: told, pause: () => told.pause(), own: told.seen(own) };
  const end = program
    .run(surroundings)
    .then((rest): Request => ({ kind: 'end', rest: told.paused ? rest : undefined }));
  return Promise.race([told.asked, end]);
};

class Replay implements Table, Ordinals {
  readonly asked: Promise<Request>;
  paused = false;
  readonly #program: Program;
  readonly #own: number;
  readonly #history: readonly Answered[];
  #ask: (request: Request) => void = () => undefined;
  #at = 0;
  #taken = 0;
  /** The number of changes of each cell between readings: its nonce. */
  readonly #nonces = new Map<number, number>();
  #lastWritten = -1;

  constructor(program: Program, own: number, history: readonly Answered[]) {
    this.#program = program;
    this.#own = own;
    this.#history = history;
    this.asked = new Promise((resolve) => {
      this.#ask = resolve;
    });
  }

  async get(key: Key): Promise<StoredItem | undefined> {
    const [item] = await this.getMany([key]);
    return item;
  }

  async getMany(keys: readonly Key[]): Promise<readonly (StoredItem | undefined)[]> {
    const cells = keys.map((key) => this.#mirrored(cellOf(key)));
    const values = await this.#answer({ kind: 'read', cells }, cells.length);
    const changed = this.#history[this.#at - 1]?.changed ?? 0;
    return cells.map((cell, at) => this.#itemAs(cell, values[at] ?? 0, (changed & (1 << at)) !== 0));
  }

  async write(write: Write): Promise<WriteOutcome> {
    const [outcome] = await this.writeMany([write]);
    return outcome ?? 'refused';
  }

  async writeMany(writes: readonly Write[]): Promise<readonly WriteOutcome[]> {
    const steps = writes.map((write) => this.#writeOf(write));
    const values = await this.#answer({ kind: 'write', writes: steps }, steps.length);
    this.#lastWritten = steps.at(-1)?.cell ?? -1;
    return values.map((value) => (value === 1 ? 'applied' : 'refused'));
  }

  async take(_property: number, count: number): Promise<readonly number[]> {
    const values = await this.#answer({ kind: 'take', count }, count);
    return values.map((ordinal) => this.seen(ordinal));
  }

  /**
   * At a pause a writer forgets everything except the remaining records. The replay learns these records by
   * continuing with an empty table and with ordinals beyond all others.
   */
  pause(): Promise<void> {
    if (this.#program.pausesWithin) {
      if (this.#lastWritten < CLAIMS) return Promise.resolve();
      this.#ask({ kind: 'end', rest: this.#program });
      return new Promise(() => undefined);
    }
    this.paused = true;
    return Promise.resolve();
  }

  query = unused;
  transact = unused;
  put = unused;
  increment = unused;

  /** Converts an ordinal between the table and the program's view. */
  seen(ordinal: number): number {
    if (this.#program.sight.turned !== true || ordinal < 0 || ordinal >= BEYOND) return ordinal;
    return LAST - ordinal;
  }

  async #answer(request: Request, count: number): Promise<readonly number[]> {
    if (count === 0) return [];
    if (this.paused) return this.#beyond(request, count);
    const answered = this.#history[this.#at];
    this.#at += 1;
    if (answered) return answered.values;
    this.#ask(request);
    return new Promise(() => undefined);
  }

  #beyond({ kind }: Request, count: number): readonly number[] {
    return Array.from({ length: count }, () => {
      if (kind === 'take') return BEYOND + this.#taken++;
      return kind === 'write' ? 1 : 0;
    });
  }

  /** Converts a cell between the table and the program's view. */
  #mirrored(cell: number): number {
    return cell < CLAIMS ? cell : CLAIMS + this.seen(cell - CLAIMS);
  }

  #itemAs(cell: number, item: Item, isChanged: boolean): StoredItem | undefined {
    const nonce = (this.#nonces.get(cell) ?? 0) + (isChanged ? 1 : 0);
    this.#nonces.set(cell, nonce);
    if (item === 0) return undefined;
    const known = namedBy(item);
    const named = this.#program.sight.allOwn === true && cell < CLAIMS && known >= 0 ? this.#own : known;
    return { ...attributesOf(naming(item, this.seen(named))), ...keyOf(this.#mirrored(cell)), w: `${nonce}` };
  }

  #writeOf(write: Write): CellWrite {
    const cell = this.#mirrored(cellOf(write.key));
    if (write.kind === 'delete') throw new Error('the protocol deletes nothing');
    const set = itemOf(write.set);
    return { cell, kind: this.#kindOf(write, cell), set: naming(set, this.seen(namedBy(set))) };
  }

  #kindOf(write: Exclude<Write, { kind: 'delete' }>, cell: number): CellWrite['kind'] {
    if (write.kind === 'insert') return 'insert';
    const { w, ...others } = write.expect;
    const nonce = this.#nonces.get(cell);
    if (nonce === undefined || Object.keys(others).length > 0)
      throw new Error('the model knows conditions on nonces only');
    return w === `${nonce}` ? 'update' : 'outdated update';
  }
}

const unused = (): never => {
  throw new Error('the protocol does not do this');
};
