import fc from 'fast-check';
import type * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { readUnits } from '../../local/services/dynamodb/sizes.ts';
import { isBatchDropped } from '../../shared/imports/jobs/cancellation.ts';
import { totalsOf } from '../../shared/imports/jobs/job-progress.ts';
import { type Batch, type BatchResult, chunkUuid } from '../../shared/imports/items/batch.ts';
import { type ImportJob, jobPhases } from '../../shared/imports/items/import-job.ts';
import { noCells, sumListCells } from '../../shared/imports/items/row-findings.ts';
import type { batchMessage } from '../../shared/imports/items/job-messages.ts';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import { importData } from '../../shared/imports/batches/import-data.ts';
import { counted, emptyTally, tallyNameOf } from '../../shared/imports/counting/tally.ts';
import { tiers } from '../../shared/profiles/types.ts';
import type { StoredItem } from '../../shared/table/table.ts';
import { NOW } from '../profiles/harness.ts';
import { newUndo } from '../../shared/imports/undo/undo-import-job.ts';
import { Killed } from '../ingest/interleave.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { begin, importHarness, request } from './import-harness.ts';
import { newBatch } from './new-batch.ts';

const resultOf = (serialized: number, refused: number, failed: number, finished: number): BatchResult => ({
  serialized,
  unserializable: refused,
  completed: serialized - failed,
  failed,
  errors: null,
  warnings: null,
  refusedBy: [],
  warnedBy: [],
  lists: [{ field: 'tags', column: 'Tags', ...noCells, cells: serialized, slash: refused }],
  finished,
});

/** A batch in its successive states: added, perhaps parked, perhaps finished. */
const anyBatch = fc
  .record({
    kind: fc.constantFrom('rows', 'records', 'corrections'),
    records: fc.integer({ min: 1, max: 50 }),
    accepted: fc.nat(1_000),
    retry: fc.option(fc.record({ unserializable: fc.nat(9), failed: fc.nat(9) })),
    parked: fc.option(fc.nat(1_000)),
    refused: fc.option(fc.nat(50)),
    finished: fc.nat(1_000),
  })
  .map((drawn) => (slot: number): readonly Batch[] => {
    const { kind, records, accepted, retry, parked, refused, finished } = drawn;
    const place = { start: 0, end: 1, row: 1, line: 1, tooLarge: false };
    const added = newBatch({
      ...{ uuid: `${kind}-${slot}`, slot, accepted, records },
      source: kind === 'rows' ? { kind, ...place } : { kind, key: 'k' },
      retry: retry && { ...retry, requestKey: 'r', rows: [], refusedBy: [] },
    });
    const held = { ...added, parked };
    const unserializable = Math.min(refused ?? 0, records);
    const result = resultOf(records - unserializable, unserializable, 0, finished);
    return [added, ...(parked === null ? [] : [held]), ...(refused === null ? [] : [{ ...held, result }])];
  });

const anyJob = fc
  .record({
    phase: fc.constantFrom(...jobPhases),
    finishing: fc.option(fc.array(fc.nat(9_000).map((slot) => `rows-${slot}`))),
    undo: fc.constantFrom(null, null, newUndo(1_000)),
  })
  .map(({ phase, finishing, undo }) => ({
    phase,
    finishing: phase === 'cancelled' ? finishing : null,
    undo,
  }));

