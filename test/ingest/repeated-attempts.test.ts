import { describe, expect, it } from 'vitest';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import type { Table } from '../../shared/table/table.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { viewOf } from '../support/table-view.ts';
import { accepted, scope, harnessOn } from '../profiles/harness.ts';

/** A writer in a property without quota for segments. */
const fullProperty = (items: MemoryTable, table: Table = items) => {
  const { deps } = harnessOn(items);
  const full = { ...deps, table, segments: { idsOf: () => Promise.resolve(new Map<string, number>()) } };
  const record = accepted({ email: 'ann@example.org', gender: 'Female' });
  return async (attemptId: string, again = false) => {
    const [outcome] = await applyRecords(full, scope, [record], {
      attemptId,
      index: 'later',
      repeated: again,
    });
    return outcome && 'warnings' in outcome ? outcome.warnings.map(({ code }) => code) : [];
  };
};

describe('a record that was stored by an unfinished attempt', () => {
  it('gets its warnings again at its redelivery', async () => {
    const apply = fullProperty(new MemoryTable());
    expect(await apply('first')).toEqual(['segment_limit']);
    expect(await apply('second', true)).toEqual(['segment_limit']);
  });

  it('gets its warnings in the round that finds it stored after the answer to its write was lost', async () => {
    const items = new MemoryTable();
    let isLost = false;
    const table = viewOf(items, {
      // Reports a refusal, because another writer has changed the profile since.
      writeMany: async (writes) => {
        const outcomes = await items.writeMany(writes);
        if (isLost || !writes.some(({ key }) => kindOfKey(key.pk) === 'profile')) return outcomes;
        isLost = true;
        return outcomes.map(() => 'refused');
      },
    });
    expect(await fullProperty(items, table)('first')).toEqual(['segment_limit']);
    expect(isLost).toBe(true);
  });
});
