import { describe, expect, it } from 'vitest';
import { listQuery } from '../../shared/http/list-schemas.ts';
import { check } from '../../shared/http/schema-faults.ts';
import { findSegmentsQuery } from '../../shared/segments/schemas.ts';

describe('the limit of a list', () => {
  it.each(['0', '-1', '1001', '1.5', '1e3', 'ten', '', ' 5', '0x10', '010', '+5', 'NaN', '5;6'])(
    '%j is refused the same way by every list',
    (limit) => {
      for (const schema of [listQuery, findSegmentsQuery]) {
        const found = check<unknown>(schema, { limit });
        expect(found.ok ? [] : found.faults).toEqual([
          { pointer: '/limit', code: 'out_of_range', detail: 'Must be a whole number from 1 to 1000.' },
        ]);
      }
    },
  );

  it.each(['1', '1000'])('%s is taken', (limit) => {
    for (const schema of [listQuery, findSegmentsQuery])
      expect(check<unknown>(schema, { limit })).toEqual({ ok: true, value: { limit: Number(limit) } });
  });
});
