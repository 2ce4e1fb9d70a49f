/** What a person withdrew stands when the person goes, until somebody with the same identity gives consent again. */
import { describe, expect, it } from 'vitest';
import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { limits } from '../../shared/config/limits.ts';
import { identityRef, parseClaim } from '../../shared/profiles/identity-claims.ts';
import { keys } from '../../shared/table/keys.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { dyingAnywhere } from '../support/death.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { indexedHarness } from './indexed-harness.ts';
import { ofJob, withJobs, jobs } from './undo-harness.ts';

const email = 'ann@example.org';
const ann = { kind: 'email', value: email } as const;
const SKEW_MS = limits.clockSkewSeconds * 1000;

/** A record that says something about mail, as Ann's file or request of a minute. */
const says = (
  state: 'given' | 'withdrawn',
  { minute, dated = true, origin = 'enricher:list' }: { minute: number; dated?: boolean; origin?: string },
) =>
  accepted(
    {
      email,
      consent: [
        { channel: 'email', state, ...(dated && { datetime: new Date(NOW + minute * 1_000).toISOString() }) },
      ],
    },
    0,
    { origin, stamp: `${NOW + minute * 60_000}.000000000` },
  );

/** An old list of customers that says yes, without a date. */
const oldYes = says('given', { minute: 30, dated: false });

const consentOf = async (table: MemoryTable): Promise<string | undefined> =>
  (await indexedHarness(table).find(ann))?.consent[0]?.state;

const claimOf = async (table: MemoryTable) => {
  const item = await table.get(identityRef(scope, ann).key);
  return { ...parseClaim(item), ttl: item?.['ttl'] };
};

/** Ann is known, and has said these things. */
const known = async (table: MemoryTable, ...said: readonly ReturnType<typeof says>[]) => {
  const harness = indexedHarness(table);
  const outcomes = await harness.apply([accepted({ email, unique_id: 'u' }), ...said]);
  const [first] = outcomes;
  if (first?.kind !== 'created') throw new Error('not stored');
  return { ...harness, ordinal: first.ordinal };
};

describe('the withdrawal of a person who is forgotten', () => {
  it('stands against an old yes without a date, and ends with a consent that the person gives', async () => {
    const table = new MemoryTable();
    const { forget, apply, clock, ordinal } = await known(table, says('withdrawn', { minute: 1 }));
    await forget(ordinal);
    expect(await claimOf(table)).toMatchObject({
      ...{ ordinal: null, ttl: null },
      withdrawn: [{ channel: 'email', datetime: '2026-01-15 12:00:01' }],
    });
    clock.now += 3_600_000;
    await apply([oldYes]);
    expect(await consentOf(table)).toBe('withdrawn');
    const vendor = says('given', { minute: 40 });
    await apply([{ ...vendor, patch: { ...vendor.patch, tier: 4 } }]);
    expect(await consentOf(table)).toBe('withdrawn');
    await apply([says('given', { minute: 50 })]);
    expect(await consentOf(table)).toBe('given');
  });

  it('is not kept once consent was given again', async () => {
    const table = new MemoryTable();
    const said = [says('withdrawn', { minute: 1 }), says('given', { minute: 2 })];
    const { forget, ordinal } = await known(table, ...said);
    await forget(ordinal);
    const claim = await claimOf(table);
    expect([claim.withdrawn, typeof claim.ttl]).toEqual([null, 'number']);
  });

  it('goes to whoever gets the identity next, also a person who exists', async () => {
    const table = new MemoryTable();
    const { forget, apply, clock, ordinal } = await known(table, says('withdrawn', { minute: 1 }));
    await forget(ordinal);
    clock.now += 3_600_000;
    const stamp = `${NOW + 1_800_000}.000000000`;
    await apply([accepted({ unique_id: 'v' }, 0, { stamp })]);
    await apply([accepted({ unique_id: 'v', email }, 1, { stamp: `${NOW + 1_900_000}.000000000` })]);
    expect(await consentOf(table)).toBe('withdrawn');
  });

  it('stands when the forgetting dies anywhere, for a record that comes before its repetition', () =>
    dyingAnywhere({
      begin: async (tick) => {
        const table = new MemoryTable(tick);
        return { table, ...(await known(table, says('withdrawn', { minute: 1 }))) };
      },
      run: ({ forget, ordinal }) => forget(ordinal),
      check: async ({ table, apply, forget, sweep, clock, ordinal }) => {
        clock.now += 2 * SKEW_MS;
        await apply([oldYes]);
        expect(await consentOf(table)).toBe('withdrawn');
        await forget(ordinal);
        await sweep();
        await apply([says('given', { minute: 90, dated: false })]);
        expect(await consentOf(table)).toBe('withdrawn');
      },
    }));

  it('stands when a writer takes the identity, dies, and its record never comes again', async () => {
    await dyingAnywhere({
      begin: async (tick) => {
        const table = new MemoryTable(tick);
        const harness = await known(table, says('withdrawn', { minute: 1 }));
        await harness.forget(harness.ordinal);
        harness.clock.now += 3_600_000;
        return { table, ...harness };
      },
      run: ({ apply }) => apply([oldYes]),
      check: async ({ table, apply }) => {
        await apply([says('given', { minute: 40, dated: false, origin: 'enricher:shop' })]);
        expect(await consentOf(table)).toBe('withdrawn');
      },
    });
  });

  it('stands when the next one with the identity is forgotten while a record is under way', () =>
    dyingAnywhere({
      begin: async (tick) => {
        const table = new MemoryTable(tick);
        const harness = await known(table, says('withdrawn', { minute: 1 }));
        await harness.forget(harness.ordinal);
        const [next] = await harness.apply([accepted({ unique_id: 'v' })]);
        harness.clock.now += 3_600_000;
        return { ...{ table, harness }, next: next?.kind === 'created' ? next.ordinal : NaN };
      },
      run: ({ harness }) => harness.apply([joining]),
      check: async ({ table, harness, next }) => {
        await harness.forget(next);
        await harness.apply([joining]);
        harness.clock.now += 3_600_000;
        await harness.apply([says('given', { minute: 110, dated: false })]);
        expect(await consentOf(table)).toBe('withdrawn');
      },
    }));

  it('is read from tombstones that an earlier release has left unfinished', async () => {
    const table = new MemoryTable();
    const { forget, ordinal } = await known(table);
    await forget(ordinal);
    const key = keys.profile(scope.id, ordinal);
    const { pk, sk, w, ...tombstone } = (await table.get(key)) ?? { pk: '', sk: '', w: '' };
    expect([pk, sk, w]).not.toContain('');
    const rest = { claims: [], phones: [], segments: new Uint8Array(), removed: noneRemoved };
    await table.put(key, { ...tombstone, unfinished: rest });
    expect(await forget(ordinal)).toEqual(noneRemoved);
  });
});

