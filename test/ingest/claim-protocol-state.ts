import {
  CLAIMS,
  isProfile,
  isRedirect,
  namedBy,
  naming,
  ORDINALS,
  type Item,
} from './claim-protocol-items.ts';
import { DEAD, DONE } from '../support/learnt-progress.ts';

/** The position of an actor: its progress, and the ordinals that it knows, as bits. */
export interface Place {
  readonly progress: number;
  readonly known: number;
}

/** The complete state: the table and the position of every actor. */
export interface State {
  /** Crashes that may still happen. */
  crashes: number;
  readonly actors: Place[];
  readonly claims: Item[];
  /** Items by ordinal. */
  readonly entries: Item[];
}

/** Whether an actor has ended or died. */
export const hasEnded = ({ progress }: Place): boolean => progress === DONE || progress === DEAD;

const FIELD = 2 ** 15;

/** A state as text; equal states have equal texts. */
export const encode = ({ crashes, actors, claims, entries }: State): string => {
  const codes = [crashes];
  for (const { progress, known } of actors) codes.push(Math.floor(progress / FIELD), progress % FIELD, known);
  for (const item of claims) codes.push(Math.floor(item / FIELD), item % FIELD);
  for (const item of entries) codes.push(Math.floor(item / FIELD), item % FIELD);
  return String.fromCharCode(...codes);
};

export const decode = (text: string, count: number): State => {
  let at = 1;
  const number = (): number => text.charCodeAt(at++) * FIELD + text.charCodeAt(at++);
  const actors: Place[] = [];
  for (let actor = 0; actor < count; actor += 1)
    actors.push({ progress: number(), known: text.charCodeAt(at++) });
  const claims: Item[] = [];
  for (let claim = 0; claim < CLAIMS; claim += 1) claims.push(number());
  const entries: Item[] = [];
  while (at < text.length) entries.push(number());
  return { crashes: text.charCodeAt(0), actors, claims, entries };
};

export const copyOf = ({ crashes, actors, claims, entries }: State): State => ({
  crashes,
  actors: [...actors],
  claims: [...claims],
  entries: [...entries],
});

/** The position of an ordinal in the order of a set. */
export const rankOf = (ordinals: number, ordinal: number): number => {
  let rank = 0;
  for (let bits = ordinals & ((1 << ordinal) - 1); bits !== 0; bits &= bits - 1) rank += 1;
  return rank;
};

/** The ordinal at a position in the order of a set. */
export const ordinalAt = (ordinals: number, rank: number): number => {
  let bits = ordinals;
  for (let at = 0; at < rank; at += 1) bits &= bits - 1;
  return 31 - Math.clz32(bits & -bits);
};

const bitOf = (ordinal: number): number => (ordinal < 0 ? 0 : 1 << ordinal);

/** Ordinals that an item mentions, or that have a profile; no actor can reach entries at other ordinals. */
const usedBy = ({ actors, claims, entries }: State): number => {
  let used = 0;
  for (const { known } of actors) used |= known;
  for (const item of claims) used |= bitOf(namedBy(item));
  entries.forEach((item, ordinal) => {
    if (isProfile(item)) used |= bitOf(ordinal);
  });
  for (let before = 0; before !== used;) {
    before = used;
    entries.forEach((item, ordinal) => {
      if ((used & bitOf(ordinal)) !== 0 && isRedirect(item)) used |= bitOf(namedBy(item));
    });
  }
  return used;
};

/** The state with its ordinals renumbered. */
const renumbered = (state: State, numberOf: (ordinal: number) => number, kept: readonly number[]): State => {
  const item = (one: Item): Item => (namedBy(one) < 0 ? one : naming(one, numberOf(namedBy(one))));
  const entries: Item[] = [];
  for (const ordinal of kept) entries[numberOf(ordinal)] = item(state.entries[ordinal] ?? 0);
  for (let ordinal = 0; ordinal < entries.length; ordinal += 1) entries[ordinal] ??= 0;
  return {
    crashes: state.crashes,
    actors: state.actors.map(({ progress, known }) => {
      let bits = 0;
      for (const ordinal of kept) if ((known & bitOf(ordinal)) !== 0) bits |= bitOf(numberOf(ordinal));
      return { progress, known: bits };
    }),
    claims: state.claims.map(item),
    entries,
  };
};

/** The state with its used ordinals renumbered from 0: only the order of ordinals matters. */
export const canonical = (state: State): State => {
  const used = usedBy(state);
  const count = rankOf(used, 31);
  if (used === (1 << count) - 1 && state.entries.length === count) return state;
  const kept: number[] = [];
  for (let ordinal = 0; ordinal < 31; ordinal += 1) if ((used & bitOf(ordinal)) !== 0) kept.push(ordinal);
  return renumbered(state, (ordinal) => rankOf(used, ordinal), kept);
};

/** The state with new ordinals in the order; the first of them is the `at`-th. */
export const withNew = (state: State, at: number, count: number): State => {
  if (state.entries.length + count > ORDINALS) throw new Error('the model has too few ordinals');
  const moved = renumbered(
    state,
    (ordinal) => (ordinal < at ? ordinal : ordinal + count),
    state.entries.map((_, ordinal) => ordinal),
  );
  while (moved.entries.length < state.entries.length + count) moved.entries.push(0);
  return moved;
};

/** Whether the redirects from every ordinal end. */
export const redirectsEnd = ({ entries }: State): boolean =>
  entries.every((_, from) => {
    let ordinal = from;
    for (let hop = 0; hop <= entries.length; hop += 1) {
      const item = entries[ordinal] ?? 0;
      if (!isRedirect(item)) return true;
      ordinal = namedBy(item);
    }
    return false;
  });
