import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { findDisclosures } from '../../shared/exports/disclosures/find-disclosures.ts';
import { encodeFrozen } from '../../shared/exports/model/frozen-set.ts';
import { type LwwRegister, stateOf } from '../../shared/profiles/profile-state.ts';
import { encodeState, profileItem } from '../../shared/profiles/stored-profile.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { keys } from '../../shared/table/keys.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { bodyOf, chunksOf, type Before, PROPERTY, segment, type ExportsHarness } from './harness.ts';
import { answered, jobRef, path, ran, ref, receivers, runNext } from './steps.ts';

const DAY = 86_400_000;
const named = { name: 'Weekly', ...receivers };

const exported = (more: object = named, before: Before = () => undefined) =>
  ran(more, { before, members: [1, 3] });
const lookIn = (harness: ExportsHarness, ordinal: number) =>
  findDisclosures(harness)(PROPERTY, ordinal, harness.fakes.now);
const jobsIn = async (harness: ExportsHarness, ordinal: number) =>
  (await lookIn(harness, ordinal)).exports.map(({ id, jobs, more_jobs }) => ({
    id: Number(id) - scopedId(PROPERTY, 0),
    jobs: jobs.map((job) => Number(job.id) - scopedId(PROPERTY, 0)),
    more_jobs,
  }));
const again = async (harness: ExportsHarness, n: number) => {
  harness.fakes.now += DAY;
  await runNext(harness, n);
};

describe('who may have got the data of a person', () => {
  it('are the receivers of each file, with the states of the deliveries', async () => {
    const harness = await exported();
    harness.fakes.send = () => Promise.resolve(answered(204));
    await harness.deliver(ref);
    const now = new Date(harness.fakes.now);
    expect(await lookIn(harness, 1)).toEqual({
      since: new Date(now.getTime() - 30 * DAY).toISOString(),
      all_looked_at: true,
      exports: [
        {
          id: String(ref.export),
          name: 'Weekly',
          more_jobs: false,
          jobs: [
            {
              id: String(ref.job),
              finished: now.toISOString(),
              file_name: `${ref.export}-${ref.job}.csv`,
              location_until: new Date(now.getTime() + 7 * DAY).toISOString(),
              deliveries: [
                { kind: 'sftp', receiver: 'files.example.com:2222', state: 'waiting', delivered: null },
                {
                  kind: 'webhook',
                  receiver: 'hooks.example.com',
                  state: 'delivered',
                  delivered: now.toISOString(),
                },
                { kind: 'email', receiver: 'Ada@example.test', state: 'waiting', delivered: null },
              ],
            },
          ],
        },
      ],
      enrichers: [],
    });
    // Somebody else, and somebody without a row of an e-mail address: too much is said, never too little.
    expect((await lookIn(harness, 2)).exports).toEqual([]);
    expect((await lookIn(harness, 3)).exports).toHaveLength(1);
  });

  it('are the receivers of the settings that a job had, and of exports that were deleted', async () => {
    const harness = await exported();
    bodyOf(await harness.replace(path, { segment: [segment(2)], webhook_url: 'https://new.example.com/' }));
    await again(harness, 2);
    bodyOf(await harness.remove(path));
    const [one] = (await lookIn(harness, 1)).exports;
    expect(one?.jobs.map(({ deliveries }) => deliveries.map(({ receiver }) => receiver))).toEqual([
      ['new.example.com'],
      ['files.example.com:2222', 'hooks.example.com', 'Ada@example.test'],
    ]);
    expect(one?.name).toBeNull();
  });

  it('are those of a delta whose base has the person, but not of jobs without a file', async () => {
    const harness = await exported({ scope: 'delta' });
    harness.fakes.members.set(segment(2), [3]);
    await again(harness, 2);
    await again(harness, 3);
    bodyOf(await harness.runAgain(path));
    await harness.plan(jobRef(4));
    expect(await jobsIn(harness, 1)).toEqual([{ id: 1, jobs: [2, 1], more_jobs: false }]);
    expect(await jobsIn(harness, 3)).toEqual([{ id: 1, jobs: [3, 2, 1], more_jobs: false }]);
  });

  it('are those of the last 30 days', async () => {
    const harness = await exported();
    harness.fakes.now += 29 * DAY;
    expect(await jobsIn(harness, 1)).toHaveLength(1);
    harness.fakes.now += 2 * DAY;
    expect(await lookIn(harness, 1)).toMatchObject({ exports: [], all_looked_at: true });
  });

  it('may be those of a file whose members are gone', async () => {
    const harness = await exported();
    await harness.files.remove((await harness.exports.job(ref))?.value.plan?.members_key ?? '');
    expect(await jobsIn(harness, 2)).toHaveLength(1);
  });
});

