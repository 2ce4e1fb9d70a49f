import { LearntProgress, type Learnt } from '../support/learnt-progress.ts';
import type { Program } from './protocol-programs.ts';
import { replay, type Answer, type Answered, type Request, type Surroundings } from './protocol-replay.ts';

/** The progress of an actor in its program. */
interface Draft {
  readonly program: Program;
  /** When the actor began (epoch milliseconds), and when it received its last answer. */
  readonly start: number;
  readonly time: number;
  readonly history: readonly Answered[];
  readonly request: Request;
  /** Answers to the request so far. */
  readonly got: readonly (Answer | undefined)[];
  /** Cells that the actor has copied, and the copied cells that were written since: all the knowledge that nonces give. */
  readonly copies: ReadonlySet<number>;
  readonly stale: ReadonlySet<number>;
}
export type Progress = Learnt<Draft, string>;

/** The progress of all actors of the scenes that begin alike. */
export class Actors extends LearntProgress<Draft, string> {
  readonly #surroundings: Surroundings;

  constructor(surroundings: Surroundings) {
    super();
    this.#surroundings = surroundings;
  }

  /** The start of a program at a given time. */
  start(program: Program, time: number): Progress {
    const blank = { history: [], copies: new Set<number>(), stale: new Set<number>() };
    return this.started(`${this.numberOf(program)} ${time}`, () =>
      this.#asking({ program, start: time, time, ...blank }),
    );
  }

  /** The actor after a read or list of its request: the cells and their current items. */
  afterRead(
    progress: Progress,
    at: number,
    items: readonly (readonly [cell: number, item: number])[],
    time: number,
  ): Progress {
    const answer = items.flatMap(([cell, item]) => [cell, item, progress.stale.has(cell) ? 1 : 0]);
    return this.after(progress, `${at}=${answer.join()}@${time}`, () => {
      const seen = items.map(([cell]) => cell);
      const copies = new Set([...progress.copies, ...seen]);
      const stale = new Set([...progress.stale].filter((cell) => !seen.includes(cell)));
      return this.#answered({ ...progress, copies, stale }, at, answer, time);
    });
  }

  /** The actor after a write of its request. */
  afterWrite(progress: Progress, at: number, applied: boolean, time: number): Progress {
    return this.after(progress, `${at}${applied ? '+' : '-'}@${time}`, () =>
      this.#answered(progress, at, [applied ? 1 : 0], time),
    );
  }

  /** The actor after another actor wrote a cell. */
  afterLoss(progress: Progress, cell: number): Progress {
    if (!progress.copies.has(cell) || progress.stale.has(cell)) return progress;
    const lost = () => this.#interned({ ...progress, stale: new Set([...progress.stale, cell]) });
    return this.afterAll(progress, `!${cell}`, lost);
  }

  async #answered(draft: Draft, at: number, answer: Answer, time: number): Promise<Progress> {
    const got = draft.got.with(at, answer);
    const answers = got.filter((one) => one !== undefined);
    if (answers.length < got.length) return this.#interned({ ...draft, got });
    return this.#asking({ ...draft, time, history: [...draft.history, { answers, time }] });
  }

  /** Adds the next request of the program. */
  async #asking(draft: Omit<Draft, 'request' | 'got'>): Promise<Progress> {
    const { program, start, history } = draft;
    const request = await replay(program, this.#surroundings, start, history);
    const count = request.kind === 'ask' ? request.parts.length : 0;
    return this.#interned({ ...draft, request, got: Array.from({ length: count }, () => undefined) });
  }

  #interned(draft: Draft): Progress {
    const { program, start, history, got, stale } = draft;
    const told = history.map(({ answers, time }) => `${answers.join('/')}@${time}`).join(';');
    const lost = [...stale].sort((a, b) => a - b).join();
    const partly = got.map((answer) => answer?.join() ?? '?').join('/');
    return this.interned(`${this.numberOf(program)}|${start}|${told}|${partly}|${lost}`, draft);
  }
}
