/** Pointers that a refused round, a restore of the table, or release 0.2.0 beside may have left or lost. */
import { describe, expect, it } from 'vitest';
import { pointerKeysOf } from '../../shared/profiles/pointer-keys.ts';
import { givePointers, needsPointers } from '../../shared/profiles/settle-pointers.ts';
import { parseEntry, type OrdinalEntry } from '../../shared/profiles/stored-profile.ts';
import type { PropertyScope } from '../../shared/properties/scope.ts';
import type { StoredItem } from '../../shared/table/table.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { accepted, scope as plain } from '../profiles/harness.ts';
import { seeded } from './interleave.ts';
import { scheduledHarness } from './undo-harness.ts';

const searched: PropertyScope = { ...plain, rules: { ...plain.rules, searchNames: true, allNames: false } };
const ada = (values: Readonly<Record<string, unknown>>) => ({ email: 'ada@example.org', ...values });
const pause = (): Promise<void> => Promise.resolve();

/** A person whom the service stored, with the rules `now` says. */
const stored = async (values: Readonly<Record<string, unknown>>, begun: PropertyScope) => {
  let now = begun;
  const { table, harness } = await scheduledHarness([], { scopeNow: () => now });
  await harness.post(accepted(ada(values), 1));
  const entryOf = (): Extract<OrdinalEntry, { kind: 'profile' }> => {
    const [entry] = table.items('profile').map(parseEntry);
    if (entry?.kind !== 'profile') throw new Error('there is no profile');
    return entry;
  };
  const places = (): readonly string[] =>
    table
      .items()
      .filter(({ pk }) => ['phone-pointer', 'name-pointer'].includes(kindOfKey(pk)))
      .map(nameOf);
  return {
    table,
    post: (more: Readonly<Record<string, unknown>>, order: number) =>
      harness.post(accepted(ada(more), order)),
    rules: (scope: PropertyScope) => {
      now = scope;
    },
    entryOf,
    places,
  };
};

const nameOf = ({ pk, sk }: Pick<StoredItem, 'pk' | 'sk'>): string => `${pk} ${sk}`;
const listedOf = (entry: { readonly pointers: readonly string[] }): readonly string[] =>
  pointerKeysOf(plain.id, 0, entry.pointers).map(nameOf);

describe('a pass over all people', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'leaves nothing that no profile lists, when somebody changes the name meanwhile (schedule %d)',
    async (seed) => {
      const { table, post, rules, entryOf, places } = await stored({ last_name: 'Noor' }, plain);
      rules(searched);
      const acts = [
        () => givePointers({ table, pause }, searched, [{ ordinal: 0 }]),
        async () => {
          await post({ last_name: 'Lee' }, 2);
        },
      ];
      await table.interleave<unknown>(acts, seeded(seed), 0);
      // The list may have marks of what is gone. It lacks nothing that is there.
      expect(listedOf(entryOf())).toEqual(expect.arrayContaining([...places()]));
    },
  );

  it('stores a listed pointer once more that a restore has lost', async () => {
    const { table, entryOf, places } = await stored({ last_name: 'Noor' }, searched);
    const [lost] = table.items().filter(({ pk }) => kindOfKey(pk) === 'name-pointer');
    if (!lost) throw new Error('there is no pointer');
    await table.write({ kind: 'delete', key: { pk: lost.pk, sk: lost.sk }, expect: {} });
    expect(needsPointers(searched, entryOf().state, entryOf().pointers)).toBe(false);
    await givePointers({ table, pause }, searched, [{ ordinal: 0 }]);
    expect(places()).toEqual([]);
    await givePointers({ table, pause }, searched, [{ ordinal: 0 }], true);
    expect(places()).toEqual([nameOf(lost)]);
    expect(places()).toEqual(listedOf(entryOf()));
  });
});

it('a pointer from a number that has ended stays where the property does not search by name: 0.2.0 may write beside', async () => {
  const { table, post, rules, entryOf, places } = await stored({ phone_number: '+4915112345678' }, searched);
  // The end of the first number dies between the profile and the pointer.
  const [first] = table.items().filter(({ pk }) => kindOfKey(pk) === 'phone-pointer');
  await post({ phone_number: '+4915187654321' }, 2);
  if (!first) throw new Error('there is no pointer');
  await table.write({ kind: 'insert', key: { pk: first.pk, sk: first.sk }, set: {} });
  const marked = entryOf().pointers.filter((one) => one.startsWith('-'));
  rules(plain);
  await post({ phone_number: '+4915100000000' }, 3);
  expect(entryOf().pointers).toEqual(expect.arrayContaining([...marked]));
  expect(places()).toContain(nameOf(first));
});