describe('the bounds of the look', () => {
  const { disclosedJobs, namedJobs, disclosureJobs, disclosureExports, disclosureSeconds } = limits.exports;

  it('name some jobs of each revision, and say that there are more', async () => {
    const harness = await exported({});
    for (let n = 2; n <= disclosedJobs + 9; n += 1) await again(harness, n);
    const [one] = await jobsIn(harness, 1);
    expect(one?.more_jobs).toBe(true);
    expect(one?.jobs.slice(0, disclosedJobs)).toEqual(
      Array.from({ length: disclosedJobs }, (_, index) => disclosedJobs + 9 - index),
    );
    expect((await lookIn(harness, 1)).all_looked_at).toBe(true);
    expect(await jobsIn(harness, 2)).toEqual([]);
  });

  it('name so many jobs that the answer is small enough', async () => {
    const harness = await exported({});
    const first = (await harness.exports.job(ref))?.value;
    if (!first?.plan) throw new Error('the job is missing');
    for (let n = 2; n <= namedJobs + 50; n += 1) {
      const plan = { ...first.plan, revision: n };
      await harness.exports.insertJob({ ...first, plan, job: scopedId(PROPERTY, n), run: n });
    }
    const { all_looked_at, exports } = await lookIn(harness, 1);
    expect(all_looked_at).toBe(false);
    expect(exports.flatMap(({ jobs }) => jobs).length).toBeLessThan(namedJobs + 10);
  });

  it.each(['table query', 'files get'])('say so when the time was too short: at each %s', async (slow) => {
    let calls = 0;
    let passes = (): void => undefined;
    const harness = await exported({}, (operation) => {
      if (operation !== slow) return;
      calls += 1;
      passes();
    });
    await harness.table.increment(keys.counter(PROPERTY, 'export'), 40);
    for (let n = 2; n <= 20; n += 1) await again(harness, n);
    expect(await lookIn(harness, 2)).toMatchObject({ all_looked_at: true });
    const asked = harness.fakes.now;
    calls = 0;
    passes = () => (harness.fakes.now += disclosureSeconds * 1_000);
    expect(await findDisclosures(harness)(PROPERTY, 2, asked)).toMatchObject({ all_looked_at: false });
    expect(calls).toBeLessThan(18);
  });

  it('are those of an older export, too, though another one has a file every few minutes', async () => {
    const harness = await exported({});
    await harness.table.increment(keys.counter(PROPERTY, 'export'), 1);
    const first = (await harness.exports.job(ref))?.value;
    if (!first?.plan) throw new Error('the job is missing');
    await harness.files.put('others', encodeFrozen(chunksOf([2])));
    const busy = { ...first, export: scopedId(PROPERTY, 2), plan: { ...first.plan, members_key: 'others' } };
    for (let n = 2; n <= disclosureJobs + 1; n += 1)
      await harness.exports.insertJob({ ...busy, job: scopedId(PROPERTY, n), run: n });
    const { all_looked_at, exports } = await lookIn(harness, 1);
    expect(all_looked_at).toBe(false);
    expect(exports.map(({ id }) => id)).toEqual([String(ref.export)]);
  });

  it('say so when an export has too many jobs, or the property too many exports', async () => {
    let queries = 0;
    const harness = await exported({}, (operation) => (queries += Number(operation === 'table query')));
    const first = (await harness.exports.job(ref))?.value;
    if (!first) throw new Error('the job is missing');
    for (let n = 2; n <= 3 * disclosureJobs; n += 1)
      await harness.exports.insertJob({ ...first, job: scopedId(PROPERTY, n), run: n });
    queries = 0;
    expect((await lookIn(harness, 2)).all_looked_at).toBe(false);
    expect(queries).toBe(1);

    const several = await exported({});
    await several.table.increment(keys.counter(PROPERTY, 'export'), 1);
    const known = { ...first, plan: (await several.exports.job(ref))?.value.plan ?? null };
    for (let n = 2; n <= disclosureJobs + 1; n += 1) {
      const [id, job] = [scopedId(PROPERTY, 1 + (n % 2)), scopedId(PROPERTY, n)];
      await several.exports.insertJob({ ...known, export: id, job, run: n });
    }
    expect((await lookIn(several, 2)).all_looked_at).toBe(false);

    const many = await exported({});
    await many.table.increment(keys.counter(PROPERTY, 'export'), disclosureExports);
    // The export is older than the newest ids; it is found because it lives.
    expect(await lookIn(many, 1)).toMatchObject({
      all_looked_at: false,
      exports: [{ id: String(ref.export) }],
    });
  });
});

it('the enrichers of the property may have been asked, and those with values were', async () => {
  const harness = await exported({});
  const secret = new Uint8Array(1);
  const enricher = { asks: 'identity', tiers: ['provider_1'], secret };
  const set = [
    { ...enricher, name: 'network', url: 'https://one.example.com/' },
    { ...enricher, name: 'other', url: 'https://two.example.com/' },
  ];
  await harness.table.put(keys.enrichers(PROPERTY), { enrichers: set });
  const register = (name: string, origin: string): LwwRegister => ({
    area: 'value',
    name,
    tier: 5,
    value: 'x',
    stamp: stampOf(1),
    origin,
  });
  const state = stateOf([register('city', 'enricher:network'), register('state', 'enricher:former')]);
  await harness.table.put(keys.profile(PROPERTY, 1), profileItem(encodeState(state), 1));
  expect((await lookIn(harness, 1)).enrichers).toEqual([
    { name: 'network', url: 'https://one.example.com/', answered: true },
    { name: 'other', url: 'https://two.example.com/', answered: false },
    { name: 'former', url: null, answered: true },
  ]);
  expect((await lookIn(harness, 2)).enrichers.map(({ answered }) => answered)).toEqual([false, false]);
});
