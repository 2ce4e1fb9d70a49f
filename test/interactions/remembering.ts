/** Readers with a memory, beside all protocols: whatever a process remembers, it finds whom the claim leads to. */
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { identityRef } from '../../shared/profiles/identity-claims.ts';
import { ownersKnownIn } from '../../shared/profiles/known-owners.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { identitiesOf } from '../../shared/profiles/resolve-profile.ts';
import { parseEntry } from '../../shared/profiles/stored-profile.ts';
import type { Identity } from '../../shared/profiles/types.ts';
import { PROFILES_PER_BLOCK, type Key } from '../../shared/table/keys.ts';
import type { StoredItem, Table } from '../../shared/table/table.ts';
import { scope } from '../profiles/harness.ts';
import type { MemoryTable } from '../support/memory-table.ts';
import { viewOf } from '../support/table-view.ts';

const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

/** Watches a table over a history: the identities of everybody who was ever there, and the ordinals. */
export const rememberingReaders = () => {
  const identities = new Map<string, Identity>();
  const ordinals = new Set<number>();
  return {
    /** Throws if a memory of any of these ordinals misleads a reader now. */
    look: async (table: MemoryTable): Promise<void> => {
      const items = new Map<string, StoredItem>();
      for (const item of table.items()) {
        items.set(nameOf(item), item);
        if (kindOfKey(item.pk) !== 'profile') continue;
        const entry = parseEntry(item);
        ordinals.add(Number(item.pk.split('#').at(-1)) * PROFILES_PER_BLOCK + Number(item.sk));
        if (entry.kind !== 'profile') continue;
        for (const { kind, value } of identitiesOf(entry.state))
          identities.set(`${kind} ${value}`, { kind, value });
      }
      /** The table at this moment, as a process of its own sees it. */
      const process = (): Table =>
        viewOf(table, {
          get: (key) => Promise.resolve(items.get(nameOf(key))),
          getMany: (keys) => Promise.resolve(keys.map((key) => items.get(nameOf(key)))),
        });
      for (const [name, identity] of identities) {
        const found = await profileRepository({ table: process() }).findOwner(scope, identity);
        for (const ordinal of ordinals) {
          const own = process();
          ownersKnownIn(own).note(identityRef(scope, identity).key, ordinal);
          const remembered = await profileRepository({ table: own }).findOwner(scope, identity);
          if (remembered !== found)
            throw new Error(`${name} is remembered at ${ordinal}: ${remembered} instead of ${found}`);
        }
      }
    },
  };
};
