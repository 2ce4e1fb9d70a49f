import * as v from 'valibot';
import { expect, it } from 'vitest';
import { segmentChanges } from '../../shared/exports/model/export-events.ts';
import { changeItem } from '../../shared/table/change-item.ts';
import { keys } from '../../shared/table/keys.ts';
import { bodyOf, type ExportsHarness, PROPERTY, segment } from './harness.ts';
import { answered, columnsOf, jobRef, ref, runNext, withPeople } from './steps.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];

/** An export whose receiver asks for no first changes. */
const silentFeed = async (members: readonly number[]): Promise<ExportsHarness> => {
  const harness = withPeople({ count: 8, members });
  harness.fakes.now += HOUR;
  harness.fakes.send = () => Promise.resolve(answered(204));
  const feed = {
    ...{ segment: [segment(2)], scope: 'delta', data_format: 'jsonl', ...columnsOf('email') },
    changes: { url: 'https://crm.example.com/hooks', first: 'none' },
  };
  bodyOf(await harness.create(feed));
  return harness;
};

/** Runs the `n`-th job with these members, tells its changes, and lists the calls in which it did. */
const tell = async (harness: ExportsHarness, n: number, members: readonly number[]) => {
  harness.fakes.now += 5 * MINUTE;
  harness.fakes.members.set(segment(2), members);
  const before = harness.sent.length;
  await runNext(harness, n);
  await harness.tellChanges(jobRef(n));
  return harness.sent.slice(before).map(({ body }) => {
    const { delta_from, part, last, changes } = v.parse(segmentChanges, JSON.parse(body));
    const told = changes.map(({ change, profile }) => `${change} ${String(profile['email']).split('@')[0]}`);
    return { delta_from, part, last, told };
  });
};

const discard = { delta_from: null, part: 1, last: true, told: [] };
const from = (job: number) => ({ delta_from: String(jobRef(job).job), part: 1, last: true });

/** The table is restored to this time. */
const restore = async (harness: ExportsHarness): Promise<void> => {
  const key = keys.counter(PROPERTY, 'export-job');
  const set = { value: 100, raised: new Date(harness.fakes.now).toISOString() };
  await changeItem(harness, { key, what: 'a counter' }, () => ({ result: undefined, set }));
  harness.fakes.now += HOUR;
};

it('a new receiver that asks for no first changes hears nothing before the first change', async () => {
  const harness = await silentFeed([1]);
  expect(await tell(harness, 1, [1])).toEqual([]);
  expect(await tell(harness, 2, [1])).toEqual([]);
  expect(await tell(harness, 3, [1, 2])).toEqual([{ ...from(1), told: ['added p2'] }]);
});

it('a receiver that was gone for many jobs hears of everybody whom any of them named', async () => {
  const harness = await silentFeed([1]);
  await tell(harness, 1, [1]);
  await tell(harness, 2, [1, 2]);
  harness.fakes.send = () => Promise.resolve(answered(410));
  // Somebody else comes for one job, and leaves before the next.
  for (let n = 3; n < 16; n += 1) await tell(harness, n, [1, n === 5 ? 4 : 5]);
  const definition = (await harness.exports.definition(PROPERTY, ref.export))?.value;
  expect(definition).toMatchObject({ told_job: jobRef(2).job, untold_job: jobRef(14).job });
  harness.fakes.send = () => Promise.resolve(answered(204));
  const told = ['removed p2', 'removed p4', 'added p5'];
  expect(await tell(harness, 16, [1, 5])).toEqual([{ ...from(2), told }]);
  expect(await tell(harness, 17, [1, 5])).toEqual([]);
});

it('after a restore of the table a receiver hears that it has to discard what it knows', async () => {
  const harness = await silentFeed([1]);
  await tell(harness, 1, [1]);
  await tell(harness, 2, [1, 2]);
  await restore(harness);
  expect(await tell(harness, 101, [1, 3])).toEqual([discard]);
  expect(await tell(harness, 102, [1, 3, 4])).toEqual([{ ...from(101), told: ['added p4'] }]);
});

it('so it does if the table was restored to a time before anything was told', async () => {
  const harness = await silentFeed([1]);
  await restore(harness);
  expect(await tell(harness, 1, [1])).toEqual([discard]);
});

it('so it does if release 0.2.0 ran a job in between, or a frozen set is gone', async () => {
  const harness = await silentFeed([1]);
  await tell(harness, 1, [1]);
  await tell(harness, 2, [1, 2]);
  const seen = await harness.exports.definition(PROPERTY, ref.export);
  if (!seen) throw new Error('the export is gone');
  await harness.exports.updateDefinition(seen, { current_job: null, complete_job: jobRef(2).job });
  expect(await tell(harness, 3, [1])).toEqual([discard]);
  for (const key of await harness.files.list('bases/')) await harness.files.remove(key);
  expect(await tell(harness, 4, [1])).toEqual([discard]);
});

it('a job that was to make a receiver discard what it knows, and was given up, is followed by another', async () => {
  const harness = await silentFeed([1]);
  await tell(harness, 1, [1]);
  await restore(harness);
  harness.fakes.send = () => Promise.resolve(answered(410));
  expect(await tell(harness, 101, [1, 2])).toEqual([discard]);
  harness.fakes.send = () => Promise.resolve(answered(204));
  expect(await tell(harness, 102, [1, 2])).toEqual([discard]);
});
