import { describe, expect, it } from 'vitest';
import { sealOrdinal } from '../../shared/profiles/profile-uuid.ts';
import { findProfile } from '../../shared/profiles/find-profile.ts';
import { type Key } from '../../shared/table/keys.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { dyingAnywhere } from '../support/death.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { expectConsistent, expectStored } from './consistency.ts';
import { accepted, scope, harnessOn } from '../profiles/harness.ts';

class Crash extends Error {}

/** Leaves claims of these records without profiles, at ordinals 0, 16, 32 …; a process of its own makes each claim. */
const abandoned = async (sent: readonly Readonly<Record<string, string>>[]) => {
  let dies = false;
  const table = new MemoryTable((operation: string, [key]: readonly Key[]) => {
    if (dies && operation === 'insert' && kindOfKey(key?.pk ?? '') === 'profile') throw new Crash();
  });
  for (const record of sent) {
    dies = true;
    await expect(harnessOn(table).apply([accepted(record)])).rejects.toThrow(Crash);
    dies = false;
  }
  return harnessOn(table);
};

describe('a writer that crashes', () => {
  const records = [
    accepted({ unique_id: 'u', email: 'a@b.co', social_id: 's', source: 'web' }, 0),
    accepted({ unique_id: 'v', email: 'a@b.co', extra_data: { k: 1 } }, 1),
    accepted({ email: 'known@b.co', unique_id: 'w', gender: 'f' }, 2),
    accepted({ social_id: 's', city: 'Bonn' }, 3),
  ];

  it('at any operation leaves a state that a second attempt completes', () =>
    dyingAnywhere({
      begin: async (tick) => {
        const harness = harnessOn(new MemoryTable(tick));
        await harness.apply([accepted({ email: 'known@b.co', first_name: 'Known' })]);
        return harness;
      },
      run: ({ apply }) => apply(records),
      check: async ({ table, apply }) => {
        const outcomes = await apply(records);
        expectConsistent(table);
        records.forEach((record, at) => {
          const outcome = outcomes[at];
          if (outcome) expectStored(table, record, outcome);
        });
        const profiles = table.items('profile');
        expect(profiles).toHaveLength(3);
      },
    }));

  it('between claim and profile leaves identities that find no profile', async () => {
    const { table, profiles } = await abandoned([{ email: 'a@b.co' }]);
    expect(table.items().map(({ pk }) => kindOfKey(pk))).toEqual(['property', 'claim']);
    expect(await profiles.findByIdentity(scope, { kind: 'email', value: 'a@b.co' })).toBeUndefined();
  });
});

describe('ordinals of writers that crashed', () => {
  it('are taken over, the lowest for the profile and the others redirected to it', async () => {
    const { table, apply, profiles } = await abandoned([
      { social_id: 's' },
      { unique_id: 'u' },
      { email: 'a@b.co' },
    ]);
    const record = accepted({ unique_id: 'u', email: 'a@b.co', social_id: 's', city: 'Bonn' });
    const [outcome] = await apply([record]);
    expect(outcome).toMatchObject({ kind: 'created', ordinal: 0, warnings: [] });
    expectConsistent(table);
    expect([...(await profiles.readMany(scope.id, [0, 16, 32])).keys()]).toEqual([0]);
    for (const ordinal of [0, 16, 32]) {
      const query = { profile_uuid: sealOrdinal(scope.keys.uuid, ordinal) };
      expect(await findProfile(profiles, scope, query)).toMatchObject({
        profile: { ordinal: 0, fields: { city: 'Bonn' } },
      });
    }
  });

  it('are redirected to a stored profile, even a higher one', async () => {
    const { table, apply } = await abandoned([{ unique_id: 'u' }]);
    await apply([accepted({ email: 'a@b.co' })]);
    const [outcome] = await apply([accepted({ unique_id: 'u', email: 'a@b.co' }, 1)]);
    expect(outcome).toMatchObject({ kind: 'updated', ordinal: 16, warnings: [] });
    expectConsistent(table);
  });

  it('wait for a profile that the same batch creates', async () => {
    const { table, apply } = await abandoned([{ email: 'a@b.co' }]);
    const outcomes = await apply([
      accepted({ unique_id: 'u' }, 0),
      accepted({ unique_id: 'u', email: 'a@b.co', city: 'Bonn' }, 1),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['created', 'updated']);
    expectConsistent(table);
  });
});
