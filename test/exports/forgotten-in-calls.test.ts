import * as v from 'valibot';
import { expect, it } from 'vitest';
import { deliverChanges } from '../../shared/exports/delivery/deliver-changes.ts';
import { segmentChanges } from '../../shared/exports/model/export-events.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import { sealOrdinal } from '../../shared/profiles/profile-uuid.ts';
import { keys } from '../../shared/table/keys.ts';
import { bodyOf, type ExportsHarness, PROPERTY, segment } from './harness.ts';
import { answered, forget, jobRef, locationParts, path, ref, runAll, runJob, withPeople } from './steps.ts';

const MINUTE = 60_000;
const url = 'https://crm.example/hooks';
const delivery = { ...path, delivery: `${path.job_id}-changes` };

/** An export of a crowd with a receiver that takes everything. */
const feedOf = async (
  first: string,
  members: readonly number[],
  more: object = {},
): Promise<ExportsHarness> => {
  const harness = withPeople({ count: 1_300, members, send: () => Promise.resolve(answered(204)) });
  const format = { scope: 'delta', data_format: 'jsonl' };
  bodyOf(await harness.create({ segment: [segment(2)], ...format, changes: { url, first, ...more } }));
  return harness;
};

const changesOf = ({ sent }: ExportsHarness) =>
  sent.flatMap(({ body }) => v.parse(segmentChanges, JSON.parse(body)).changes);
const goneOf = ({ keys: own }: ExportsHarness, ordinal: number) => ({
  change: 'removed',
  profile: { profile_uuid: sealOrdinal(own.uuid, ordinal) },
});
const addressOf = (ordinal: number): string => `"p${ordinal}@example.test"`;

it('somebody who is forgotten between two calls of an attempt is told as removed, by the UUID alone', async () => {
  const crowd = Array.from({ length: 1_200 }, (_, ordinal) => ordinal);
  const harness = await feedOf('all', crowd);
  await runAll(harness);
  const { location } = bodyOf(await harness.readJob(path));
  await forget(harness, 10);
  harness.fakes.send = async () => {
    harness.fakes.send = () => Promise.resolve(answered(204));
    await forget(harness, 900);
    return answered(204);
  };
  expect(await harness.tellChanges(ref)).toMatchObject({ delivered: true });
  const bodies = harness.sent.map(({ body }) => body).join();
  for (const ordinal of [10, 900]) expect(bodies).not.toContain(addressOf(ordinal));
  expect(bodies).toContain(addressOf(901));
  expect(changesOf(harness).filter(({ change }) => change === 'removed')).toEqual(
    [10, 900].map((ordinal) => goneOf(harness, ordinal)),
  );
  expect(bodyOf(await harness.readDelivery(delivery))).toMatchObject({ sent: 1_200 });
  // The file, which has the rows still, is closed.
  expect(await harness.open(locationParts(location))).toMatchObject({ error: { code: 'members_forgotten' } });
  bodyOf(await harness.replay(delivery));
  await harness.tellChanges(ref);
  expect(harness.sent.map(({ body }) => body).join()).not.toContain(addressOf(900));

  // The next job tells of them once more, and nobody is missed.
  harness.fakes.members.set(
    segment(2),
    crowd.filter((ordinal) => ![10, 900].includes(ordinal)),
  );
  bodyOf(await harness.runAgain(path));
  harness.sent.length = 0;
  await runJob(harness, jobRef(2));
  await harness.tellChanges(jobRef(2));
  expect(changesOf(harness)).toEqual([10, 900].map((ordinal) => goneOf(harness, ordinal)));
});

it('a newcomer is told though somebody else is forgotten in each run', async () => {
  const harness = await feedOf('none', [1, 2, 3, 4]);
  await runAll(harness);
  await harness.tellChanges(ref);
  for (let n = 2; n < 5; n += 1) {
    harness.fakes.members.set(segment(2), [1, 2, 3, 4, 5].slice(n - 2));
    bodyOf(await harness.runAgain(path));
    await runJob(harness, jobRef(n));
    await forget(harness, n - 1);
    expect(await harness.tellChanges(jobRef(n))).toMatchObject({ delivered: true });
  }
  const added = changesOf(harness).filter(({ change }) => change === 'added');
  expect(added).toMatchObject([{ profile: { email: 'p5@example.test' } }]);
});

it('a receiver that wants no removed hears nothing of somebody who was forgotten', async () => {
  const harness = await feedOf('all', [1, 2], { kinds: ['added'] });
  await runAll(harness);
  await forget(harness, 1);
  await harness.tellChanges(ref);
  expect(changesOf(harness)).toMatchObject([{ change: 'added', profile: { email: 'p2@example.test' } }]);
  expect(bodyOf(await harness.readDelivery(delivery))).toMatchObject({ state: 'delivered', sent: 1 });
});

it('somebody of whom a forgetting was only announced is told as a member still', async () => {
  const harness = await feedOf('all', [1, 2]);
  await runAll(harness);
  await forgottenPeople(harness.table).announce(PROPERTY, [1], harness.fakes.now);
  await harness.tellChanges(ref);
  expect(changesOf(harness).map(({ change }) => change)).toEqual(['added', 'added']);
});

it('a line that names nobody is not told once anybody was forgotten', async () => {
  const harness = await feedOf('all', [1, 2]);
  await runAll(harness);
  await forget(harness, 7);
  const uuid = { ...harness.keys.uuid, k1: harness.keys.uuid.k2 };
  const scope = { id: PROPERTY, keys: { ...harness.keys, uuid }, rules: harness.fakes.rules };
  const deps = { ...harness, attemptSeconds: 780, scopeOf: () => Promise.resolve(scope) };
  await expect(deliverChanges(deps, ref)).rejects.toThrow('names nobody');
  expect(harness.sent).toEqual([]);
});

const overtaken = /^a newer job has begun, .* or the table was restored$/;

it('an older job tells nothing after a newer one, though the newer one did not wait for it', async () => {
  const harness = await feedOf('all', [1, 2]);
  await runAll(harness);
  harness.fakes.send = () => Promise.resolve(answered(503));
  await harness.tellChanges(ref);
  // Release 0.2.0 frees the slot of a complete job.
  const seen = await harness.exports.definition(PROPERTY, ref.export);
  if (!seen) throw new Error('the export is gone');
  await harness.exports.updateDefinition(seen, { current_job: null, complete_job: ref.job });
  bodyOf(await harness.runAgain(path));
  harness.fakes.now += 60 * MINUTE;
  harness.fakes.send = () => Promise.resolve(answered(204));
  expect(await harness.tellChanges(ref)).toMatchObject({ exhausted: true });
  expect(harness.sent).toHaveLength(1);
  const { last_error } = bodyOf(await harness.readDelivery(delivery));
  expect(last_error).toMatch(overtaken);
});

it('a job that was planned before the time of a restore tells nothing more', async () => {
  const harness = await feedOf('all', [1, 2]);
  await runAll(harness);
  harness.fakes.now += 60 * MINUTE;
  const raised = new Date(harness.fakes.now).toISOString();
  const key = keys.counter(PROPERTY, 'export-job');
  await harness.table.write({ kind: 'update', key, set: { raised }, expect: {} });
  expect(await harness.tellChanges(ref)).toMatchObject({ exhausted: true });
  expect(harness.sent).toEqual([]);
  expect(await harness.replay(delivery)).toMatchObject({ ok: false, error: { code: 'superseded' } });
});
