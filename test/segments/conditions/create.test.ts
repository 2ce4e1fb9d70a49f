import { expect, it } from 'vitest';
import { propagationMs } from '../../../shared/catalogue/look.ts';
import { allPermissions } from '../../../shared/http/permissions.ts';
import { UnavailableError } from '../../../shared/runtime/aws-errors.ts';
import { createSegment } from '../../../shared/segments/change-segments.ts';
import { customSegmentAnswer } from '../../../shared/segments/schemas.ts';
import { keys } from '../../../shared/table/keys.ts';
import { scope } from '../../profiles/harness.ts';
import { answered, requestOf } from '../../support/requests.ts';
import { viewOf } from '../../support/table-view.ts';
import { ConditionHarness, MARGIN_MS, where } from './harness.ts';

const scene = () => {
  const harness = new ConditionHarness();
  const { table, people, now, clock } = harness;
  const ports = { table, clock, pause: () => Promise.resolve() };
  const deps = { ...ports, catalogue: people.catalogue, marginMs: MARGIN_MS, takesConditions: true };
  const asked = { property: scope.id, now, query: {}, body: { name: 'A condition', where } };
  return { harness, table, deps, asked };
};

/** Expects that a condition is ready once every writer knows it, and not a millisecond earlier. */
const expectWaitFromNow = async (harness: ConditionHarness, id: number): Promise<void> => {
  harness.now += propagationMs(MARGIN_MS) - 1;
  await harness.look();
  expect(await harness.isReady(id)).toBe(false);
  harness.now += 1;
  await harness.look();
  expect(await harness.isReady(id)).toBe(true);
};

it('a token that may not see people makes no condition, whose count would answer about any value', async () => {
  const { deps, asked } = scene();
  const permissions = allPermissions.filter((one) => one !== 'people.read');
  expect(await createSegment(deps, requestOf({ ...asked, permissions }))).toMatchObject({
    ok: false,
    error: { status: 403, code: 'not_permitted' },
  });
  expect(await createSegment(deps, requestOf(asked))).toMatchObject({ ok: true, value: { status: 201 } });
});

it('a stage that may still go back to release 0.2.0 stores no condition', async () => {
  const { table, deps, asked } = scene();
  expect(await createSegment({ ...deps, takesConditions: false }, requestOf(asked))).toMatchObject({
    ok: false,
    error: { status: 409, code: 'conditions_off' },
  });
  expect(table.items()).toEqual([]);
});

it('the preparation waits from the creation, not from the first look', async () => {
  const { harness, deps, asked } = scene();
  await harness.store({ unique_id: 'a', extra_data: { spend: 700 } });
  const { id } = await answered(createSegment(deps, requestOf(asked)), customSegmentAnswer);
  await expectWaitFromNow(harness, id);
  expect(await harness.members(id)).toEqual(['a']);
});

it('the preparation waits from the repetition of a creation that died behind its transaction', async () => {
  const { harness, deps, asked } = scene();
  await harness.store({ unique_id: 'a', extra_data: { spend: 700 } });
  let reads = 0;
  const list = keys.conditions(scope.id);
  const table = viewOf(harness.table, {
    get: (key) => {
      if (key.sk === list.sk && (reads += 1) > 1) throw new Error('killed');
      return harness.table.get(key);
    },
  });
  await expect(createSegment({ ...deps, table }, requestOf(asked))).rejects.toThrow('killed');
  harness.now += 1_000;
  const repeated = { ...asked, now: harness.now };
  const { id } = await answered(createSegment(deps, requestOf(repeated)), customSegmentAnswer);
  await expectWaitFromNow(harness, id);
});

it('a creation whose last step fails has made the condition, which the first look finds', async () => {
  const { harness, deps, asked } = scene();
  let reads = 0;
  const list = keys.conditions(scope.id);
  const table = viewOf(harness.table, {
    get: (key) => {
      // The second read of the list is the last step.
      if (key.sk === list.sk && (reads += 1) > 1) throw new UnavailableError('gone');
      return harness.table.get(key);
    },
  });
  const { id } = await answered(createSegment({ ...deps, table }, requestOf(asked)), customSegmentAnswer);
  expect(reads).toBe(2);
  await harness.settle();
  expect(await harness.isReady(id)).toBe(true);
});
