import { Unlearnt } from '../support/explore.ts';
import type { Program } from './protocol-programs.ts';
import { replay, type Answer, type Answered, type Request, type Surroundings } from './protocol-replay.ts';

/** The progress of an actor in its program. */
export interface Progress {
  readonly id: number;
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
  /** The known next steps. */
  readonly next: Map<string, Progress>;
}

type Draft = Omit<Progress, 'id' | 'next'>;

/** Progress of actors that have ended, and of actors that died without a redelivery. */
export const DONE = 0;
export const DEAD = 1;

/** All progress of all actors. Each step is learned once by running the real code, and then remembered. */
export class Actors {
  readonly #surroundings: Surroundings;
  readonly #known = new Map<string, Progress>();
  readonly #byId: (Progress | undefined)[] = [undefined, undefined];
  readonly #programs = new Map<Program, number>();
  readonly #starts = new Map<string, Progress>();

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  withId(id: number): Progress {
    const progress = this.#byId[id];
    if (!progress) throw new Error('no such progress');
    return progress;
  }

  /** The start of a program at a given time. */
  start(program: Program, time: number): Progress {
    const key = `${this.#numberOf(program)} ${time}`;
    const known = this.#starts.get(key);
    if (known) return known;
    throw new Unlearnt(async () => {
      const blank = {
        program,
        start: time,
        time,
        history: [],
        copies: new Set<number>(),
        stale: new Set<number>(),
      };
      this.#starts.set(key, await this.#asking(blank));
    });
  }

  /** The actor after a read or list of its request: the cells and their current items. */
  afterRead(
    progress: Progress,
    at: number,
    items: readonly (readonly [cell: number, item: number])[],
    time: number,
  ): Progress {
    const answer = items.flatMap(([cell, item]) => [cell, item, progress.stale.has(cell) ? 1 : 0]);
    return this.#learned(progress, `${at}=${answer.join()}@${time}`, () => {
      const seen = items.map(([cell]) => cell);
      const copies = new Set([...progress.copies, ...seen]);
      const stale = new Set([...progress.stale].filter((cell) => !seen.includes(cell)));
      return this.#answered({ ...progress, copies, stale }, at, answer, time);
    });
  }

  /** The actor after a write of its request. */
  afterWrite(progress: Progress, at: number, applied: boolean, time: number): Progress {
    return this.#learned(progress, `${at}${applied ? '+' : '-'}@${time}`, () =>
      this.#answered(progress, at, [applied ? 1 : 0], time),
    );
  }

  /** The actor after another actor wrote a cell. */
  afterLoss(progress: Progress, cell: number): Progress {
    if (!progress.copies.has(cell) || progress.stale.has(cell)) return progress;
    const key = `!${cell}`;
    const known =
      progress.next.get(key) ?? this.#interned({ ...progress, stale: new Set([...progress.stale, cell]) });
    progress.next.set(key, known);
    return known;
  }

  #learned(from: Progress, key: string, step: () => Promise<Progress>): Progress {
    const known = from.next.get(key);
    if (known) return known;
    throw new Unlearnt(async () => {
      from.next.set(key, await step());
    });
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

  #numberOf(program: Program): number {
    const number = this.#programs.get(program) ?? this.#programs.size;
    this.#programs.set(program, number);
    return number;
  }

  #interned(draft: Draft): Progress {
    const { program, start, history, got, stale } = draft;
    const told = history.map(({ answers, time }) => `${answers.join('/')}@${time}`).join(';');
    const lost = [...stale].sort((a, b) => a - b).join();
    const partly = got.map((answer) => answer?.join() ?? '?').join('/');
    const text = `${this.#numberOf(program)}|${start}|${told}|${partly}|${lost}`;
    const known = this.#known.get(text) ?? { ...draft, id: this.#byId.length, next: new Map() };
    if (known.id === this.#byId.length) {
      this.#byId.push(known);
      this.#known.set(text, known);
    }
    return known;
  }
}