/** The totals, one batch after the other, as the rules of a job state them. */
const modelOf = (job: Pick<ImportJob, 'phase' | 'finishing' | 'undo'>, batches: readonly Batch[]) => {
  const totals = { batches: batches.length, waiting: 0, parked: 0, ingested: 0, serialized: 0 };
  const more = { unserializable: 0, processing: 0, completed: 0, failed: 0 };
  for (const batch of batches) {
    const { records, result, retry, parked } = batch;
    const isLost = isBatchDropped(job, batch) || parked !== null;
    totals.ingested += retry ? 0 : records;
    totals.serialized += (result?.serialized ?? records) - (retry?.failed ?? 0);
    totals.waiting += Number(!result && !isLost);
    totals.parked += Number(!result && parked !== null);
    more.unserializable += (result?.unserializable ?? 0) - (retry?.unserializable ?? 0);
    more.completed += result?.completed ?? 0;
    more.failed += (result?.failed ?? (isLost ? records : 0)) - (retry?.failed ?? 0);
    more.processing += !result && !isLost ? records : 0;
  }
  const finished = batches.flatMap(({ result, parked }) => [
    ...(result ? [result.finished] : []),
    ...(parked === null ? [] : [parked]),
  ]);
  return {
    ...totals,
    ...more,
    firstAccepted: batches.length === 0 ? null : Math.min(...batches.map(({ accepted }) => accepted)),
    lastFinished: finished.length === 0 ? null : Math.max(...finished),
    lists: batches.flatMap(({ result }) => (result ? [result.lists] : [])).reduce(sumListCells, []),
  };
};

const talliesOf = (states: readonly Batch[]) =>
  [...Map.groupBy(states, tallyNameOf)].map(([name, group]) => ({
    ...group.reduce(counted, emptyTally),
    name,
  }));

describe('the tallies of a job', () => {
  it('tell what its batches tell, in whichever order and however often each state is counted', () => {
    fc.assert(
      fc.property(
        fc.array(anyBatch, { maxLength: 20 }),
        fc.array(fc.nat(9_000), { minLength: 20, maxLength: 20 }),
        anyJob,
        fc.infiniteStream(fc.nat()),
        (made, slots, job, draws) => {
          const seen = new Set<string>();
          const batches = made
            .map((stateOf, index) => stateOf(slots[index] ?? 0))
            .filter(([{ uuid } = { uuid: '' }]) => !seen.has(uuid) && seen.add(uuid));
          const present = batches.flatMap((states) => states.slice(-1));
          const told = [...batches.flat(), ...batches.flat()]
            .map((state) => ({ state, draw: Number(draws.next().value) }))
            .sort((one, other) => one.draw - other.draw)
            .map(({ state }) => state);
          const finishing = present.filter(({ uuid }) => job.finishing?.includes(uuid));
          expect(totalsOf(job, { tallies: talliesOf(told), finishing })).toEqual(modelOf(job, present));
        },
      ),
    );
  });
});

/** Counts the read units of a table, by the sizes of the items that it returns. */
class MeteredTable extends MemoryTable {
  units = 0;

  override async get(...input: Parameters<MemoryTable['get']>) {
    const item = await super.get(...input);
    this.#count(item ? [item] : []);
    return item;
  }

  override async query(...input: Parameters<MemoryTable['query']>) {
    const page = await super.query(...input);
    this.#count(page.items);
    return page;
  }

  #count(items: readonly StoredItem[]): void {
    this.units += readUnits(
      items.reduce((sum, item) => sum + bytesOf(item), 0),
      true,
    );
  }
}

/** The size of an item as JSON, which is larger than its size in DynamoDB. */
const bytesOf = (item: StoredItem): number =>
  JSON.stringify(item, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  ).length;

