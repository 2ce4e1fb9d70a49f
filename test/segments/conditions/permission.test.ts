import { expect, it } from 'vitest';
import { allPermissions } from '../../../shared/http/permissions.ts';
import { createSegment } from '../../../shared/segments/change-segments.ts';
import { scope } from '../../profiles/harness.ts';
import { requestOf } from '../../support/requests.ts';
import { ConditionHarness, where } from './harness.ts';

const scene = () => {
  const { table, people, now } = new ConditionHarness();
  const deps = { table, catalogue: people.catalogue, pause: () => Promise.resolve(), takesConditions: true };
  const asked = { property: scope.id, now, query: {}, body: { name: 'A condition', where } };
  return { table, deps, asked };
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
