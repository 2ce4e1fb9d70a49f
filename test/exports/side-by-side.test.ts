import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { changedSince } from '../../shared/exports/parts/delta-base.ts';
import { planExport } from '../../shared/exports/runs/plan-export.ts';
import { writePart } from '../../shared/exports/parts/write-part.ts';
import { path, people, ref, runAll } from './steps.ts';
import { bodyOf, exportsWorld, segment } from './world.ts';

/** An export of two people. */
const setUp = async (more: object = {}) => {
  const world = exportsWorld();
  people(world, 10);
  world.world.members.set(segment(2), [1, 2]);
  bodyOf(await world.create({ segment: [segment(2)], field_set: 'email', ...more }));
  return world;
};

describe('two attempts at one step of an export, side by side', () => {
  it('name one part: the part that was named first stays', async () => {
    const world = await setUp();
    await world.plan(ref);
    await world.part(ref, 0);
    const first = (await world.exports.part(ref, 0))?.key;
    // The second attempt looked for a part before the first attempt was done.
    const exports = { ...world.exports, part: () => Promise.resolve(undefined) };
    await writePart({ ...world, exports }, ref, 0);
    expect(world.work.keys().length).toBeGreaterThan(1);
    expect((await world.exports.part(ref, 0))?.key).toBe(first);
  });

  it('make one plan: the slower planner works by the plan of the faster', async () => {
    const world = await setUp();
    const slow = await planExport(
      {
        ...world,
        async *members(property, target) {
          yield* world.members(property, target);
          world.world.members.set(segment(2), [1, 2, 4, 5]);
          await world.plan(ref);
        },
      },
      ref,
    );
    expect(slow).toEqual(await world.plan(ref));
    expect((await world.exports.job(ref))?.value.plan).toMatchObject({ members: 4 });
  });

  it('work by one definition: that of when the job began', async () => {
    const world = await setUp();
    await world.plan(ref);
    bodyOf(await world.replace(path, { segment: [segment(2)], field_set: 'all' }));
    const definition = (await world.exports.definition(ref.property, ref.export))?.value;
    if (!definition) throw new Error('the definition is gone');
    expect(definition.field_set).toBe('all');
    // The first step again, by an attempt that had read the job before it was planned.
    const frozen = await world.exports.freezeDefinition(definition, ref.job, world.world.now);
    expect(frozen.field_set).toBe('email');
    expect((await world.exports.frozenDefinition(ref))?.field_set).toBe('email');
  });

  it('deliver once: the failure of an attempt whose lease ended does not undo the delivery', async () => {
    const world = await setUp({ webhook_url: 'https://hooks.example.test/x' });
    await runAll(world);
    let calls = 0;
    world.world.send = async () => {
      calls += 1;
      if (calls > 1) return { kind: 'answered', status: 200, retryAfter: undefined };
      // The first attempt takes longer than its lease. Another execution makes the second one meanwhile.
      world.world.now += 120_000;
      expect(await world.deliver(ref)).toMatchObject({ delivered: true });
      return { kind: 'failed', failure: 'late', reason: 'no answer' };
    };
    await world.deliver(ref);
    expect(calls).toBe(2);
    expect((await world.exports.delivery(ref, 'webhook'))?.value.state).toBe('delivered');
  });
});

it('a delta repeats profiles that were stored a while before its base', () => {
  const base = { job: 1, members_key: 'm', watermark: 10_000_000 };
  expect(base.watermark - changedSince(base)).toBe(limits.exports.deltaOverlapSeconds * 1000);
  expect(limits.exports.deltaOverlapSeconds).toBeGreaterThanOrEqual(600);
});