describe('a poll of a job of 25,000 batches, the most that a file of 100 GB has', () => {
  it('reads some tens of units, as does its last step, and the counts are exact', async () => {
    const table = new MeteredTable();
    const harness = importHarness(table);
    const { id } = await harness.define();
    const { job, reference } = await harness.upload(id, 'email,first_name\na@x.org,A\n');
    const stored = await harness.deps.imports.job(7, job);
    if (!stored) throw new Error('no job');
    await harness.deps.imports.updateJob(stored, { phase: 'split' });
    const most = 25_000;
    for (let first = 0; first < most; first += 500) {
      const added = Array.from({ length: 500 }, (_, index) => ({
        ...{ uuid: chunkUuid(job, first + index), slot: first + index, name: 'f.csv', accepted: NOW },
        ...{ records: 4_096, skipAppends: false, tier: tiers.stated },
        source: { kind: 'rows' as const, start: 0, end: 1, row: 1, line: 1, tooLarge: false },
      }));
      await harness.deps.imports.addBatches(stored, added);
    }
    // Consecutive batches spread over all sums of reasons, and each refuses its rows for 30 reasons.
    const refusing = [0, 1, 2, 3].map((index) => chunkUuid(job, 12_344 + index));
    const refusedBy = Array.from({ length: 30 }, (_, n) => ({
      ...{ field: `extra_data.answer ${n}`, column: `Frage ${n}`, code: 'not_a_number', rows: 3 },
      message: 'm'.repeat(201),
      examples: [{ line: 50_000_000 + n, count: 1 }],
    }));
    for (const batch of await harness.deps.imports.batchesOf(7, job, refusing))
      await harness.deps.imports.finishBatch(stored, batch, {
        ...resultOf(4_006, 90, 0, NOW + 5),
        refusedBy,
      });
    for (const poll of [
      async () =>
        expect((await harness.readJob(id, job)).counts).toMatchObject({
          status: 'processing',
          ingested: most * 4_096,
          processing: (most - 4) * 4_096,
          completed: 4 * 4_006,
          unserializable: 4 * 90,
        }),
      async () =>
        expect((await harness.readJob(id, job)).refused_by[29]).toMatchObject({
          code: 'not_a_number',
          count: 4 * 3,
        }),
      async () => expect((await harness.settleImport(reference)).done).toBe(false),
    ]) {
      table.units = 0;
      await poll();
      expect(table.units).toBeLessThan(30);
    }
  });
});

describe('a batch whose worker dies between its result and its count', () => {
  it('is counted when its message is delivered again', async () => {
    const { harness, importId, job } = await begin();
    await harness.send(job, [{ email: 'a@x.org' }]);
    const message = harness.firstMessage();
    await dyingAfterResult(harness, message);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ processing: 1 });
    await harness.importBatch(message);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({
      status: 'complete',
      completed: 1,
    });
  });

  it('is counted by the repair when its message is lost', async () => {
    const { harness, importId, job } = await begin();
    await harness.send(job, [{ email: 'a@x.org' }]);
    const message = harness.firstMessage();
    await dyingAfterResult(harness, message);
    await harness.repairAt(NOW);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({
      status: 'complete',
      completed: 1,
    });
  });

  /** Stores the result of a batch with a worker that dies when it counts the batch. */
  const dyingAfterResult = async (
    harness: Awaited<ReturnType<typeof begin>>['harness'],
    message: v.InferOutput<typeof batchMessage>,
  ): Promise<void> => {
    const { imports } = harness.deps;
    const finishBatch: typeof imports.finishBatch = async (job, seen, result) => {
      const { table } = harness;
      table.loses = ({ key }) => key.pk.endsWith('#TALLIES');
      const fail = imports.finishBatch(job, seen, result);
      await expect(fail).rejects.toThrow('gave up');
      table.loses = () => false;
      throw new Killed();
    };
    await expect(
      importBatch({ ...harness.deps, imports: { ...imports, finishBatch } }, message),
    ).rejects.toThrow(Killed);
  };
});

describe('a batch that is sent again under its key', () => {
  it('is counted once, also by two requests at the same time', async () => {
    const { harness, importId, job } = await begin();
    const asked = request({}, {}, { name: 'b', import_job: job, records: [{ email: 'a@x.org' }] });
    const keyed = { ...asked, keyed: true };
    await Promise.all([importData(harness.deps, keyed), importData(harness.deps, keyed)]);
    await importData(harness.deps, keyed);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ ingested: 1, processing: 1 });
    await harness.workOff();
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ ingested: 1, completed: 1 });
  });

  it('is counted when the first request died before it could count', async () => {
    const { harness, importId, job } = await begin();
    const asked = request({}, {}, { name: 'b', import_job: job, records: [{ email: 'a@x.org' }] });
    harness.table.loses = ({ key }) => key.pk.endsWith('#TALLIES');
    await expect(importData(harness.deps, { ...asked, keyed: true })).rejects.toThrow('gave up');
    harness.table.loses = () => false;
    await importData(harness.deps, { ...asked, keyed: true });
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ ingested: 1, processing: 1 });
  });
});
