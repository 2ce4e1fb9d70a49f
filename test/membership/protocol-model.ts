import { limits } from '../../shared/config/limits.ts';
import { must, type Step } from '../support/explore.ts';
import { DEAD, DONE, type TableSabotage as SabotageOf } from '../support/learnt-progress.ts';
import type { Actors, Progress } from './protocol-actors.ts';
import { attributesOf, isJournal, keyOf, updated, type Item } from './protocol-cells.ts';
import type { Program } from './protocol-programs.ts';
import type { CellWrite, Part } from './protocol-replay.ts';

const MARGIN_MS = limits.segments.journalMarginSeconds * 1000;

/** A chunk is written by the end of an invocation at the latest, and arrives within the margin. */
const INDEXER_MS = limits.segments.indexerSeconds * 1000;

/** Base of the two character codes that encode a number in a text. */
const FIELD = 2 ** 15;

/** The complete state: everything that decides the possible next steps. */
export interface State {
  /** Index of the current time in the scene's times. */
  readonly time: number;
  /** Crashes that may still happen. */
  readonly crashes: number;
  /** Whether a profile write has arrived later than the margin. */
  readonly late: boolean;
  /** The progress of each actor. */
  readonly actors: readonly number[];
  /** Items by cell. */
  readonly items: readonly Item[];
}

/** The table of a state, encoded as text. */
export const tableText = ({ items }: State): string => {
  const codes: number[] = [];
  items.forEach((item, cell) => {
    if (item !== 0) codes.push(cell, Math.floor(item / FIELD), item % FIELD);
  });
  return String.fromCharCode(...codes);
};

export const encode = (state: State): string => {
  const codes = [state.time, state.crashes, state.late ? 1 : 0];
  for (const progress of state.actors) codes.push(Math.floor(progress / FIELD), progress % FIELD);
  return String.fromCharCode(...codes) + tableText(state);
};

export const decode = (text: string, count: number): State => {
  const codes = Array.from(text, (_, at) => text.charCodeAt(at));
  const actors = Array.from({ length: count }, (_, actor) => {
    const at = 3 + 2 * actor;
    return must(codes, at) * FIELD + must(codes, at + 1);
  });
  const items: Item[] = [];
  for (let at = 3 + 2 * count; at < codes.length; at += 3) {
    const cell = must(codes, at);
    while (items.length < cell) items.push(0);
    items[cell] = must(codes, at + 1) * FIELD + must(codes, at + 2);
  }
  return { time: must(codes, 0), crashes: must(codes, 1), late: must(codes, 2) === 1, actors, items };
};

export const hasEnded = ({ actors }: State): boolean => actors.every((one) => one === DONE || one === DEAD);

/** Guards that the table leaves out. */
export interface TableSabotage extends SabotageOf<CellWrite> {
  /** Profile writes of a dead writer arrive however late. */
  readonly lingers?: boolean;
}

/**
 * The steps of actors on one table: reads of one item or of one partition of the journal, and conditional writes of one
 * item. The parts of one request are answered in any order. An actor can die after each of its writes; a death before a
 * write or at a read leaves the same state. Time advances between any two steps. A profile write that is under way for
 * longer than the margin arrives while its writer waits for the answer, or never: the writer of a late write no longer
 * dies. This is a bet on AWS (`docs/internals/journal-and-drain.md`); the client gives up an attempt after 10 s.
 */
export class Model {
  readonly #actors: Actors;
  readonly #programs: readonly Program[];
  readonly #times: readonly number[];
  readonly #sabotage: TableSabotage;

  constructor(
    actors: Actors,
    programs: readonly Program[],
    times: readonly number[],
    sabotage: TableSabotage = {},
  ) {
    this.#actors = actors;
    this.#programs = programs;
    this.#times = times;
    this.#sabotage = sabotage;
  }

