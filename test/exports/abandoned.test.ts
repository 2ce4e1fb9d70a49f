import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { dyingAnywhere } from '../support/death.ts';
import {
  path,
  ref,
  runAll,
  answered,
  begun,
  dyingAtStart,
  jobRef,
  receivers,
  withPeople,
  writeParts,
} from './steps.ts';
import { bodyOf, type ExportsHarness, segment } from './harness.ts';
import { tasksIn } from '../support/look-at-tasks.ts';

const DAY = 86_400_000;
const LONGEST = 5 * DAY + 120_000;
const { webhook_url } = receivers;

const created = (more: object = {}): Promise<ExportsHarness> => begun({ field_set: 'email', ...more });

const namesOf = (harness: ExportsHarness): readonly string[] => harness.started.map(({ name }) => name);

describe('a job whose execution was ended from outside', () => {
  it('is failed after five days, told, and nothing of its file is left', async () => {
    const harness = await created({ webhook_url });
    await writeParts(harness);
    // Assembling stores the file, then its execution is ended before the job's item says so.
    const updateJob = harness.exports.updateJob.bind(harness.exports);
    let reached: () => void = () => undefined;
    const stored = new Promise<void>((resolve) => (reached = resolve));
    harness.exports.updateJob = () => {
      reached();
      return new Promise(() => undefined);
    };
    void harness.assemble(ref);
    await stored;
    harness.exports.updateJob = updateJob;
    expect(harness.files.keys().length).toBeGreaterThan(1);
    for (let day = 0; day < 7; day += 1) {
      harness.fakes.now += DAY;
      await harness.repair();
      await harness.repair();
    }
    expect(bodyOf(await harness.readJob(path))).toMatchObject({
      status: 'failed',
      error: { code: 'timed_out' },
    });
    expect(harness.files.keys(), 'objects of a failed job').toEqual([]);
    expect(
      namesOf(harness).filter((name) => name.includes('deliver')),
      'jobs that failed are told too',
    ).toEqual([`p7-deliver-${ref.job}-first`]);
    expect(tasksIn(harness.table)).toEqual([]);
  });

  it('leaves nothing when it was cancelled, and is not told', async () => {
    const harness = await created({ webhook_url });
    await harness.plan(ref);
    bodyOf(await harness.cancel(path));
    harness.fakes.now += DAY;
    await harness.repair();
    expect(harness.files.keys()).toEqual([]);
    expect(namesOf(harness).filter((name) => name.includes('deliver'))).toEqual([]);
  });
});

it('a look that is killed anywhere is made up for by the next', async () => {
  await dyingAnywhere({
    begin: async (tick) => {
      const fate = { isArmed: false };
      const harness = withPeople({ before: () => fate.isArmed && tick() });
      const definition = { segment: [segment(2)], field_set: 'email' };
      await dyingAtStart(harness, () => harness.create(definition));
      harness.fakes.now += 300_000;
      return { harness, fate };
    },
    run: async ({ harness, fate }) => {
      fate.isArmed = true;
      await harness.repair();
    },
    check: async ({ harness, fate }) => {
      fate.isArmed = false;
      harness.fakes.now += 300_000;
      await harness.repair();
      expect(namesOf(harness)).toEqual([`p7-export-${ref.job}`]);
      await runAll(harness);
      for (let look = 0; look < 2; look += 1) {
        harness.fakes.now += 1_200_000;
        await harness.repair();
      }
      expect(tasksIn(harness.table)).toEqual([]);
    },
  });
});

describe('a job that waits for its turn', () => {
  const second = jobRef(2);

  it('outlives its execution, and runs when its turn comes', async () => {
    const harness = await created();
    await harness.plan(ref);
    bodyOf(await harness.runAgain(path));
    expect(await harness.plan(second)).toMatchObject({ status: 'waiting' });
    harness.fakes.now += LONGEST + 1_000;
    // The first look fails the job before it, whose execution must be over, too.
    await harness.repair();
    expect(namesOf(harness)).toContain(`p7-export-${second.job}-1`);
    expect(await harness.plan(second)).toMatchObject({ status: 'planned' });
    // The job waited for five days and has just begun, so the reconciliation must not fail it.
    harness.fakes.now += 600_000;
    await harness.repair();
    expect((await harness.exports.job(second))?.value.status).toBe('running');
  });

  it('is started once while its execution may be alive', async () => {
    const harness = await created();
    bodyOf(await harness.runAgain(path));
    for (let hour = 0; hour < 119; hour += 1) {
      harness.fakes.now += 3_600_000;
      await harness.repair();
    }
    expect(namesOf(harness)).toEqual([`p7-export-${ref.job}`, `p7-export-${second.job}`]);
  });
});

describe('a replay that was cut off before its execution was started', () => {
  const replayKilled = (harness: ExportsHarness): Promise<void> =>
    dyingAtStart(harness, () => harness.replay({ ...path, delivery: `${ref.job}-webhook` }));
  const shown = v.looseObject({ deliveries: v.array(v.looseObject({ state: v.string() })) });

  it.each([0, 2_000_000])('is delivered all the same, %i ms after its job', async (later) => {
    const harness = await created({ webhook_url });
    harness.fakes.send = () => Promise.resolve(answered(204));
    await runAll(harness);
    await harness.startDeliveries(ref);
    await harness.deliver(ref);
    harness.fakes.now += later;
    if (later > 0) await harness.repair();
    await replayKilled(harness);
    harness.fakes.now += 300_000;
    await harness.repair();
    expect(namesOf(harness)).toContain(`p7-deliver-${ref.job}-webhook-1`);
    await harness.deliver(ref);
    expect(v.parse(shown, bodyOf(await harness.readJob(path))).deliveries).toMatchObject([
      { state: 'delivered', replays: 1 },
    ]);
  });

  it('is seen by a repair that has read its task before', async () => {
    const harness = await created({ webhook_url });
    await runAll(harness);
    harness.fakes.now += 2_000_000;
    const write = harness.table.write.bind(harness.table);
    harness.table.write = async (each) => {
      if (each.kind === 'delete' && each.key.pk.startsWith('TASKS#')) {
        harness.table.write = write;
        await replayKilled(harness);
      }
      return write(each);
    };
    await harness.repair();
    harness.fakes.now += 300_000;
    await harness.repair();
    expect(namesOf(harness)).toContain(`p7-deliver-${ref.job}-webhook-1`);
  });
});
