/** Requests beside restatements: a request is later than everything that was stored when it began. */
import { describe, expect, it } from 'vitest';
import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { toldBefore } from '../../shared/ingest/apply-records.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { accepted } from '../profiles/harness.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { casesOf } from '../support/scale.ts';
import { seeded, type Choose } from './interleave.ts';
import { mergeOf, ofJob, said, scheduledHarness, storedStates, withJobs, jobs } from './undo-harness.ts';

const [FIRST, SECOND, OTHER] = jobs;

const ann = {
  email: 'ann@example.org',
  city: 'Bonn',
  tags: [{ datetime: '2025-01-01 00:00:00', tag: ['vip'] }],
};

/** A table that counts looks for restatements. */
class AskedTable extends MemoryTable {
  asked = 0;
  override query(...args: Parameters<MemoryTable['query']>) {
    this.asked += Number(kindOfKey(args[0]) === 'restatement');
    return super.query(...args);
  }
}

const scene = () => withJobs(new AskedTable(), [FIRST, SECOND, OTHER]);

describe('a request by a slower clock than that of a file before it', () => {
  it('is later than what the file restates, whatever comes late', async () => {
    const { table, harness } = await scene();
    await harness.apply([ofJob(FIRST, ann, 1)]);
    await harness.apply([ofJob(SECOND, ann, 9)]);
    await harness.post(accepted({ ...ann, city: 'Ulm', tags: null }, 4));
    const shown = said(storedStates(table));
    await harness.apply([ofJob(OTHER, { ...ann, city: 'Köln' }, 3)]);
    expect(said(storedStates(table))).toEqual(shown);
    expect(await harness.undo(OTHER)).toBe(true);
    expect(said(storedStates(table))).toEqual(shown);
  });

  it('looks only where a profile has values of an import', async () => {
    const { table, harness } = await scene();
    for (const order of [1, 2]) await harness.post(accepted({ ...ann, age: order }, order));
    expect(table.asked).toBe(0);
    await harness.apply([ofJob(FIRST, { ...ann, city: 'Köln' }, 3)]);
    table.asked = 0;
    await harness.post(accepted(ann, 4));
    expect(table.asked).toBe(1);
  });
});

describe('the outcome of a request that was stored again', () => {
  const warnings = [{ code: 'segment_limit', detail: 'No room.' }] as const;
  const first = { kind: 'created', ordinal: 1, stamp: stampOf(1), warnings } as const;

  it('tells what was new the first time, with the time of the second', () => {
    const again = { kind: 'updated', ordinal: 1, stamp: stampOf(2), warnings: [] } as const;
    expect(toldBefore(again, first)).toEqual({ ...first, stamp: stampOf(2) });
  });

  it('tells of another person who was created since the first was forgotten', () => {
    const other = { kind: 'created', ordinal: 2, stamp: stampOf(2), warnings: [] } as const;
    expect(toldBefore(other, first)).toBe(other);
  });
});

/** A repeated row, an older row and a request at the same time. What did not end is delivered or sent again. */
const race = async (choose: Choose, deadly: number) => {
  const { table, applied, all, store, post } = await scheduledHarness([FIRST, SECOND, OTHER]);
  const batch = (record: AcceptedRecord) => ({ record, run: () => store(record) });
  const request = (record: AcceptedRecord) => ({ record, run: () => post(record) });
  const order = (): number => 2 + choose(9);
  await batch(ofJob(FIRST, ann, 1)).run();
  const sent = [{ city: 'Ulm' }, { tags: null }, { city: null }, {}][choose(4)];
  const actors = [
    batch(ofJob(SECOND, ann, order())),
    batch(ofJob(OTHER, { ...ann, city: 'Köln' }, order())),
    request(accepted({ ...ann, ...sent }, order())),
  ];
  await table.interleave(
    actors.map(({ run }) => run),
    choose,
    deadly,
  );
  for (const { record, run } of actors) if (!applied.has(record)) await run();
  const shown = said(storedStates(table));
  // A late record that says nothing new brings up whatever was missed.
  await batch(ofJob(OTHER, { email: ann.email }, 1)).run();
  const restated = table.items('restatement').length > 0;
  return { table, all: all(), restated, shown };
};

const SCHEDULES = casesOf('SCHEDULES', { full: 4_000, sample: 600 });

describe('a request beside a repeated row and an older row', () => {
  it.each([
    ['in any schedule', Number.POSITIVE_INFINITY],
    ['in any schedule with deaths', 25],
  ])('leaves the merge of all records, %s', async (_, deadly) => {
    let common = 0;
    for (let seed = 0; seed < SCHEDULES; seed += 1) {
      const { table, all, restated, shown } = await race(seeded(seed), deadly);
      expect(shown, `seed ${seed}`).toEqual(said(mergeOf(all, new Set())));
      expect(said(storedStates(table)), `seed ${seed}`).toEqual(shown);
      common += Number(restated);
    }
    expect(common, 'restatements are common').toBeGreaterThan(SCHEDULES / 8);
  });
});
