import * as v from 'valibot';
import { expect, it } from 'vitest';
import { deliveriesAnswer } from '../../shared/exports/model/answers.ts';
import { bodyOf, type ExportsHarness, profile, segment } from './harness.ts';
import { answered, fileOf, jobPath, jobRef, path, receivers, runNext, withPeople } from './steps.ts';

/** An export that skips empty files and has not run yet. */
const skipping = async (more: object, members: readonly number[] = [1, 2]): Promise<ExportsHarness> => {
  const harness = withPeople({ members });
  harness.fakes.now += 3_600_000;
  bodyOf(await harness.create({ segment: [segment(2)], field_set: 'email', skip_empty: true, ...more }));
  return harness;
};

const addressesOf = async (harness: ExportsHarness, n: number) =>
  (await fileOf(harness, ',', jobRef(n))).rows.slice(1).map((cells) => cells.join(' '));

it('a job without rows is complete without a file, and nobody hears of it', async () => {
  const harness = await skipping(receivers, []);
  harness.fakes.push = () => Promise.reject(new Error('pushed'));
  await runNext(harness, 1);
  for (const deliver of [harness.pushFile, harness.deliver, harness.sendEmail])
    expect(await deliver(jobRef(1))).toMatchObject({ delivered: true });
  expect([harness.sent, harness.mails]).toEqual([[], []]);
  expect(bodyOf(await harness.readJob(path))).toMatchObject({
    status: 'complete',
    rows: 0,
    file_name: null,
    location: null,
    manifest: null,
  });
  const { deliveries } = v.parse(deliveriesAnswer, bodyOf(await harness.listDeliveries(path)));
  expect(deliveries.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
  expect(await harness.files.list('')).toEqual([expect.stringContaining('/members-')]);
});

it('a job with rows has its file, and so has one without rows unless its definition skips it', async () => {
  const harness = await skipping(receivers);
  harness.fakes.send = () => Promise.resolve(answered(204));
  await runNext(harness, 1);
  await harness.deliver(jobRef(1));
  expect(harness.sent).toHaveLength(1);
  expect(bodyOf(await harness.readJob(path))).toMatchObject({ rows: 2 });
  harness.fakes.members.set(segment(2), []);
  bodyOf(await harness.replace(path, { segment: [segment(2)], field_set: 'email', ...receivers }));
  await runNext(harness, 2);
  await harness.deliver(jobRef(2));
  expect(harness.sent).toHaveLength(2);
  expect(await addressesOf(harness, 2)).toEqual([]);
});

it('a delta builds on the newest file, whose job it names, and so misses nothing between empty ones', async () => {
  const harness = await skipping({ scope: 'delta' });
  await runNext(harness, 1);
  for (const n of [2, 3]) {
    harness.fakes.now += 3_600_000;
    await runNext(harness, n);
    const job = (await harness.exports.job(jobRef(n)))?.value;
    expect(job).toMatchObject({ status: 'complete', file: null, plan: { base: { job: jobRef(1).job } } });
  }
  harness.fakes.now += 3_600_000;
  harness.fakes.members.set(segment(2), [2, 4]);
  harness.fakes.profiles.set(
    2,
    profile(2, { fields: { email: 'two@example.test' }, updatedAt: harness.fakes.now }),
  );
  await runNext(harness, 4);
  expect(await addressesOf(harness, 4)).toEqual([
    'removed p1@example.test',
    'changed two@example.test',
    'added p4@example.test',
  ]);
  expect(bodyOf(await harness.readJob(jobPath(4)))).toMatchObject({ delta_from: String(jobRef(1).job) });
});

it('a delta has everybody if no earlier job had a file', async () => {
  const harness = await skipping({ scope: 'delta' }, []);
  await runNext(harness, 1);
  harness.fakes.members.set(segment(2), [1]);
  await runNext(harness, 2);
  expect(await addressesOf(harness, 2)).toEqual(['added p1@example.test']);
  expect(bodyOf(await harness.readJob(jobPath(2)))).toMatchObject({ delta_from: null });
});
