import { describe, expect, it } from 'vitest';
import { listQuery } from '../../shared/http/list-schemas.ts';
import { check } from '../../shared/http/schema-faults.ts';
import { findSegmentsQuery } from '../../shared/segments/schemas.ts';

describe('the limit parameter of a list', () => {
  it.each(['0', '-1', '1001', '1.5', '1e3', 'ten', '', ' 5', '0x10', '010', '+5', 'NaN', '5;6'])(
    'every list refuses the limit %j with the same error',
    (limit) => {
      for (const schema of [listQuery, findSegmentsQuery]) {
        const found = check<unknown>(schema, { limit });
        expect(found.ok ? [] : found.faults).toEqual([
          { pointer: '/limit', code: 'out_of_range', detail: 'Must be a whole number from 1 to 1000.' },
        ]);
      }
    },
  );

  it.each(['1', '1000'])('every list accepts the limit %s', (limit) => {
    for (const schema of [listQuery, findSegmentsQuery])
      expect(check<unknown>(schema, { limit })).toEqual({ ok: true, value: { limit: Number(limit) } });
  });
});
