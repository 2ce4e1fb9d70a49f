/** One step of one actor, and its result. */
export interface Step<State> {
  readonly actor: number;
  /** The actor's outcome, in a word or two. */
  readonly fate: string;
  readonly state: State;
}

/** States of some actors at work on one table, and the steps between them. */
export interface Space<State> {
  readonly begin: State;
  /** A state as text, the same for the same. */
  readonly encode: (state: State) => string;
  readonly decode: (text: string) => State;
  /** All steps that are possible next; may throw `Unlearnt`. */
  readonly steps: (state: State) => readonly Step<State>[];
  /** Whether all actors have ended. */
  readonly hasEnded: (state: State) => boolean;
  /** The fault of a state at any position. */
  readonly faultIn: (state: State) => string | undefined;
  /** The fault of a state in which all actors have ended. */
  readonly faultAtEnd: (state: State) => Promise<string | undefined>;
}

/** The outcome of an exploration. */
export interface Explored<State> {
  readonly states: number;
  readonly finals: number;
  readonly fault: Fault<State> | undefined;
}

/** A fault, with the steps that lead to it. */
export interface Fault<State> {
  readonly what: string;
  /** From the beginning on, each state with the actor whose step led there. */
  readonly path: readonly Step<State>[];
}

/**
 * A step that was never taken before: it is to be learnt, then tried again. It has no stack, which would take a tenth of
 * the time of an exploration.
 */
export class Unlearnt extends Error {
  readonly learn: () => Promise<void>;

  constructor(learn: () => Promise<void>) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super('a step is not known yet');
    Error.stackTraceLimit = stackTraceLimit;
    this.learn = learn;
  }
}

/** The member of a list that must be there. */
export const must = <T>(list: readonly T[], at: number): T => {
  const member = list[at];
  if (member === undefined) throw new Error(`nothing stands at ${at}`);
  return member;
};

/** Runs work whose steps may have to be learnt first. */
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
 * Visits every state that can be reached, or the first `most` of them. Stops at the first fault. A state from which no end
 * can be reached is a fault, too, once all states are known.
 */
export const explore = async <State>(space: Space<State>, most = Infinity): Promise<Explored<State>> => {
  const first = space.encode(space.begin);
  const numbers = new Map([[first, 0]]);
  const texts = [first];
  const parents = [-1];
  const steppers: Pick<Step<State>, 'actor' | 'fate'>[] = [{ actor: -1, fate: 'begins' }];
  const [from, to]: [number[], number[]] = [[], []];
  const finals: number[] = [];
  const stack = [0];
  const stateAt = (number: number): State => space.decode(must(texts, number));
  const ended = (what: string | undefined, number: number): Explored<State> => {
    const path: Step<State>[] = [];
    for (let at = number; what !== undefined && at >= 0; at = must(parents, at))
      path.unshift({ ...must(steppers, at), state: stateAt(at) });
    const fault = what === undefined ? undefined : { what, path };
    return { states: texts.length, finals: finals.length, fault };
  };
  for (let number = stack.pop(); number !== undefined; number = stack.pop()) {
    if (texts.length >= most) return ended(undefined, number);
    const state = stateAt(number);
    const steps = await stepsOf(space, state);
    if (space.hasEnded(state)) {
      finals.push(number);
      const fault = await space.faultAtEnd(state);
      if (fault !== undefined) return ended(fault, number);
    }
    for (const step of steps) {
      const text = space.encode(step.state);
      let next = numbers.get(text);
      if (next === undefined) {
        next = texts.length;
        numbers.set(text, next);
        texts.push(text);
        parents.push(number);
        steppers.push({ actor: step.actor, fate: step.fate });
        stack.push(next);
        const fault = space.faultIn(step.state);
        if (fault !== undefined) return ended(fault, next);
      }
      from.push(number);
      to.push(next);
    }
  }
  const lost = cutOff(texts.length, finals, from, to);
  return lost < 0 ? ended(undefined, 0) : ended('no end can be reached', lost);
};

const stepsOf = async <State>(space: Space<State>, state: State): Promise<readonly Step<State>[]> => {
  try {
    return space.steps(state);
  } catch (error) {
    if (!(error instanceof Unlearnt)) throw error;
    return learnt(() => space.steps(state));
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
