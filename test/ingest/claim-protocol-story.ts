import type { Fault } from '../support/explore.ts';
import {
  attributesOf,
  identityNames,
  isProfile,
  isRedirect,
  namedBy,
  type Item,
} from './claim-protocol-items.ts';
import type { Scene } from './claim-protocol-scenes.ts';
import type { State } from './claim-protocol-state.ts';

/**
 * The steps that lead to a fault, each with its actor and the table after it. Reads and steps on memories show no
 * change.
 */
export const storyOf = ({ what, path }: Fault<State>, { programs }: Scene): string => {
  const lines = path.map(({ actor, fate, state }) => {
    const who = actor < 0 ? 'begin' : `${actor} (${programs[actor]?.name ?? ''}) ${fate}`;
    return `  ${who.padEnd(28)} ${claimsOf(state)} | ${slotsOf(state)}`;
  });
  return [what, ...lines].join('\n');
};

const claimsOf = ({ claims }: State): string =>
  claims
    .flatMap((item, at) => {
      if (item === 0) return [];
      return [`${identityNames[at] ?? ''}→${namedBy(item) < 0 ? 'free' : namedBy(item)}`];
    })
    .join(' ');

const slotsOf = ({ entries }: State): string =>
  entries.map((item, ordinal) => `${ordinal}: ${slotText(item)}`).join(', ');

const slotText = (item: Item): string => {
  if (item === 0) return 'empty';
  if (isRedirect(item)) return `→${namedBy(item)}`;
  if (!isProfile(item)) return 'tombstone';
  const { state } = attributesOf(item);
  // Profiles of the model contain identities and marks only.
  return typeof state === 'string' ? state.replace(/"(tier|stamp|origin)":[^,]*,/g, '') : 'broken';
};
