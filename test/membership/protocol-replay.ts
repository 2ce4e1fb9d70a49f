import { keys, type Key } from '../../shared/table/keys.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import type {
  Attributes,
  QueryPage,
  Range,
  StoredItem,
  Table,
  Write,
  WriteOutcome,
} from '../../shared/table/table.ts';
import { scope } from '../profiles/harness.ts';
import { cellOf, isMoving, itemOf, storedAs, textOf, type Item } from './protocol-cells.ts';
import type { Program } from './protocol-programs.ts';

/**
 * One write. Its condition: the cell is as the program read it last, is as it was before that, is not marked as done, or
 * nothing.
 */
export interface CellWrite {
  readonly kind: 'insert' | 'update' | 'delete';
  readonly cell: number;
  readonly set: Item;
  readonly guard: 'none' | 'latest' | 'outdated' | 'not done';
}

/** One part of a request: one item, all items of a partition of the journal, or a write. */
export type Part =
  | { readonly kind: 'read'; readonly cell: number }
  | { readonly kind: 'list'; readonly pk: string }
  | (CellWrite & { readonly cell: number });

/**
 * An answer as numbers. For each item of a read or list: its cell, the item, and 1 if another actor wrote it since the
 * last read. For a write: 1 or 0.
 */
export type Answer = readonly number[];

/** An answered request; `time` (epoch milliseconds) is the time of its last answer. */
export interface Answered {
  readonly answers: readonly Answer[];
  readonly time: number;
}

/** The next request of a program, or its end. */
export type Request =
  | { readonly kind: 'ask'; readonly parts: readonly Part[] }
  | { readonly kind: 'end'; readonly failed: boolean };

/** The constant items of a scene, and the partitions of its journal. */
export interface Surroundings {
  readonly still: ReadonlyMap<string, StoredItem>;
  /** Partitions of the journal that an actor of the scene may write. */
  readonly partitions: ReadonlySet<string>;
}

/**
 * Runs the real code of a program from its start with the known answers, up to the first request without an answer.
 * Concurrent calls of the program form one request; its parts are answered in any order. Time advances only while the
 * program waits.
 */
export const replay = (
  program: Program,
  surroundings: Surroundings,
  start: number,
  history: readonly Answered[],
): Promise<Request> => {
  const told = new Replay(surroundings, start, history);
  const end = program.run({ table: told, clock: () => told.time }).then(
    (): Request => ({ kind: 'end', failed: false }),
    (): Request => ({ kind: 'end', failed: true }),
  );
  return Promise.race([told.asked, end]);
};

interface Ask {
  readonly part: Part;
  readonly answer: (values: Answer) => void;
}

class Replay implements Table {
  readonly asked: Promise<Request>;
  time: number;
  readonly #surroundings: Surroundings;
  readonly #history: readonly Answered[];
  #at = 0;
  #waiting: Ask[] = [];
  #ask: (request: Request) => void = () => undefined;
  /** The number of changes of each cell between readings: its nonce. */
  readonly #nonces = new Map<number, number>();

  constructor(surroundings: Surroundings, start: number, history: readonly Answered[]) {
    this.#surroundings = surroundings;
    this.#history = history;
    this.time = start;
    this.asked = new Promise((resolve) => {
      this.#ask = resolve;
    });
  }

  async get(key: Key): Promise<StoredItem | undefined> {
    return (await this.getMany([key]))[0];
  }

  getMany(keys: readonly Key[]): Promise<readonly (StoredItem | undefined)[]> {
    return Promise.all(
      keys.map(async (key) => {
        if (!this.#isMoving(key)) return this.#surroundings.still.get(textOf(key));
        return this.#itemsIn(await this.#answer({ kind: 'read', cell: cellOf(key) }))[0];
      }),
    );
  }

  async query(
    pk: string,
    { prefix = '', from = '', to = '~', after, limit = 1e9 }: Range = {},
  ): Promise<QueryPage> {
    if (kindOfKey(pk) === 'reference') return { items: [] };
    // The scenes have one chunk of each segment.
    if (kindOfKey(pk) === 'chunk') {
      const chunk = await this.get({ pk, sk: keys.chunk(scope.id, 0, 0, 0).sk });
      return { items: chunk ? [chunk] : [] };
    }
    if (kindOfKey(pk) !== 'journal') throw new Error('the protocol lists only chunks and the journal');
    if (!this.#surroundings.partitions.has(pk)) return { items: [] };
    const items = this.#itemsIn(await this.#answer({ kind: 'list', pk }))
      .filter(
        ({ sk }) => sk.startsWith(prefix) && sk >= from && sk <= to && (after === undefined || sk > after),
      )
      .sort((a, b) => (a.sk < b.sk ? -1 : 1));
    const page = items.slice(0, limit);
    const last = page.at(-1);
    return last && page.length < items.length ? { items: page, next: last.sk } : { items: page };
  }

  async write(write: Write): Promise<WriteOutcome> {
    return (await this.writeMany([write]))[0] ?? 'refused';
  }

  writeMany(writes: readonly Write[]): Promise<readonly WriteOutcome[]> {
    return Promise.all(
      writes.map(async (write): Promise<WriteOutcome> => {
        // test/ingest/claim-protocol.test.ts checks the protocol of claims.
        const success = write.kind === 'delete' ? 'gone' : 'applied';
        if (!this.#isMoving(write.key)) return success;
        return (await this.#answer(this.#writeOf(write)))[0] === 1 ? success : 'refused';
      }),
    );
  }

  transact = unused;
  put = unused;
  increment = unused;

  #isMoving(key: Key): boolean {
    return isMoving(key) || (kindOfKey(key.pk) === 'directory' && !this.#surroundings.still.has(textOf(key)));
  }

  #writeOf(write: Write): Part {
    const cell = cellOf(write.key);
    const set: Attributes = write.kind === 'delete' ? {} : write.set;
    if (write.kind === 'insert') return { kind: 'insert', cell, set: itemOf(set), guard: 'none' };
    const { w, ...others } = write.expect;
    if (others['done'] === false) return { kind: write.kind, cell, set: itemOf(set), guard: 'not done' };
    if (Object.keys(others).length > 0) throw new Error('the model knows no such condition');
    const guard = w === undefined ? 'none' : w === `${this.#nonces.get(cell) ?? 0}` ? 'latest' : 'outdated';
    return { kind: write.kind, cell, set: itemOf(set), guard };
  }

  #itemsIn(values: Answer): StoredItem[] {
    const items: StoredItem[] = [];
    for (let at = 0; at < values.length; at += 3) {
      const [cell = 0, item = 0, changed = 0] = values.slice(at, at + 3);
      const nonce = (this.#nonces.get(cell) ?? 0) + changed;
      this.#nonces.set(cell, nonce);
      if (item !== 0) items.push(storedAs(cell, item, `${nonce}`));
    }
    return items;
  }

  #answer(part: Part): Promise<Answer> {
    if (this.#waiting.length === 0)
      setImmediate(() => {
        this.#answerAll();
      });
    return new Promise((answer) => this.#waiting.push({ part, answer }));
  }

  #answerAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const answered = this.#history[this.#at];
    this.#at += 1;
    if (!answered) {
      this.#ask({ kind: 'ask', parts: waiting.map(({ part }) => part) });
      return;
    }
    this.time = answered.time;
    waiting.forEach(({ answer }, at) => {
      answer(answered.answers[at] ?? []);
    });
  }
}

const unused = (): never => {
  throw new Error('the protocol does not do this');
};
