import { expect } from 'vitest';
import { emptyState, mergeStates, stateOf, type State } from '../../shared/profiles/profile-state.ts';
import { encodeState, parseEntry, profileItem } from '../../shared/profiles/stored-profile.ts';
import type { Choose } from '../ingest/interleave.ts';

const shuffled = <T>(items: readonly T[], choose: Choose): T[] => {
  const left = [...items];
  return items.flatMap(() => left.splice(choose(left.length), 1));
};

/** Merges states, and expects the same in another order, in groups, with some of them twice, and from the store. */
export const mergedInAnyOrder = (states: readonly State[], choose: Choose, what: string): State => {
  const merge = (some: readonly State[]): State => some.reduce(mergeStates, emptyState);
  const inOrder = merge(states);
  const again = shuffled([...states, ...states.slice(choose(states.length))], choose);
  const cut = choose(again.length);
  const grouped = mergeStates(merge(again.slice(0, cut)), merge(again.slice(cut)));
  expect(encodeState(grouped), what).toBe(encodeState(inOrder));
  const stored = parseEntry({ pk: 'p', sk: 's', w: 'w', ...profileItem(encodeState(inOrder), 0) });
  expect(stored.kind === 'profile' && stored.state, what).toEqual(stateOf(inOrder.values()));
  return inOrder;
};
