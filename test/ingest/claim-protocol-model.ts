import { must, type Step as StepOf } from '../support/explore.ts';
import { DEAD, DONE, type TableSabotage } from '../support/learnt-progress.ts';
import type { Actors, Progress } from './claim-protocol-actors.ts';
import { CLAIMS, namedBy, naming, updated } from './claim-protocol-items.ts';
import type { Program } from './claim-protocol-programs.ts';
import type { CellWrite, Request } from './claim-protocol-replay.ts';
import {
  canonical,
  copyOf,
  hasEnded,
  ordinalAt,
  rankOf,
  withNew,
  type Place,
  type State,
} from './claim-protocol-state.ts';

type Step = StepOf<State>;

export type Sabotage = TableSabotage<CellWrite>;

/**
 * The steps of actors on one table: reads of one item and conditional writes of one item. The parts of one request are
 * answered in any order. An actor starts over after each refusal. It can die after each of its writes; a death before a
 * write or at a read leaves the same state. Time stands still, and the table loses no answer.
 */
export class Model {
  readonly #actors: Actors;
  readonly #programs: readonly Program[];
  readonly #sabotage: Sabotage;
  /** By actor the claims that no other actor touches, as bits. */
  readonly #unshared: readonly number[];

  constructor(
    actors: Actors,
    programs: readonly Program[],
    unshared: readonly number[],
    sabotage: Sabotage = {},
  ) {
    this.#actors = actors;
    this.#programs = programs;
    this.#unshared = unshared;
    this.#sabotage = sabotage;
  }

  /** The state with all actors at their start, each about an ordinal or about none (-1). */
  begin(table: Pick<State, 'claims' | 'entries'>, about: readonly number[], crashes: number): State {
    const actors = this.#programs.map((program, actor): Place => this.#start(program, about[actor] ?? -1));
    return canonical({ crashes, actors, claims: [...table.claims], entries: [...table.entries] });
  }

  /** All possible next steps, or a subset of them that still reaches every outcome. */
  steps(state: State): readonly Step[] {
    const steps: Step[] = [];
    const only = this.#unseen(state);
    for (let actor = 0; actor < state.actors.length; actor += 1) {
      const place = must(state.actors, actor);
      if (hasEnded(place) || (only && only.actor !== actor)) continue;
      const { request, got } = this.#actors.withId(place.progress);
      if (request.kind === 'take') this.#take(steps, state, actor, request.count);
      else
        for (let at = 0; at < got.length; at += 1) {
          if (got[at] !== -1 || (only && only.at !== at)) continue;
          if (request.kind === 'read') this.#read(steps, state, { actor, at, cell: must(request.cells, at) });
          if (request.kind === 'write') this.#write(steps, state, actor, at, must(request.writes, at));
        }
    }
    return steps;
  }

