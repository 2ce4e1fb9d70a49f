import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { changedSince } from '../../shared/exports/parts/delta-base.ts';
import { planExport } from '../../shared/exports/runs/plan-export.ts';
import { writePart } from '../../shared/exports/parts/write-part.ts';
import { answered, begun, path, ran, ref } from './steps.ts';
import { bodyOf, segment } from './harness.ts';

describe('two attempts at one step of an export, side by side', () => {
  it('name one part: the part that was named first stays', async () => {
    const harness = await begun({}, { count: 10 });
    await harness.plan(ref);
    await harness.part(ref, 0);
    const first = (await harness.exports.part(ref, 0))?.key;
    // The second attempt looked for a part before the first attempt was done.
    const exports = { ...harness.exports, part: () => Promise.resolve(undefined) };
    await writePart({ ...harness, exports }, ref, 0);
    expect(harness.work.keys().length).toBeGreaterThan(1);
    expect((await harness.exports.part(ref, 0))?.key).toBe(first);
  });

  it('make one plan: the slower planner works by the plan of the faster', async () => {
    const harness = await begun({}, { count: 10 });
    const slow = await planExport(
      {
        ...harness,
        async *members(property, target) {
          yield* harness.members(property, target);
          harness.fakes.members.set(segment(2), [1, 2, 4, 5]);
          await harness.plan(ref);
        },
      },
      ref,
    );
    expect(slow).toEqual(await harness.plan(ref));
    expect((await harness.exports.job(ref))?.value.plan).toMatchObject({ members: 4 });
  });

  it('work by one definition: that of when the job began', async () => {
    const harness = await begun({ field_set: 'email' });
    await harness.plan(ref);
    bodyOf(await harness.replace(path, { segment: [segment(2)], field_set: 'all' }));
    const definition = (await harness.exports.definition(ref.property, ref.export))?.value;
    if (!definition) throw new Error('the definition is gone');
    expect(definition.field_set).toBe('all');
    // The first step again, by an attempt that had read the job before it was planned.
    const frozen = await harness.exports.freezeDefinition(definition, ref.job, harness.fakes.now);
    expect(frozen.field_set).toBe('email');
    expect((await harness.exports.frozenDefinition(ref))?.field_set).toBe('email');
  });

  it('deliver once: the failure of an attempt whose lease ended does not undo the delivery', async () => {
    const harness = await ran({ webhook_url: 'https://hooks.example.test/x' });
    let calls = 0;
    harness.fakes.send = async () => {
      calls += 1;
      if (calls > 1) return answered(200);
      // The first attempt takes longer than its lease. Another execution makes the second one meanwhile.
      harness.fakes.now += 120_000;
      expect(await harness.deliver(ref)).toMatchObject({ delivered: true });
      return { kind: 'failed', failure: 'late', reason: 'no answer' };
    };
    await harness.deliver(ref);
    expect(calls).toBe(2);
    expect((await harness.exports.delivery(ref, 'webhook'))?.value.state).toBe('delivered');
  });
});

it('a delta repeats profiles that were stored a while before its base', () => {
  const base = { job: 1, members_key: 'm', watermark: 10_000_000 };
  expect(base.watermark - changedSince(base)).toBe(limits.exports.deltaOverlapSeconds * 1000);
  expect(limits.exports.deltaOverlapSeconds).toBeGreaterThanOrEqual(600);
});
