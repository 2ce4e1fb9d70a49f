import { beforeEach, describe, expect, it } from 'vitest';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { freeClaim } from '../../shared/ingest/release-claims.ts';
import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { identityRef, parseClaim, readClaimsOf } from '../../shared/profiles/identity-claims.ts';
import { ownersKnownIn } from '../../shared/profiles/known-owners.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { stateOf } from '../../shared/profiles/profile-state.ts';
import { encodeState, parseEntry, profileItem } from '../../shared/profiles/stored-profile.ts';
import { tombstoneItem } from '../../shared/profiles/tombstone.ts';
import type { Identity } from '../../shared/profiles/types.ts';
import { NEVER, stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { keys } from '../../shared/table/keys.ts';
import type { Table } from '../../shared/table/table.ts';
import { expectConsistent } from '../ingest/consistency.ts';
import { frozenAtWrite } from '../support/frozen.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { viewOf } from '../support/table-view.ts';
import { accepted, harnessOn, NOW, ordinalsOf, scope } from './harness.ts';

const ann = { kind: 'email', value: 'ann@b.co' } as const;
const keyOfAnn = identityRef(scope, ann).key;

let reads: string[][] = [];
let harness: ReturnType<typeof harnessOn>;
beforeEach(async () => {
  reads = [];
  const kindOf = (sk: string): string => (sk === 'CLAIM' ? 'claim' : 'profile');
  const note = (operation: string, wanted: readonly { readonly sk: string }[]): void => {
    if (operation.startsWith('get')) reads.push(wanted.map(({ sk }) => kindOf(sk)));
  };
  harness = harnessOn(new MemoryTable(note));
  await harness.apply([accepted({ email: ann.value, city: 'Bonn' })]);
  reads.length = 0;
});

/** The steps of reads of some work. */
const readsOf = async (work: () => Promise<unknown>): Promise<readonly (readonly string[])[]> => {
  reads.length = 0;
  await work();
  return reads;
};

const find = (identity: Identity = ann) => harness.profiles.findByIdentity(scope, identity);

describe('a lookup', () => {
  it('reads the claim once, and then only the profile', async () => {
    expect(await readsOf(find)).toEqual([['claim'], ['profile']]);
    expect(await readsOf(find)).toEqual([['profile']]);
    expect((await find())?.fields.city).toBe('Bonn');
  });

  it('hears of the ordinal before the profile is read', async () => {
    const heard: string[] = [];
    const look = () =>
      harness.profiles.find(scope, ann, (ordinal) => heard.push(`${ordinal} ${reads.length}`));
    await readsOf(look);
    await readsOf(look);
    expect(heard).toEqual(['0 1', '0 0']);
  });

  it('does not remember an identity that nobody has', async () => {
    const nobody = { kind: 'email', value: 'nobody@b.co' } as const;
    expect(await readsOf(() => find(nobody))).toEqual([['claim']]);
    expect(await readsOf(() => find(nobody))).toEqual([['claim']]);
  });

  it('goes by the claim where the profile that it remembers lacks the identity', async () => {
    await harness.apply([accepted({ email: 'eve@b.co' }, 1)]);
    ownersKnownIn(harness.table).note(keyOfAnn, 1);
    expect(await readsOf(async () => expect((await find())?.ordinal).toBe(0))).toEqual([
      ['profile'],
      ['claim'],
      ['profile'],
    ]);
    expect(await readsOf(find)).toEqual([['profile']]);
  });

  it('finds nobody where it remembers somebody who was forgotten', async () => {
    await find();
    const { w = '' } = (await harness.table.get(keys.profile(scope.id, 0))) ?? {};
    const set = tombstoneItem(stampOf(NOW), null);
    await harness.table.write({ kind: 'update', key: keys.profile(scope.id, 0), set, expect: { w } });
    expect(await find()).toBeUndefined();
    expect(ownersKnownIn(harness.table).of(keyOfAnn)).toBeUndefined();
  });
});

describe('a writer', () => {
  const post = (sent: object, order: number) => () => harness.apply([accepted({ ...sent }, order)]);

  it('reads the claims of a person whom it remembers beside the profile', async () => {
    expect(await readsOf(post({ email: ann.value, city: 'Ulm' }, 1))).toEqual([['claim'], ['profile']]);
    expect(await readsOf(post({ email: ann.value, city: 'Rome' }, 2))).toEqual([['profile', 'claim']]);
    expect((await find())?.fields.city).toBe('Rome');
    expectConsistent(harness.table);
  });

  it('remembers nothing of a batch about several people', async () => {
    await harness.apply([accepted({ email: 'eve@b.co' }, 1)]);
    const both = () =>
      harness.apply([accepted({ email: ann.value, city: 'Ulm' }, 2), accepted({ email: 'eve@b.co' }, 3)]);
    expect(await readsOf(both)).toEqual([
      ['claim', 'claim'],
      ['profile', 'profile'],
    ]);
    expect(ownersKnownIn(harness.table).of(keyOfAnn)).toBeUndefined();
  });

  it('reads the owner after the claim where it remembers another', async () => {
    await harness.apply([accepted({ email: 'eve@b.co' }, 1)]);
    ownersKnownIn(harness.table).note(keyOfAnn, 1);
    expect(await readsOf(post({ email: ann.value, city: 'Ulm' }, 2))).toEqual([
      ['profile', 'claim'],
      ['profile'],
    ]);
    expect((await find())?.fields.city).toBe('Ulm');
  });

  it('reads the new owner where the person whom it remembers has gone since that read', async () => {
    const { table, apply } = harness;
    const meanwhile = async (): Promise<void> => {
      const { w = '' } = (await table.get(keys.profile(scope.id, 0))) ?? {};
      await table.write({
        ...{ kind: 'update', key: keys.profile(scope.id, 0), expect: { w } },
        set: tombstoneItem(stampOf(NOW), null),
      });
      await apply([accepted({ email: ann.value }, 9, { latest: true })]);
    };
    const view = inBetween(table, meanwhile);
    ownersKnownIn(view).note(keyOfAnn, 0);
    const { claims, entries } = await readClaimsOf(view, scope.id, [identityRef(scope, ann)]);
    expect(claims.get(keyOfAnn.pk)?.ordinal).toBe(1);
    expect(entries.get(1)?.kind).toBe('profile');
  });

  it('does not take a unique id from somebody who had another when it was read, and gets this one now', async () => {
    await harness.apply([accepted({ email: ann.value, unique_id: 'old' }, 1)]);
    const { table } = harness;
    const uniqueId = { kind: 'unique_id', value: 'new' } as const;
    const bringing = frozenAtWrite(table, 'update', 'profile');
    let brought: Promise<unknown> = Promise.resolve();
    /** An undo takes the old one away. Then a writer claims the new one for Ann, and is about to store it. */
    const meanwhile = async (): Promise<void> => {
      await takeUniqueId(table, 'old');
      brought = writerIn(bringing.view, 'bringing')(accepted({ email: ann.value, unique_id: 'new' }, 2));
      await bringing.reached;
    };
    const view = inBetween(table, meanwhile);
    ownersKnownIn(view).note(identityRef(scope, uniqueId).key, 0);
    await writerIn(view, 'remembering')(accepted({ unique_id: 'new', city: 'Ulm' }, 3));
    await bringing.reached;
    bringing.thaw();
    await brought;
    expectConsistent(table);
    const found = await profileRepository({ table }).findByIdentity(scope, uniqueId);
    expect(found?.fields).toMatchObject({ city: 'Ulm', email: ann.value });
  });
});

/** The table of a process, in whose first read of several items something happens behind the first of them. */
const inBetween = (table: Table, meanwhile: () => Promise<void>): Table => {
  let isRead = false;
  return viewOf(table, {
    getMany: async (wanted) => {
      if (isRead || wanted.length < 2) return table.getMany(wanted);
      isRead = true;
      const first = await table.getMany(wanted.slice(0, 1));
      await meanwhile();
      return [...first, ...(await table.getMany(wanted.slice(1)))];
    },
  });
};

/** A writer in a process of its own. */
const writerIn = (table: Table, attemptId: string) => (record: AcceptedRecord) =>
  applyRecords({ ...harness.deps, table, ordinals: ordinalsOf(table) }, scope, [record], {
    attemptId,
    index: 'later',
  });

/** Takes the unique id of Ann away, as an undo does: from the profile first, then the claim. */
const takeUniqueId = async (table: Table, value: string): Promise<void> => {
  const key = keys.profile(scope.id, 0);
  const entry = parseEntry(await table.get(key));
  if (entry.kind !== 'profile') throw new Error('nobody is stored');
  const kept = [...entry.state.values()].filter(({ name }) => name !== `unique_id:${value}`);
  const set = profileItem(encodeState(stateOf(kept)), NOW);
  await table.write({ kind: 'update', key, set, expect: { w: entry.w } });
  const claimed = identityRef(scope, { kind: 'unique_id', value }).key;
  const claim = parseClaim(await table.get(claimed));
  if (!claim) throw new Error('there is no claim');
  await table.write({
    ...{ kind: 'update', key: claimed, expect: { w: claim.w } },
    set: freeClaim(NEVER, NOW, claim),
  });
};
