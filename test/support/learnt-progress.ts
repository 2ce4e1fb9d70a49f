import { Unlearnt } from './explore.ts';

/** Progress of actors that have ended, and of actors that died. */
export const DONE = 0;
export const DEAD = 1;

/** What is known of an actor, with its number and the known next steps. */
export type Learnt<Draft, Key> = Draft & {
  readonly id: number;
  readonly next: Map<Key, Learnt<Draft, Key>>;
};

/** Guards of a protocol that the table leaves out, to show their purpose. */
export interface TableSabotage<CellWrite> {
  /** Writes that succeed whatever the cell contains. */
  readonly forced?: (write: CellWrite) => boolean;
  /** Writes that are reported as done but never applied. */
  readonly pretended?: (write: CellWrite) => boolean;
}

/** All progress of all actors. Each step is learned once by running the real code, and then remembered. */
export class LearntProgress<Draft, Key> {
  readonly #known = new Map<string, Learnt<Draft, Key>>();
  /** The first numbers stand for actors without progress. */
  readonly #byId: (Learnt<Draft, Key> | undefined)[] = [undefined, undefined];
  readonly #programs = new Map<object, number>();
  readonly #starts = new Map<string, Learnt<Draft, Key>>();

  withId(id: number): Learnt<Draft, Key> {
    const progress = this.#byId[id];
    if (!progress) throw new Error('no such progress');
    return progress;
  }

  numberOf(program: object): number {
    const number = this.#programs.get(program) ?? this.#programs.size;
    this.#programs.set(program, number);
    return number;
  }

  /** The start of a program, which `begin` runs up to its first request. */
  started(name: string, begin: () => Promise<Learnt<Draft, Key>>): Learnt<Draft, Key> {
    return learned(this.#starts, name, begin);
  }

  /** The progress after a step, which `run` learns. */
  after(from: Learnt<Draft, Key>, key: Key, run: () => Promise<Learnt<Draft, Key>>): Learnt<Draft, Key> {
    return learned(from.next, key, run);
  }

  /** The progress after a step that runs no code. */
  afterAll(from: Learnt<Draft, Key>, key: Key, make: () => Learnt<Draft, Key>): Learnt<Draft, Key> {
    const known = from.next.get(key) ?? make();
    from.next.set(key, known);
    return known;
  }

  /** The progress that this text describes; equal progress has equal texts. */
  interned(text: string, draft: Draft): Learnt<Draft, Key> {
    const known = this.#known.get(text) ?? { ...draft, id: this.#byId.length, next: new Map() };
    if (known.id === this.#byId.length) {
      this.#byId.push(known);
      this.#known.set(text, known);
    }
    return known;
  }
}

const learned = <Key, Progress>(
  steps: Map<Key, Progress>,
  key: Key,
  run: () => Promise<Progress>,
): Progress => {
  const known = steps.get(key);
  if (known) return known;
  throw new Unlearnt(async () => {
    steps.set(key, await run());
  });
};
