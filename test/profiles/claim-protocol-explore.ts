import { must, Unlearnt } from './claim-protocol-actors.ts';
import type { Model, Step } from './claim-protocol-model.ts';
import { decode, encode, hasEnded, redirectsEnd, type State } from './claim-protocol-state.ts';

/** What exploring a scene came to. */
export interface Explored {
  readonly states: number;
  readonly finals: number;
  readonly fault: Fault | undefined;
}

/** What is wrong in a state, and how it came about. */
export interface Fault {
  readonly what: string;
  /** From the beginning on, each state with the actor whose step led there. */
  readonly path: readonly Passed[];
}

export interface Passed extends Pick<Step, 'actor' | 'fate'> {
  readonly state: State;
}

/** Does what needs steps that may have to be learnt first. */
export const learnt = async <T>(act: () => T): Promise<T> => {
  for (;;)
    try {
      return act();
    } catch (error) {
      if (!(error instanceof Unlearnt)) throw error;
      await error.learn();
    }
};

/**
 * Visits every state that can be reached. `check` says what is wrong in a state in which all actors have ended. Stops at
 * the first fault; a state from which no end can be reached is one.
 */
export const explore = async (
  model: Model,
  begin: State,
  check: (state: State) => Promise<string | undefined>,
): Promise<Explored> => {
  const numbers = new Map([[encode(begin), 0]]);
  const texts = [...numbers.keys()];
  const parents = [-1];
  const steppers: Pick<Step, 'actor' | 'fate'>[] = [{ actor: -1, fate: 'goes on' }];
  const [from, to]: [number[], number[]] = [[], []];
  const finals: number[] = [];
  const stack = [0];
  const stateAt = (number: number): State => decode(must(texts, number), begin.actors.length);
  const ended = (what: string | undefined, number: number): Explored => {
    const path: Passed[] = [];
    for (let at = number; what !== undefined && at >= 0; at = must(parents, at)) {
      const { actor, fate } = must(steppers, at);
      path.unshift({ actor, fate, state: stateAt(at) });
    }
    const fault = what === undefined ? undefined : { what, path };
    return { states: texts.length, finals: finals.length, fault };
  };
  for (let number = stack.pop(); number !== undefined; number = stack.pop()) {
    const state = stateAt(number);
    const steps = await stepsOf(model, state);
    if (state.actors.every(hasEnded)) {
      finals.push(number);
      const fault = await check(state);
      if (fault !== undefined) return ended(fault, number);
    }
    for (const step of steps) {
      const text = encode(step.state);
      let next = numbers.get(text);
      if (next === undefined) {
        next = texts.length;
        numbers.set(text, next);
        texts.push(text);
        parents.push(number);
        steppers.push({ actor: step.actor, fate: step.fate });
        stack.push(next);
        if (!redirectsEnd(step.state)) return ended('redirects go in a circle', next);
      }
      from.push(number);
      to.push(next);
    }
  }
  const lost = cutOff(texts.length, finals, from, to);
  return lost < 0 ? ended(undefined, 0) : ended('no end can be reached', lost);
};

const stepsOf = async (model: Model, state: State): Promise<readonly Step[]> => {
  try {
    return model.steps(state);
  } catch (error) {
    if (!(error instanceof Unlearnt)) throw error;
    return learnt(() => model.steps(state));
  }
};

/** A state from which none of the ends can be reached; -1 when there is none. */
const cutOff = (
  count: number,
  ends: readonly number[],
  from: readonly number[],
  to: readonly number[],
): number => {
  // The edges into each state, as lists linked through arrays: there are millions.
  const first = new Int32Array(count).fill(-1);
  const following = new Int32Array(to.length);
  to.forEach((state, edge) => {
    following[edge] = first[state] ?? -1;
    first[state] = edge;
  });
  const reaches = new Uint8Array(count);
  const stack = [...ends];
  for (const end of ends) reaches[end] = 1;
  for (let state = stack.pop(); state !== undefined; state = stack.pop())
    for (let edge = first[state] ?? -1; edge >= 0; edge = following[edge] ?? -1) {
      const before = from[edge] ?? 0;
      if (reaches[before] === 1) continue;
      reaches[before] = 1;
      stack.push(before);
    }
  return reaches.indexOf(0);
};
