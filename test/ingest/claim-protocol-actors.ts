import { LearntProgress, type Learnt } from '../support/learnt-progress.ts';
import { CLAIMS, namedBy, naming, type Item } from './claim-protocol-items.ts';
import { isAboutSomebody, type Program } from './claim-protocol-programs.ts';
import { replay, type Answered, type Request } from './claim-protocol-replay.ts';

/**
 * The progress of an actor in its program. The progress numbers the ordinals that the actor knows in their order. The
 * state maps these numbers to the ordinals of the table, so that one progress serves every such table.
 */
interface Draft {
  readonly program: Program;
  /** The ordinal that the program is about; -1 when there is none. */
  readonly own: number;
  readonly history: readonly Answered[];
  readonly request: Request;
  /** Answers to the request so far; -1 for missing answers. */
  readonly got: readonly number[];
  /** Cells that the actor has copied, and the copied cells that were written since: all the knowledge that nonces give. */
  readonly copies: number;
  readonly stale: number;
  /** Parts of the request whose answers had changed since an earlier read, as bits. */
  readonly changed: number;
}
export type Progress = Learnt<Draft, number>;

/** Opens a gap at a bit. */
const withGap = (bits: number, at: number): number => {
  const low = bits & ((1 << at) - 1);
  return low | ((bits ^ low) << 1);
};

/** The same progress with one more known ordinal, at position `at`. */
const inserted = (draft: Draft, at: number): Draft => {
  const shifted = (ordinal: number): number => (ordinal < at ? ordinal : ordinal + 1);
  const cell = (one: number): number => (one < CLAIMS ? one : CLAIMS + shifted(one - CLAIMS));
  const item = (one: Item): Item => (one < 0 || namedBy(one) < at ? one : naming(one, namedBy(one) + 1));
  const valuesOf = (kind: Answered['kind'], values: readonly number[]): readonly number[] =>
    kind === 'read' ? values.map(item) : kind === 'take' ? values.map(shifted) : values;
  const { request } = draft;
  return {
    ...draft,
    own: shifted(draft.own),
    history: draft.history.map((one) => ({ ...one, values: valuesOf(one.kind, one.values) })),
    request: request.kind === 'read' ? { kind: 'read', cells: request.cells.map(cell) } : request,
    got: request.kind === 'end' ? draft.got : valuesOf(request.kind, draft.got),
    copies: withGap(draft.copies, CLAIMS + at),
    stale: withGap(draft.stale, CLAIMS + at),
  };
};

/** The progress of all actors of all scenes. */
export class Actors extends LearntProgress<Draft, number> {
  /** The start of a program; a program about an ordinal knows this ordinal. */
  start(program: Program): Progress {
    const own = isAboutSomebody(program) ? 0 : -1;
    return this.started(`${this.numberOf(program)}`, () =>
      this.#asking({ program, own, history: [], copies: 0, stale: 0, changed: 0 }),
    );
  }

  /**
   * The actor after the `at`-th read of its request: an item, and whether the actor does not know the item's ordinal
   * yet.
   */
  afterRead(progress: Progress, at: number, item: Item, isNew: boolean): Progress {
    const key = (item * 2 + (isNew ? 1 : 0)) * 16 + at;
    return this.after(progress, key, () => this.#read(progress, at, item, isNew));
  }

  /** The actor after the `at`-th write of its request. */
  afterWrite(progress: Progress, at: number, applied: boolean): Progress {
    const key = -1 - (at * 2 + (applied ? 1 : 0));
    return this.after(progress, key, () => this.#wrote(progress, at, applied));
  }

  /** The actor after it received new ordinals; the first of them gets the position `rank` among its known ordinals. */
  afterTake(progress: Progress, rank: number): Progress {
    const key = -1_000 - rank;
    return this.after(progress, key, () => this.#took(progress, rank));
  }

  /** The actor after another actor wrote a cell, numbered as this actor knows it. */
  afterLoss(progress: Progress, cell: number): Progress {
    const bit = 1 << cell;
    if ((progress.copies & bit) === 0 || (progress.stale & bit) !== 0) return progress;
    const lost = () => this.#interned({ ...progress, stale: progress.stale | bit });
    return this.afterAll(progress, -2_000 - cell, lost);
  }

  #read(progress: Progress, at: number, item: Item, isNew: boolean): Promise<Progress> {
    const before = isNew ? inserted(progress, namedBy(item)) : progress;
    const cell = before.request.kind === 'read' ? (before.request.cells[at] ?? 0) : 0;
    const bit = 1 << cell;
    const got = before.got.with(at, item);
    const changed = (before.stale & bit) === 0 ? before.changed : before.changed | (1 << at);
    return this.#advanced({
      ...before,
      got,
      changed,
      copies: before.copies | bit,
      stale: before.stale & ~bit,
    });
  }

  #wrote(progress: Progress, at: number, applied: boolean): Promise<Progress> {
    return this.#advanced({ ...progress, got: progress.got.with(at, applied ? 1 : 0) });
  }

  #took(progress: Progress, rank: number): Promise<Progress> {
    let draft: Draft = progress;
    for (let at = 0; at < progress.got.length; at += 1) draft = inserted(draft, rank + at);
    return this.#advanced({ ...draft, got: progress.got.map((_, at) => rank + at) });
  }

  async #advanced(draft: Draft): Promise<Progress> {
    const { request, got: values, changed, history } = draft;
    if (values.includes(-1) || request.kind === 'end') return this.#interned(draft);
    const answered = { kind: request.kind, values, changed };
    return this.#asking({ ...draft, changed: 0, history: [...history, answered] });
  }

  /** Adds the next request of the program. */
  async #asking(draft: Omit<Draft, 'request' | 'got'>): Promise<Progress> {
    const request = await replay(draft.program, draft.own, draft.history);
    const count =
      request.kind === 'read'
        ? request.cells.length
        : request.kind === 'write'
          ? request.writes.length
          : request.kind === 'take'
            ? request.count
            : 0;
    return this.#interned({ ...draft, request, got: Array.from({ length: count }, () => -1) });
  }

  #interned(draft: Draft): Progress {
    const { program, own, history, got, copies, stale, changed } = draft;
    const told = history.map((one) => `${one.values.join()}:${one.changed}`).join(';');
    const text = `${this.numberOf(program)}|${own}|${told}|${got.join()}|${copies}|${stale}|${changed}`;
    return this.interned(text, draft);
  }
}
