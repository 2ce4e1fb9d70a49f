import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  noReasonSums,
  type ReasonedBatch,
  reasonsOfJob,
  reasonSumsName,
  withReasons,
} from '../../shared/imports/counting/tally.ts';
import {
  type ReasonedRow,
  reasonsBetween,
  reasonsOf,
  shownReasons,
} from '../../shared/imports/items/row-findings.ts';
import { NOW } from '../profiles/harness.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { begin, importHarness, simpleDefinition, withDefinition } from './import-harness.ts';
import { download, edited, fromFile, retried } from './retry-harness.ts';

const result = (rows: readonly ReasonedRow[]): ReasonedBatch['result'] => ({
  ...{ serialized: 0, unserializable: rows.length, completed: 0, failed: 0, finished: 1 },
  ...{ errors: null, warnings: null, refusedBy: [...reasonsOf(rows)], warnedBy: [], lists: [] },
});

const chunk = { kind: 'rows' as const, start: 0, end: 1, row: 1, line: 1, tooLarge: false };
const codes = ['not_an_email', 'required', 'too_long'];
const rowAt = (line: number, code: string): ReasonedRow => ({
  ...{ field: 'email', column: null, code, line },
  message: `The field is ${code}.`,
});

/** The reasons that a job shows after these batches, each counted in these states. */
const shownOf = (states: readonly ReasonedBatch[]) => {
  const sums = [...Map.groupBy(states, reasonSumsName).values()].map((group) =>
    group.reduce(withReasons, noReasonSums),
  );
  return shownReasons(reasonsOfJob(sums).refusedBy, 50);
};

describe('the reasons of a job', () => {
  it('count the rows that are left, in whichever order and however often each batch is counted', () => {
    const anyCode = fc.constantFrom(...codes);
    fc.assert(
      fc.property(
        fc.array(fc.array(anyCode, { maxLength: 10 }), { maxLength: 5 }),
        fc.array(fc.record({ batch: fc.nat(4), sent: fc.array(fc.nat(9)), again: fc.option(anyCode) })),
        fc.infiniteStream(fc.nat()),
        (files, retries, draws) => {
          const batches: ReasonedBatch[] = [];
          const left = files.map((rows, slot) => {
            const reported = rows.map((code, index) => rowAt(slot * 100 + index, code));
            batches.push({ slot, source: chunk, retry: null, result: result(reported) });
            return reported;
          });
          for (const [slot, { batch, sent, again }] of retries.entries()) {
            const before = left[batch] ?? [];
            const after = before.filter((_, index) => !sent.includes(index));
            const refusedBy = [...reasonsBetween(reasonsOf(before), reasonsOf(after))];
            const refused = before
              .filter((row) => !after.includes(row))
              .flatMap(({ line }) => (line === null || again === null ? [] : [rowAt(line, again)]));
            const retry = { requestKey: 'r', unserializable: 0, failed: 0, rows: [], refusedBy };
            const source = { kind: 'corrections' as const, key: 'k' };
            batches.push({ slot, source, retry, result: null });
            batches.push({ slot, source, retry, result: result(refused) });
            if (left[batch]) left[batch] = after;
            left.push(refused);
          }
          const told = [...batches, ...batches]
            .map((state) => ({ state, draw: Number(draws.next().value) }))
            .sort((one, other) => one.draw - other.draw)
            .map(({ state }) => state);
          const all = left.flat();
          const shown = shownOf(told);
          expect(Object.fromEntries(shown.map(({ code, count }) => [code, count]))).toEqual(
            Object.fromEntries(
              codes.flatMap((code) => {
                const rows = all.filter((row) => row.code === code).length;
                return rows === 0 ? [] : [[code, rows]];
              }),
            ),
          );
          for (const { code, example_line: line } of shown)
            expect(all.filter((row) => row.code === code).map((row) => row.line)).toContain(line);
        },
      ),
    );
  });

  it('are a bounded list: the rows of the rarest reasons count together', () => {
    const rows = Array.from({ length: 300 }, (_, n) => rowAt(n, `code ${n % 150}`));
    const shown = shownOf([{ slot: 0, source: chunk, retry: null, result: result(rows) }]);
    expect(shown).toHaveLength(50);
    expect(shown[0]).toMatchObject({ field: null, code: 'other', count: 2 * 51, example_message: null });
    expect(reasonsOf(rows)).toHaveLength(100);
  });

  it('show the words of one row, cut if it has many faults', () => {
    const rows = ['Must be short.', 'Must be '.repeat(60)].map((message, at) => ({
      ...rowAt(at, 'a'),
      message,
    }));
    const other = { ...rowAt(3, 'b'), message: 'x'.repeat(500) };
    expect(shownReasons(reasonsOf([...rows, other]), 50).map(({ example_message: words }) => words)).toEqual([
      'Must be short.',
      `${'x'.repeat(200)}…`,
    ]);
  });

  it('show the words of the line beside them, whichever batch is counted first', () => {
    const batches = [700, 3, 80].map((line, slot): ReasonedBatch => {
      const rows = [{ ...rowAt(line, 'a'), message: `Words of ${line}.` }];
      return { slot, source: chunk, retry: null, result: result(rows) };
    });
    for (const told of [batches, batches.toReversed()]) {
      expect(shownOf(told)).toMatchObject([{ count: 3, example_line: 3, example_message: 'Words of 3.' }]);
    }
  });

  it('name a field without the positions in its lists', () => {
    const rows = ['tags.0.tag.1', 'tags.12.tag.0', 'extra_data.5 a'].map((field) => ({
      ...rowAt(1, 'too_long'),
      field,
    }));
    expect(reasonsOf(rows).map(({ field, rows: count }) => [field, count])).toEqual([
      ['tags', 2],
      ['extra_data.5 a', 1],
    ]);
  });
});