/** Another person gets Ann's address. */
const joining = accepted({ unique_id: 'v', email }, 0, { stamp: `${NOW + 1_800_000}.000000000` });

const noneRemoved = {
  ...{ attributes: 0, identities: 0, extra_data: 0, tags: 0, social_likes: 0 },
  ...{ sources: 0, consent: 0, segments: 0, moments: 0 },
};

describe('the undo of an import', () => {
  const [JOB, OTHER] = jobs;
  const yes = { channel: 'email', state: 'given' };
  const no = { channel: 'email', state: 'withdrawn', datetime: '2026-01-02 00:00:00' };

  const begun = async (tick?: () => void) => {
    const work = new MemoryObjects(tick);
    const { table, harness } = await withJobs(new MemoryTable(tick), [JOB, OTHER], { work });
    return { table, ...harness };
  };

  it('takes back what was given, keeps what was withdrawn, and counts both', async () => {
    const { table, apply, post, undo, countsOf } = await begun();
    await post(accepted({ email, consent: [{ ...yes, datetime: '2026-01-01 00:00:00' }] }));
    await apply([ofJob(JOB, { email, city: 'Bonn', consent: [no] }, 1)]);
    await apply([ofJob(OTHER, { email, consent: [{ ...yes, datetime: '2026-01-03 00:00:00' }] }, 2)]);
    expect(await consentOf(table)).toBe('given');
    await undo(OTHER);
    expect(await consentOf(table)).toBe('withdrawn');
    await undo(JOB);
    expect(await consentOf(table)).toBe('withdrawn');
    expect((await countsOf(JOB)).values).toEqual({ taken_back: 2, replaced: 0, kept: 1 });
  });

  it('keeps what was withdrawn of people whom only the job named, wherever it dies', () =>
    dyingAnywhere({
      begin: async (tick) => {
        const scene = await begun(tick);
        await scene.apply([
          ofJob(JOB, { email, consent: [no] }, 1),
          ofJob(OTHER, { email, consent: [{ ...no, channel: 'sms' }] }, 2),
        ]);
        return scene;
      },
      run: async ({ undo }) => {
        await undo(JOB);
        await undo(OTHER);
      },
      check: async ({ table, apply, undo }) => {
        for (const job of [JOB, OTHER, JOB]) await undo(job);
        expect(await indexedHarness(table).find(ann)).toBeUndefined();
        const both = { email, consent: [yes, { ...yes, channel: 'sms' }] };
        await apply([ofJob(jobs[2], both, 9)]);
        const found = await indexedHarness(table).find(ann);
        expect(found?.consent.map(({ channel, state }) => [channel, state])).toEqual([
          ['email', 'withdrawn'],
          ['sms', 'withdrawn'],
        ]);
      },
    }));

  it('keeps on the identity what an earlier owner had withdrawn', async () => {
    const { table, apply, post, undo, forget } = await begun();
    const [first] = await post(accepted({ email, consent: [no] }));
    if (first?.kind !== 'created') throw new Error('not stored');
    await forget(first.ordinal);
    await post(accepted({ unique_id: 'v' }, 10));
    await apply([ofJob(JOB, { unique_id: 'v', email }, 11)].map(afterForgetting));
    await post(accepted({ unique_id: 'v', consent: [yes] }, 12));
    expect(await consentOf(table)).toBe('given');
    await undo(JOB);
    expect(await indexedHarness(table).find(ann)).toBeUndefined();
    await apply([ofJob(OTHER, { email, consent: [yes] }, 13)].map(afterForgetting));
    expect(await consentOf(table)).toBe('withdrawn');
  });
});

const afterForgetting = (record: AcceptedRecord): AcceptedRecord => ({
  ...record,
  stamp: `${NOW + 2 * SKEW_MS}.000000000`,
});
