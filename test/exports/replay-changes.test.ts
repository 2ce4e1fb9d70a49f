import { describe, expect, it } from 'vitest';
import { dyingAnywhere } from '../support/death.ts';
import { type Before, bodyOf, type ExportsHarness, segment } from './harness.ts';
import { answered, jobRef, path, ref, runAll, runJob, withPeople } from './steps.ts';

const KEY = '0f6f0b5c-58f4-4c9a-9d2e-7d3f6e0b8a11';
const url = 'https://crm.example/hooks';
const feed = {
  ...{ segment: [segment(2)], scope: 'delta', data_format: 'jsonl' },
  changes: { url, first: 'all' },
};
const delivery = { ...path, delivery: `${path.job_id}-changes` };

/** An export whose first job has told its changes. */
const told = async (status = 200, before?: Before): Promise<ExportsHarness> => {
  const send = () => Promise.resolve(answered(status));
  const harness = withPeople({ send, ...(before && { before }) });
  bodyOf(await harness.create(feed));
  await runAll(harness);
  await harness.tellChanges(ref);
  return harness;
};

const definitionOf = async (harness: ExportsHarness) =>
  (await harness.exports.definition(ref.property, ref.export))?.value;

const superseded = { ok: false, error: { status: 409, code: 'superseded' } };

describe('a replay of changes', () => {
  it('is of a job that its export shows as told', async () => {
    const harness = await told();
    expect(bodyOf(await harness.read(path))).toMatchObject({ changes: { told_job: path.job_id } });
    expect(bodyOf(await harness.list())).toMatchObject({ exports: [{ changes: { told_job: path.job_id } }] });
  });

  it('repeats the calls of the newest job with their ids and contents, and keeps what is told', async () => {
    const harness = await told();
    expect(bodyOf(await harness.replay(delivery))).toMatchObject({ state: 'waiting', part: 0, sent: 0 });
    expect(await definitionOf(harness)).toMatchObject({ told_job: ref.job, untold_job: null });
    await harness.tellChanges(ref);
    const [first, again] = harness.sent;
    expect(harness.sent).toHaveLength(2);
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(again?.body).toBe(first?.body);
    expect(bodyOf(await harness.readDelivery(delivery))).toMatchObject({
      state: 'delivered',
      part: 1,
      sent: 2,
    });
  });

  it('of a job that was given up says nothing yet of what is told', async () => {
    const harness = await told(410);
    bodyOf(await harness.replay(delivery));
    expect(await definitionOf(harness)).toMatchObject({ told_job: null, untold_job: null });
    expect(bodyOf(await harness.read(path))).toMatchObject({ changes: { url, told_job: null } });
  });

  it('is refused once a later run has begun', async () => {
    const harness = await told(410);
    bodyOf(await harness.runAgain(path));
    expect((await definitionOf(harness))?.current_job).toBe(jobRef(2).job);
    expect(await harness.replay(delivery)).toMatchObject(superseded);
    await runJob(harness, jobRef(2));
    expect(await harness.replay(delivery)).toMatchObject(superseded);
  });

  it('loses against a run that begins at the same time', async () => {
    const harness = await told();
    const { table } = harness;
    const transact = table.transact.bind(table);
    table.transact = async (writes) => {
      table.transact = transact;
      bodyOf(await harness.runAgain(path));
      return transact(writes);
    };
    expect(await harness.replay(delivery)).toMatchObject(superseded);
    expect(bodyOf(await harness.readDelivery(delivery))).toMatchObject({ state: 'delivered', part: 1 });
  });

  it('tells nothing to another receiver', async () => {
    const harness = await told();
    bodyOf(await harness.replace(path, { ...feed, changes: { url: `${url}/2` } }));
    expect(await harness.replay(delivery)).toMatchObject(superseded);
  });

  it('begins at the first call, though the SDK sends a note of the first delivery again', async () => {
    const harness = withPeople({ send: () => Promise.resolve(answered(200)) });
    const { exports } = harness;
    bodyOf(await harness.create(feed));
    await runAll(harness);
    const noteTaken = exports.noteTaken.bind(exports);
    let late = () => Promise.resolve('nothing was noted');
    exports.noteTaken = (...note) => {
      late = () => noteTaken(...note);
      return noteTaken(...note);
    };
    await harness.tellChanges(ref);
    bodyOf(await harness.replay(delivery));
    expect(await late()).toBe('refused');
  });
});

it('a death at any operation of a replay leaves one replay, which the same request finishes', async () => {
  const operations = await dyingAnywhere<ExportsHarness>({
    begin: (before) => told(200, before),
    run: (harness, through) => through(() => harness.replay(delivery, KEY)),
    check: async (harness, fatal) => {
      const shown = bodyOf(await harness.readDelivery(delivery));
      expect(shown, `killed at ${fatal}`).toMatchObject({ state: 'waiting', replays: 1, part: 0 });
      expect(await definitionOf(harness)).toMatchObject({ told_job: ref.job, current_job: ref.job });
      const starts = harness.started.filter(({ name }) => name.endsWith('-changes-1'));
      expect(starts, `killed at ${fatal}`).toHaveLength(1);
      // Until the replay has ended, the next job waits.
      bodyOf(await harness.runAgain(path));
      expect(await harness.plan(jobRef(2))).toMatchObject({ status: 'waiting' });
      await harness.tellChanges(ref);
      expect(await harness.plan(jobRef(2))).toMatchObject({ status: 'planned' });
    },
    needsAll: true,
  });
  expect(operations).toBeGreaterThan(8);
});

it('a replay that is given up takes back nothing that was told', async () => {
  const harness = await told();
  bodyOf(await harness.replay(delivery));
  harness.fakes.send = () => Promise.resolve(answered(410));
  await harness.tellChanges(ref);
  bodyOf(await harness.runAgain(path));
  expect(await definitionOf(harness)).toMatchObject({ told_job: ref.job });
});
