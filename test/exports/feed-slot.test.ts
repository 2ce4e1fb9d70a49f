import { expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import type { ExportDelivery } from '../../shared/exports/model/items.ts';
import { bodyOf, type ExportsHarness, profile, PROPERTY, segment } from './harness.ts';
import { bytesOf, jobRef, path, ref, runJob, withPeople } from './steps.ts';

const HOUR = 3_600_000;
const body = (url = 'https://crm.example.com/hooks', first = 'all') => ({
  ...{ segment: [segment(2)], scope: 'delta', data_format: 'jsonl' },
  changes: { url, first },
});

/** An export with changes whose first job is complete. */
const toldOnce = async (first = 'all'): Promise<ExportsHarness> => {
  const harness = withPeople();
  harness.fakes.now += HOUR;
  bodyOf(await harness.create(body(undefined, first)));
  await runJob(harness, ref);
  return harness;
};

/** Stores the state of the changes of the `n`-th job. */
const become = async (harness: ExportsHarness, n: number, set: Partial<ExportDelivery>): Promise<void> => {
  const seen = await harness.exports.delivery(jobRef(n), 'changes');
  if (!seen) throw new Error('the job tells nothing');
  await harness.exports.updateDelivery(jobRef(n), { ...seen.value, ...set }, { w: seen.w });
};

const definitionOf = async ({ exports }: ExportsHarness) =>
  (await exports.definition(PROPERTY, ref.export))?.value;

const baseOf = async ({ exports }: ExportsHarness, n: number) =>
  (await exports.job(jobRef(n)))?.value.plan?.base;

/** The changes in the file of the `n`-th job. */
const changesOf = async (harness: ExportsHarness, n: number): Promise<readonly (string | undefined)[]> => {
  const text = (await bytesOf(harness, jobRef(n))).toString().trim();
  const form = /"change":"(\w+)".*"email":"(\w+)@/;
  return text.split('\n').map((line) => form.exec(line)?.slice(1).join(' '));
};

it('the next job waits until the changes of the last one are told, and builds on it', async () => {
  const harness = await toldOnce();
  bodyOf(await harness.runAgain(path));
  expect(await harness.plan(jobRef(2))).toMatchObject({ status: 'waiting' });
  await become(harness, 1, { state: 'retrying', next_attempt: harness.fakes.now });
  harness.fakes.now += 48 * HOUR;
  expect(await harness.plan(jobRef(2))).toMatchObject({ status: 'waiting' });
  // Runs that come due meanwhile join the one that waits.
  expect(bodyOf(await harness.runAgain(path))).toMatchObject({ id: String(jobRef(2).job) });
  await become(harness, 1, { state: 'delivered', delivered: harness.fakes.now });
  expect(await harness.plan(jobRef(2))).toMatchObject({ status: 'planned' });
  expect(await definitionOf(harness)).toMatchObject({ told_job: ref.job, untold_job: null });
  expect(await baseOf(harness, 2)).toMatchObject({ job: ref.job, uncertain_key: null });
});

it('a job that was given up leaves people of whom the receiver may know either', async () => {
  const harness = await toldOnce();
  await become(harness, 1, { state: 'delivered' });
  harness.fakes.members.set(segment(2), [2, 4]);
  bodyOf(await harness.runAgain(path));
  await runJob(harness, jobRef(2));
  await become(harness, 2, { state: 'exhausted' });
  harness.fakes.members.set(segment(2), [1, 2]);
  bodyOf(await harness.runAgain(path));
  await runJob(harness, jobRef(3));
  expect(await definitionOf(harness)).toMatchObject({ told_job: ref.job, untold_job: jobRef(2).job });
  expect(await changesOf(harness, 3)).toEqual(['added p1', 'removed p4']);
});

it('whoever objects after the members were frozen is not told, and is told once that is over', async () => {
  const harness = withPeople();
  harness.fakes.now += HOUR;
  bodyOf(await harness.create(body()));
  const { shards } = await harness.plan(ref);
  const one = { fields: { email: 'p1@example.test' }, updatedAt: harness.fakes.now };
  harness.fakes.profiles.set(1, profile(1, { ...one, restricted: true }));
  for (const { shard } of shards) await harness.part(ref, shard);
  await harness.assemble(ref);
  expect(await changesOf(harness, 1)).toEqual(['added p2']);
  await become(harness, 1, { state: 'delivered' });
  harness.fakes.now += HOUR;
  await harness.repair();
  expect(await harness.files.list('bases/')).toHaveLength(2);
  harness.fakes.profiles.set(1, profile(1, { ...one, updatedAt: harness.fakes.now }));
  bodyOf(await harness.runAgain(path));
  await runJob(harness, jobRef(2));
  expect(await changesOf(harness, 2)).toEqual(['added p1']);
});

it('a receiver at another address knows nothing, waits for nobody, and no earlier job tells it', async () => {
  const harness = await toldOnce();
  await become(harness, 1, { state: 'sending', next_attempt: harness.fakes.now + HOUR });
  bodyOf(await harness.replace(path, body('https://other.example.com')));
  bodyOf(await harness.runAgain(path));
  expect(await harness.plan(jobRef(2))).toMatchObject({ status: 'waiting' });
  harness.fakes.now += HOUR;
  expect(await harness.plan(jobRef(2))).toMatchObject({ status: 'planned' });
  expect(await baseOf(harness, 2)).toBeNull();
  expect(await definitionOf(harness)).toMatchObject({ told_job: null, untold_job: null });
});

it('the base outlives a replacement with the same address', async () => {
  const harness = await toldOnce();
  await become(harness, 1, { state: 'delivered' });
  bodyOf(await harness.replace(path, { ...body(), name: 'Other' }));
  bodyOf(await harness.runAgain(path));
  await harness.plan(jobRef(2));
  expect(await baseOf(harness, 2)).toMatchObject({ job: ref.job });
});

it('a receiver that asks for no first changes gets none, and the next job builds on the silent one', async () => {
  const harness = await toldOnce('none');
  expect((await harness.exports.job(ref))?.value).toMatchObject({
    file: null,
    plan: { members: 2, shards: 0 },
  });
  await become(harness, 1, { state: 'delivered' });
  bodyOf(await harness.runAgain(path));
  await runJob(harness, jobRef(2));
  expect((await harness.exports.job(jobRef(2)))?.value).toMatchObject({
    file: null,
    plan: { base: { job: ref.job }, candidates: 2 },
  });
});

it('after release 0.2.0 ran a job in between, nobody knows what the receiver knows', async () => {
  const harness = await toldOnce();
  await become(harness, 1, { state: 'delivered' });
  bodyOf(await harness.runAgain(path));
  await runJob(harness, jobRef(2));
  // That release takes every complete job for the last one, and stores no delivery of changes.
  const seen = await harness.exports.definition(PROPERTY, ref.export);
  if (!seen) throw new Error('the export is gone');
  await harness.exports.updateDefinition(seen, { current_job: null, complete_job: jobRef(2).job });
  bodyOf(await harness.runAgain(path));
  await harness.plan(jobRef(3));
  expect(await baseOf(harness, 3)).toBeNull();
});

it('changes whose workflow was stopped are told by another execution, and looked after until their end', async () => {
  const harness = await toldOnce();
  await become(harness, 1, { state: 'retrying', next_attempt: harness.fakes.now });
  harness.started.length = 0;
  harness.fakes.now += limits.exports.troubleSeconds * 1_000;
  await harness.repair();
  expect(harness.started).toEqual([]);
  for (let looks = 0; looks < 2; looks += 1) {
    harness.fakes.now += 2 * limits.exports.troubleSeconds * 1_000;
    await harness.repair();
  }
  expect(harness.started.map(({ name }) => name)).toEqual(
    [1, 2].map((n) => `p7-deliver-${ref.job}-again-${n}`),
  );
  await become(harness, 1, { state: 'delivered' });
  harness.fakes.now += 2 * limits.exports.troubleSeconds * 1_000;
  await harness.repair();
  expect(harness.table.items().filter(({ pk }) => pk.startsWith('TASKS#'))).toEqual([]);
});
