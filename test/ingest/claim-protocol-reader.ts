/** Readers with a memory: what a process finds that looks for an identity where it was found last, or anywhere else. */
import { identityRef } from '../../shared/profiles/identity-claims.ts';
import { ownersKnownIn } from '../../shared/profiles/known-owners.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { holdsIdentity } from '../../shared/profiles/resolve-profile.ts';
import { parseEntry } from '../../shared/profiles/stored-profile.ts';
import type { Key } from '../../shared/table/keys.ts';
import type { StoredItem, Table } from '../../shared/table/table.ts';
import { scope } from '../profiles/harness.ts';
import { must } from '../support/explore.ts';
import {
  attributesOf,
  cellOf,
  CLAIMS,
  identities,
  identityNames,
  isProfile,
  isRedirect,
  keyOf,
  namedBy,
  type Item,
} from './claim-protocol-items.ts';
import type { State } from './claim-protocol-state.ts';

type Items = Pick<State, 'claims' | 'entries'>;

const held = new Map<Item, readonly number[]>();

/** The claims of the identities that a profile holds. */
const heldBy = (item: Item): readonly number[] => {
  const known = held.get(item);
  if (known) return known;
  const entry = parseEntry({ ...attributesOf(item), ...keyOf(CLAIMS), w: '' });
  const found = identityNames.flatMap((name, claim) =>
    entry.kind === 'profile' && holdsIdentity(entry.state, identities[name]) ? [claim] : [],
  );
  held.set(item, found);
  return found;
};

const endOf = ({ entries }: Items, from: number): number => {
  let ordinal = from;
  while (ordinal >= 0 && isRedirect(entries[ordinal] ?? 0)) ordinal = namedBy(entries[ordinal] ?? 0);
  return ordinal;
};

/**
 * The fault of a reader in any state: a profile that holds an identity to which the claim does not lead. Whoever remembers
 * this profile would find it, and whoever reads the claim would not.
 */
export const misledBy = (state: Items): string | undefined => {
  for (const [ordinal, item] of state.entries.entries()) {
    if (!isProfile(item)) continue;
    for (const claim of heldBy(item))
      if (endOf(state, namedBy(must(state.claims, claim))) !== ordinal)
        return `${must(identityNames, claim)} is on ${ordinal}, and its claim does not lead there`;
  }
  return undefined;
};

const unused = (): never => {
  throw new Error('a reader does not do this');
};

/** The table of a state, as a process of its own sees it. */
const tableOf = ({ claims, entries }: Items): Table => {
  const itemAt = (key: Key): StoredItem | undefined => {
    const cell = cellOf(key);
    const item = (cell < CLAIMS ? claims[cell] : entries[cell - CLAIMS]) ?? 0;
    return item === 0 ? undefined : { ...attributesOf(item), ...key, w: '' };
  };
  return {
    get: (key) => Promise.resolve(itemAt(key)),
    getMany: (keys) => Promise.resolve(keys.map(itemAt)),
    ...{ query: unused, write: unused, writeMany: unused, transact: unused, put: unused, increment: unused },
  };
};

/** The fault of the real reader in a state: with whatever memory, it finds what it finds without one. */
export const misledReader = async (state: Items): Promise<string | undefined> => {
  for (const [claim, name] of identityNames.entries()) {
    if (state.claims[claim] === 0) continue;
    const identity = identities[name];
    const { key } = identityRef(scope, identity);
    const found = await profileRepository({ table: tableOf(state) }).findOwner(scope, identity);
    for (const ordinal of state.entries.keys()) {
      const table = tableOf(state);
      ownersKnownIn(table).note(key, ordinal);
      const remembered = await profileRepository({ table }).findOwner(scope, identity);
      if (remembered !== found) return `${name} is remembered at ${ordinal}, and finds ${remembered}`;
    }
  }
  return undefined;
};
