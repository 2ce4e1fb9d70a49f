/** The counts of a builder: the whole first, then each rule that is not counted yet. */
import { useMemo } from 'preact/hooks';
import type { Sized } from '../catalogue.ts';
import { exactly, useCounts, type Count } from '../counts.ts';
import type { Definition } from '../definition.ts';
import { definitionOf, rulesIn, type Group } from './draft.ts';

/** The page waits so long after the last key, so that a word is one question. */
export const TYPING_MS = 400;

/** The size of a segment that the page knows already. */
const knownCount = (definition: Definition, sizes: ReadonlyMap<number, number>): Count | undefined => {
  const people = typeof definition === 'number' ? sizes.get(definition) : undefined;
  return people === undefined ? undefined : exactly(people, '');
};

/** Counts a group and each of its rules. */
export const useRuleCounts = (group: Group, segments: readonly Sized[]) => {
  const sizes = useMemo(() => new Map(segments.map(({ id, count }) => [id, count])), [segments]);
  const definition = definitionOf(group);
  const rules = rulesIn(group).flatMap((rule) => {
    const own = definitionOf(rule);
    return own === undefined ? [] : [{ key: rule.key, definition: own }];
  });
  const asked = rules.filter((rule) => knownCount(rule.definition, sizes) === undefined);
  const whole = definition === undefined ? [] : [definition];
  const { counts, problem } = useCounts([...whole, ...asked.map((rule) => rule.definition)], TYPING_MS);
  const [total, ...others] = definition === undefined ? [undefined, ...counts] : counts;
  const ofRules = new Map<number, Count>();
  for (const rule of rules) {
    // A rule that is the whole has the number of the whole, which is newer than the measured size.
    const isWhole = total !== undefined && JSON.stringify(rule.definition) === JSON.stringify(definition);
    const count = isWhole ? total : (knownCount(rule.definition, sizes) ?? others[asked.indexOf(rule)]);
    if (count) ofRules.set(rule.key, count);
  }
  return { total, counts: ofRules, definition, problem };
};