  /**
   * A step that no other actor can observe: taking new ordinals, which may get any position in the order whichever
   * actor takes first, and steps on claims that no other actor touches.
   */
  #unseen({ actors }: State): { readonly actor: number; readonly at: number } | undefined {
    for (let actor = 0; actor < actors.length; actor += 1) {
      const place = must(actors, actor);
      if (hasEnded(place)) continue;
      const { request, got } = this.#actors.withId(place.progress);
      if (request.kind === 'take') return { actor, at: 0 };
      const unshared = this.#unshared[actor] ?? 0;
      for (let at = 0; at < got.length; at += 1)
        if (got[at] === -1 && ((1 << cellAt(request, at)) & unshared) !== 0) return { actor, at };
    }
    return undefined;
  }

  #take(steps: Step[], state: State, actor: number, count: number): void {
    for (let at = 0; at <= state.entries.length; at += 1) {
      const after = withNew(state, at, count);
      const { progress, known } = must(after.actors, actor);
      const next = this.#actors.afterTake(this.#actors.withId(progress), rankOf(known, at));
      after.actors[actor] = this.#settled(next, known | (((1 << count) - 1) << at));
      steps.push({ actor, fate: 'goes on', state: canonical(after) });
    }
  }

  #read(steps: Step[], state: State, { actor, at, cell }: { actor: number; at: number; cell: number }): void {
    const { progress, known } = must(state.actors, actor);
    const item =
      cell < CLAIMS ? must(state.claims, cell) : must(state.entries, ordinalAt(known, cell - CLAIMS));
    const ordinal = namedBy(item);
    const isNew = ordinal >= 0 && (known & (1 << ordinal)) === 0;
    const seen = ordinal < 0 ? item : naming(item, rankOf(known, ordinal));
    const next = this.#actors.afterRead(this.#actors.withId(progress), at, seen, isNew);
    const after = copyOf(state);
    after.actors[actor] = this.#settled(next, isNew ? known | (1 << ordinal) : known);
    steps.push({ actor, fate: 'goes on', state: canonical(after) });
  }

  #write(steps: Step[], state: State, actor: number, at: number, write: CellWrite): void {
    const place = must(state.actors, actor);
    const progress = this.#actors.withId(place.progress);
    const isPretended = this.#sabotage.pretended?.(write) === true;
    const after = copyOf(state);
    const isDone = !isPretended && this.#apply(after, place.known, progress, write);
    const applied = isPretended || isDone;
    let next = this.#actors.afterWrite(progress, at, applied);
    if (isDone) next = this.#actors.afterLoss(next, write.cell);
    after.actors[actor] = this.#settled(next, place.known);
    steps.push({ actor, fate: 'goes on', state: canonical(after) });
    if (!isDone || state.crashes === 0) return;
    const program = must(this.#programs, actor);
    const own = progress.own < 0 ? -1 : ordinalAt(place.known, progress.own);
    const died = { ...copyOf(after), crashes: state.crashes - 1 };
    died.actors[actor] = { progress: DEAD, known: 0 };
    // An actor that has ended cannot die.
    if (after.actors[actor].progress !== DONE) steps.push({ actor, fate: 'dies', state: canonical(died) });
    if (!program.again) return;
    const again = copyOf(died);
    again.actors[actor] = this.#start(program.again, own);
    steps.push({ actor, fate: 'starts again', state: canonical(again) });
  }

  /** Writes one item if its current state allows it; copies of other actors become stale. */
  #apply(after: State, known: number, { stale }: Progress, write: CellWrite): boolean {
    const { cell, kind, set } = write;
    const ordinal = cell < CLAIMS ? -1 : ordinalAt(known, cell - CLAIMS);
    const items = ordinal < 0 ? after.claims : after.entries;
    const place = ordinal < 0 ? cell : ordinal;
    const present = must(items, place);
    const isExpected =
      kind === 'insert' ? present === 0 : kind === 'update' && present !== 0 && (stale & (1 << cell)) === 0;
    if (!isExpected && this.#sabotage.forced?.(write) !== true) return false;
    const named = namedBy(set);
    const item = named < 0 ? set : naming(set, ordinalAt(known, named));
    items[place] = kind === 'insert' ? item : updated(present, item);
    for (let other = 0; other < after.actors.length; other += 1) {
      const { progress, known: others } = must(after.actors, other);
      if (progress === DONE || progress === DEAD) continue;
      if (ordinal >= 0 && (others & (1 << ordinal)) === 0) continue;
      const theirs = ordinal < 0 ? cell : CLAIMS + rankOf(others, ordinal);
      const { id } = this.#actors.afterLoss(this.#actors.withId(progress), theirs);
      after.actors[other] = { progress: id, known: others };
    }
    return true;
  }

  #settled({ id, own, request }: Progress, known: number): Place {
    if (request.kind !== 'end') return { progress: id, known };
    if (!request.rest) return { progress: DONE, known: 0 };
    return this.#start(request.rest, own < 0 ? -1 : ordinalAt(known, own));
  }

  #start(program: Program, about: number): Place {
    return { progress: this.#actors.start(program).id, known: about < 0 ? 0 : 1 << about };
  }
}

/** The cell of a part of a request, as its actor numbers cells; none (-1, no bit of a claim) for ordinals. */
const cellAt = (request: Request, at: number): number => {
  if (request.kind === 'read') return must(request.cells, at);
  return request.kind === 'write' ? must(request.writes, at).cell : 31;
};
