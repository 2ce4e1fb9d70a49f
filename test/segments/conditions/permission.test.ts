import { expect, it } from 'vitest';
import { allPermissions } from '../../../shared/http/permissions.ts';
import { createSegment } from '../../../shared/segments/change-segments.ts';
import { scope } from '../../profiles/harness.ts';
import { requestOf } from '../../support/requests.ts';
import { ConditionHarness, where } from './harness.ts';

it('a token that may not see people makes no condition, whose count would answer about any value', async () => {
  const { table, people, now } = new ConditionHarness();
  const deps = { table, catalogue: people.catalogue, pause: () => Promise.resolve() };
  const body = { name: 'A condition', where };
  const asked = { property: scope.id, now, query: {}, body };
  const permissions = allPermissions.filter((one) => one !== 'people.read');
  expect(await createSegment(deps, requestOf({ ...asked, permissions }))).toMatchObject({
    ok: false,
    error: { status: 403, code: 'not_permitted' },
  });
  expect(await createSegment(deps, requestOf(asked))).toMatchObject({ ok: true, value: { status: 201 } });
});