describe('GET job', () => {
  const file = 'no,email,first_name\n1,a@x.org,A\n2,bad,B\n3,wor@se,C\n4,,D\n5,evil,E\n';
  const reasons = async ({ harness, importId, job }: Awaited<ReturnType<typeof fromFile>>) =>
    (await harness.readJob(importId, job)).refused_by.map(({ field, code, count, example_line }) => [
      field,
      code,
      count,
      example_line,
    ]);

  it('tells why rows are refused, the most frequent reason first, with a line for each', async () => {
    const place = await fromFile(file);
    expect(await reasons(place)).toEqual([
      ['email', 'not_an_email', 3, 3],
      ['email', 'required', 1, 5],
    ]);
  });

  it('counts rows that are sent again no longer, and then in the reason that they have now', async () => {
    const place = await fromFile(file);
    const mend = edited(await download(place), (row) => {
      if (row[0] === '2') return row.with(1, 'b@x.org');
      return row[0] === '3' ? row.with(1, '') : undefined;
    });
    await retried(place, mend);
    expect(await reasons(place)).toEqual([
      ['email', 'not_an_email', 1, 6],
      ['email', 'required', 1, 5],
    ]);
    await place.harness.workOff();
    expect(await reasons(place)).toEqual([
      ['email', 'required', 2, 4],
      ['email', 'not_an_email', 1, 6],
    ]);
    const whole = edited(await download(place), (row) => row.with(1, `n${row[0]}@x.org`));
    await retried(place, whole);
    await place.harness.workOff();
    expect(await reasons(place)).toEqual([]);
  });

  it('tells what the service remarked about stored rows', async () => {
    const { harness, id } = await withDefinition();
    const { id: job } = await harness.openJob(id);
    await harness.store(
      job,
      ['mum', 'dad', 'son'].map((unique_id) => ({ unique_id, email: 'family@x.org' })),
    );
    expect(await harness.readJob(id, job)).toMatchObject({
      refused_by: [],
      warned_by: [{ field: 'email', column: null, code: 'identity_conflict', count: 2, example_line: null }],
    });
  });

  it('tells the reasons of all rows of a job that ends while it is read', async () => {
    let meanwhile: (() => Promise<void>) | undefined;
    const harness = importHarness(
      new MemoryTable(async (operation, [key]) => {
        if (operation !== 'query' || key?.pk.endsWith('#TALLIES') !== true) return;
        const work = meanwhile;
        meanwhile = undefined;
        await work?.();
      }),
    );
    const { id: importId } = await harness.define(simpleDefinition);
    const { id: job } = await harness.openJob(importId);
    await harness.send(job, [{ email: 'bad' }]);
    meanwhile = () => harness.workOff();
    const ended = { counts: { status: 'complete-with-errors' }, refused_by: [{ code: 'not_an_email' }] };
    expect(await harness.readJob(importId, job)).toMatchObject(ended);
    expect(await harness.readJob(importId, job)).toMatchObject(ended);
  });

  it('tells the reasons of a batch whose worker died before it counted them', async () => {
    for (const repair of ['redelivery', 'schedule'] as const) {
      const { harness, importId, job } = await begin();
      await harness.send(job, [{ email: 'bad' }]);
      const message = harness.firstMessage();
      harness.table.loses = ({ key }) => key.pk.endsWith('#REASONS');
      await expect(harness.importBatch(message)).rejects.toThrow('gave up');
      harness.table.loses = () => false;
      expect((await harness.readJob(importId, job)).counts).toMatchObject({ processing: 1 });
      if (repair === 'redelivery') await harness.importBatch(message);
      else await harness.repairAt(NOW);
      expect(await harness.readJob(importId, job)).toMatchObject({
        counts: { status: 'complete-with-errors' },
        refused_by: [{ code: 'not_an_email', count: 1 }],
      });
    }
  });
});