  /** The state in which all actors are at their start. */
  begin(items: readonly Item[], crashes: number): State {
    const actors = this.#programs.map((program) =>
      this.#settled(this.#actors.start(program, must(this.#times, 0))),
    );
    return { time: 0, crashes, late: false, actors, items };
  }

  steps(state: State): readonly Step<State>[] {
    const steps: Step<State>[] = [];
    if (hasEnded(state)) return steps;
    for (let actor = 0; actor < state.actors.length; actor += 1) {
      const id = must(state.actors, actor);
      if (id === DONE || id === DEAD) continue;
      const { request, got } = this.#actors.withId(id);
      if (request.kind === 'end') continue;
      request.parts.forEach((part, at) => {
        if (got[at] === undefined) this.#step(steps, state, { actor, at, part });
      });
    }
    if (state.time < this.#times.length - 1)
      steps.push({ actor: -1, fate: 'time goes on', state: { ...state, time: state.time + 1 } });
    return steps;
  }

  #step(
    steps: Step<State>[],
    state: State,
    { actor, at, part }: { actor: number; at: number; part: Part },
  ): void {
    const progress = this.#actors.withId(must(state.actors, actor));
    const time = must(this.#times, state.time);
    if (part.kind === 'read' || part.kind === 'list') {
      const next = this.#actors.afterRead(progress, at, found(state, part), time);
      steps.push({ actor, fate: part.kind, state: withActor(state, actor, this.#settled(next)) });
    } else this.#write(steps, state, { actor, at, write: part, progress, time });
  }

  #write(
    steps: Step<State>[],
    state: State,
    {
      actor,
      at,
      write,
      progress,
      time,
    }: { actor: number; at: number; write: CellWrite; progress: Progress; time: number },
  ): void {
    if (isChunk(write.cell) && write.kind !== 'delete' && time - progress.start > INDEXER_MS + MARGIN_MS) {
      steps.push({ actor, fate: 'never arrives', state: withActor(state, actor, DEAD) });
      return;
    }
    const isLate = isProfile(write.cell) && time - progress.time > MARGIN_MS;
    if (isLate) steps.push({ actor, fate: 'never arrives', state: withActor(state, actor, DEAD) });
    const isPretended = this.#sabotage.pretended?.(write) === true;
    const isDone = !isPretended && this.#isAllowed(state, progress, write);
    const late = state.late || (isLate && isDone);
    const after = isDone ? { ...this.#applied(state, write), late } : state;
    const seen = isDone ? this.#actors.afterLoss(progress, write.cell) : progress;
    const next = this.#settled(this.#actors.afterWrite(seen, at, isPretended || isDone, time));
    const fate = `${isDone ? '' : 'no '}${isLate ? 'late ' : ''}${write.kind}`;
    steps.push({ actor, fate, state: withActor(after, actor, next) });
    if (!isDone || state.crashes === 0 || next === DONE) return;
    if (late && this.#sabotage.lingers !== true) return;
    const died = { ...withActor(after, actor, DEAD), crashes: state.crashes - 1 };
    steps.push({ actor, fate: `${fate}, dies`, state: died });
    const { again } = must(this.#programs, actor);
    if (again)
      steps.push({
        actor,
        fate: `${fate}, starts again`,
        state: withActor(died, actor, this.#settled(this.#actors.start(again, time))),
      });
  }

  #isAllowed({ items }: State, { stale }: Progress, write: CellWrite): boolean {
    const present = items[write.cell] ?? 0;
    if (this.#sabotage.forced?.(write) === true) return true;
    if (write.kind === 'insert') return present === 0;
    if (write.guard === 'not done') return present !== 0 && attributesOf(present)['done'] === false;
    return present !== 0 && (write.guard === 'none' || (write.guard === 'latest' && !stale.has(write.cell)));
  }

  /** The state after a write. Copies of the cell that other actors hold become stale. */
  #applied(state: State, { kind, cell, set }: CellWrite): State {
    const items = [...state.items];
    while (items.length <= cell) items.push(0);
    items[cell] = kind === 'delete' ? 0 : kind === 'insert' ? set : updated(items[cell] ?? 0, set);
    const actors = state.actors.map((id) =>
      id === DONE || id === DEAD ? id : this.#actors.afterLoss(this.#actors.withId(id), cell).id,
    );
    return { ...state, items, actors };
  }

  #settled({ id, request }: Progress): number {
    if (request.kind !== 'end') return id;
    return request.failed ? DEAD : DONE;
  }
}

const withActor = (state: State, actor: number, progress: number): State => ({
  ...state,
  actors: state.actors.with(actor, progress),
});

const found = ({ items }: State, part: Part): readonly (readonly [number, Item])[] => {
  if (part.kind !== 'list')
    return [[part.kind === 'read' ? part.cell : 0, part.kind === 'read' ? (items[part.cell] ?? 0) : 0]];
  return items.flatMap((item, cell) =>
    item !== 0 && isJournal(cell) && keyOf(cell).pk === part.pk ? [[cell, item] as const] : [],
  );
};

/** Whether a cell has items of a kind. The model calls these functions very often. */
const remembering = (part: string): ((cell: number) => boolean) => {
  const known = new Map<number, boolean>();
  return (cell) => {
    const is = known.get(cell) ?? keyOf(cell).pk.includes(part);
    known.set(cell, is);
    return is;
  };
};
const isProfile = remembering('#B#');
const isChunk = remembering('#M#');
