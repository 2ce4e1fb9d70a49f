import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import type { JobRef } from '../../shared/exports/model/items.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { path, people, ref, runAll } from './steps.ts';
import { bodyOf, exportsWorld, type ExportsWorld, PROPERTY, segment } from './world.ts';

const DAY = 86_400_000;
const LONGEST = 5 * DAY + 120_000;
const webhook_url = 'https://hooks.example.test/x';

const created = async (more: object = {}): Promise<ExportsWorld> => {
  const world = exportsWorld();
  people(world, 10);
  world.world.members.set(segment(2), [1, 2]);
  bodyOf(await world.create({ segment: [segment(2)], field_set: 'email', ...more }));
  return world;
};

const choresOf = (world: ExportsWorld) =>
  world.table.items().filter(({ pk }) => pk.startsWith('EXPORT-OUTBOX'));
const namesOf = (world: ExportsWorld): readonly string[] => world.started.map(({ name }) => name);

describe('a job whose execution was ended from outside', () => {
  it('is failed after five days, told, and nothing of its file is left', async () => {
    const world = await created({ webhook_url });
    const { shards } = await world.plan(ref);
    for (const { shard } of shards) await world.part(ref, shard);
    // Assembling stores the file, then its execution is ended before the job's item says so.
    const updateJob = world.exports.updateJob.bind(world.exports);
    let reached: () => void = () => undefined;
    const stored = new Promise<void>((resolve) => (reached = resolve));
    world.exports.updateJob = () => {
      reached();
      return new Promise(() => undefined);
    };
    void world.assemble(ref);
    await stored;
    world.exports.updateJob = updateJob;
    expect(world.files.keys().length).toBeGreaterThan(1);
    for (let day = 0; day < 7; day += 1) {
      world.world.now += DAY;
      await world.repair();
      await world.repair();
    }
    expect(bodyOf(await world.readJob(path))).toMatchObject({
      status: 'failed',
      error: { code: 'timed_out' },
    });
    expect(world.files.keys(), 'objects of a failed job').toEqual([]);
    expect(
      namesOf(world).filter((name) => name.includes('deliver')),
      'jobs that failed are told too',
    ).toEqual([`p7-deliver-${ref.job}-first`]);
    expect(choresOf(world)).toEqual([]);
  });

  it('leaves nothing when it was cancelled, and is not told', async () => {
    const world = await created({ webhook_url });
    await world.plan(ref);
    bodyOf(await world.cancel(path));
    world.world.now += DAY;
    await world.repair();
    expect(world.files.keys()).toEqual([]);
    expect(namesOf(world).filter((name) => name.includes('deliver'))).toEqual([]);
  });
});

describe('a job that waits for its turn', () => {
  const second: JobRef = { ...ref, job: scopedId(PROPERTY, 2) };

  it('outlives its execution, and runs when its turn comes', async () => {
    const world = await created();
    await world.plan(ref);
    bodyOf(await world.runAgain(path));
    expect(await world.plan(second)).toMatchObject({ status: 'waiting' });
    world.world.now += LONGEST + 1_000;
    // The first look fails the job before it, whose execution must be over, too.
    await world.repair();
    expect(namesOf(world)).toContain(`p7-export-${second.job}-1`);
    expect(await world.plan(second)).toMatchObject({ status: 'planned' });
    // The job waited for five days and has just begun, so the reconciliation must not fail it.
    world.world.now += 600_000;
    await world.repair();
    expect((await world.exports.job(second))?.value.status).toBe('running');
  });

  it('is started once while its execution may be alive', async () => {
    const world = await created();
    bodyOf(await world.runAgain(path));
    for (let hour = 0; hour < 119; hour += 1) {
      world.world.now += 3_600_000;
      await world.repair();
    }
    expect(namesOf(world)).toEqual([`p7-export-${ref.job}`, `p7-export-${second.job}`]);
  });
});

describe('a replay that was cut off before its execution was started', () => {
  const replayKilled = async (world: ExportsWorld): Promise<void> => {
    const start = world.workflow.start.bind(world.workflow);
    world.workflow.start = () => Promise.reject(new Error('killed'));
    await expect(world.replay({ ...path, delivery: `${ref.job}-webhook` })).rejects.toThrow('killed');
    world.workflow.start = start;
  };
  const shown = v.looseObject({ deliveries: v.array(v.looseObject({ state: v.string() })) });

  it.each([0, 2_000_000])('is delivered all the same, %i ms after its job', async (later) => {
    const world = await created({ webhook_url });
    world.world.send = () => Promise.resolve({ kind: 'answered', status: 204, retryAfter: undefined });
    await runAll(world);
    await world.startDeliveries(ref);
    await world.deliver(ref);
    world.world.now += later;
    if (later > 0) await world.repair();
    await replayKilled(world);
    world.world.now += 300_000;
    await world.repair();
    expect(namesOf(world)).toContain(`p7-deliver-${ref.job}-webhook-1`);
    await world.deliver(ref);
    expect(v.parse(shown, bodyOf(await world.readJob(path))).deliveries).toMatchObject([
      { state: 'delivered', replays: 1 },
    ]);
  });

  it('is seen by a repair that has read its note before', async () => {
    const world = await created({ webhook_url });
    await runAll(world);
    world.world.now += 2_000_000;
    const removeOutboxTask = world.exports.removeOutboxTask.bind(world.exports);
    world.exports.removeOutboxTask = async (seen) => {
      world.exports.removeOutboxTask = removeOutboxTask;
      await replayKilled(world);
      await removeOutboxTask(seen);
    };
    await world.repair();
    world.world.now += 300_000;
    await world.repair();
    expect(namesOf(world)).toContain(`p7-deliver-${ref.job}-webhook-1`);
  });
});
