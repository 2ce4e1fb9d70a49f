import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { acquireServiceSlot } from '../../shared/exports/runs/acquire-service-slot.ts';
import type { ExportJob, JobRef } from '../../shared/exports/model/items.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { bodyOf, type ExportsHarness, PROPERTY, segment } from './harness.ts';
import { withPeople, writeParts } from './steps.ts';

const refOf = (n: number, property = PROPERTY): JobRef => ({
  property,
  export: scopedId(property, n),
  job: scopedId(property, n),
});

/** A service with some exports, each of which has a job that waits for its plan. */
const withJobs = async (jobs: number, jobsAtOnce: number): Promise<ExportsHarness> => {
  const made = withPeople({ jobsAtOnce });
  for (let n = 1; n <= jobs; n += 1) bodyOf(await made.create({ segment: [segment(2)] }));
  return made;
};

const planAll = async (made: ExportsHarness, jobs: number): Promise<readonly string[]> => {
  const answers: string[] = [];
  for (let n = 1; n <= jobs; n += 1) answers.push((await made.plan(refOf(n))).status);
  return answers;
};

const complete = async (made: ExportsHarness, ref: JobRef): Promise<void> => {
  await writeParts(made, ref);
  expect(await made.assemble(ref)).toEqual({ status: 'complete' });
};

describe('the slots of the service', () => {
  it('let some jobs of a property run, and the others wait until a job has ended', async () => {
    const made = await withJobs(4, 4);
    expect(await planAll(made, 4)).toEqual(['planned', 'planned', 'waiting', 'waiting']);
    expect(
      bodyOf(await made.readJob({ export_id: String(refOf(3).export), job_id: String(refOf(3).job) })),
    ).toMatchObject({
      status: 'pending',
    });
    await complete(made, refOf(1));
    expect((await planAll(made, 4)).slice(1)).toEqual(['planned', 'planned', 'waiting']);
    await complete(made, refOf(2));
    await complete(made, refOf(3));
    await complete(made, refOf(4));
  });

  it('are held once by a job that asks twice, and given back by a cancelled job', async () => {
    const made = await withJobs(2, 2);
    expect(await planAll(made, 2)).toEqual(['planned', 'waiting']);
    expect(await planAll(made, 2)).toEqual(['planned', 'waiting']);
    bodyOf(await made.cancel({ export_id: String(refOf(1).export), job_id: String(refOf(1).job) }));
    expect(await made.plan(refOf(2))).toMatchObject({ status: 'planned' });
  });

  it('are given back after some hours by a job that never ends', async () => {
    const made = await withJobs(2, 2);
    expect(await planAll(made, 2)).toEqual(['planned', 'waiting']);
    made.fakes.now += limits.exports.slotHours * 3_600_000 - 1;
    expect(await made.plan(refOf(2))).toMatchObject({ status: 'waiting' });
    made.fakes.now += 1;
    expect(await made.plan(refOf(2))).toMatchObject({ status: 'planned' });
  });

  it('leave half to other properties', async () => {
    const made = await withJobs(3, 4);
    await planAll(made, 3);
    const other = refOf(1, PROPERTY + 1);
    expect(await acquireServiceSlot(made, other)).toBe(true);
  });

  it('are never more than there are, whoever comes between', async () => {
    const made = await withJobs(6, 4);
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => made.plan(refOf(n))));
    expect(answers.filter(({ status }) => status === 'planned')).toHaveLength(2);
    const running = await made.exports.jobsOf([1, 2, 3, 4, 5, 6].map((n) => refOf(n)));
    expect(running.filter((job: ExportJob | undefined) => job?.status === 'running')).toHaveLength(2);
  });
});
