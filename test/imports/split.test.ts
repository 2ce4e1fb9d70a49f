import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { decode } from '../../shared/csv/decode.ts';
import { type Dialect } from '../../shared/csv/dialect.ts';
import { type RowChunk, RowChunker } from '../../shared/csv/row-chunks.ts';
import { batchMessage } from '../../shared/imports/items/job-messages.ts';
import type { QueueMessage } from '../../shared/runtime/ports.ts';
import { settleImport } from '../../shared/imports/jobs/settle-import.ts';
import { splitFile } from '../../shared/imports/files/split-file.ts';
import { keys, ORDINALS_PER_CHUNK } from '../../shared/table/keys.ts';
import { scope } from '../profiles/harness.ts';
import { begin, importHarness, simpleDefinition, withDefinition } from './import-harness.ts';
import { download, retried } from './retry-harness.ts';

const dialect: Dialect = { encoding: 'utf-8', delimiter: 'comma', newline: 'lf', trim: false };

describe('RowChunker', () => {
  const file = Buffer.from('a,1\r\n"b\nb",2\n\n"c,""c""",3\r\nd,4\ne,"é\r\n"\nf,6');
  const cut = (pieces: readonly Buffer[], rows: number, bytes = 1_000, rowBytes = 1_000) => {
    const chunker = new RowChunker(dialect, { rows, bytes, rowBytes }, { offset: 0, line: 1, row: 1 });
    const chunks = pieces.flatMap((piece) => [...chunker.push(piece)]);
    const { chunks: last, openQuote } = chunker.finish();
    expect(openQuote).toBeUndefined();
    return [...chunks, ...last];
  };
  const numbersOf = (chunks: readonly RowChunk[]) => chunks.map(({ row, line, rows }) => [row, line, rows]);

  it('cuts the same whatever the pieces, into rows that are whole', () => {
    const expected = cut([file], 2);
    expect(numbersOf(expected)).toEqual([
      [1, 1, 2],
      [3, 5, 2],
      [5, 7, 2],
    ]);
    for (let at = 0; at <= file.length; at += 1)
      expect(cut([file.subarray(0, at), file.subarray(at)], 2)).toEqual(expected);
    expect(expected.map(({ start, end }) => decode(file.subarray(start, end), 'utf-8'))).toEqual([
      'a,1\r\n"b\nb",2\n',
      '"c,""c""",3\r\nd,4\n',
      'e,"é\r\n"\nf,6',
    ]);
  });

  it('keeps chunks below their bytes, and rows too large by themselves', () => {
    expect(numbersOf(cut([file], 100, 12))).toEqual([
      [1, 1, 1],
      [2, 2, 1],
      [3, 5, 1],
      [4, 6, 1],
      [5, 7, 2],
    ]);
    const chunks = cut([Buffer.from(`a\nb\n${'x'.repeat(50)}\nc\n`)], 100, 1_000, 49);
    expect(chunks.map(({ rows, tooLarge }) => [rows, tooLarge])).toEqual([
      [2, false],
      [1, true],
      [1, false],
    ]);
  });
});

const { rowsPerChunk } = limits.imports;

/** A file of several chunks, with line breaks in its cells. */
const rows = Array.from({ length: 9_000 }, (_, index) => `p${index}@x.org,"Name ${index}\r\n""é"""`);
const large = `email,first_name\r\n${rows.join('\r\n')}`;

describe('splitFile', () => {
  it('loses and doubles no row, whatever the size of what is read', async () => {
    const harness = importHarness();
    harness.uploads.pieceBytes = 1_021;
    const { id } = await harness.define();
    const job = await harness.runFile(id, large);
    expect(job.counts).toMatchObject({ status: 'complete', ingested: 9_000, completed: 9_000 });
    const stored = await harness.people();
    expect(new Map(stored)).toEqual(
      new Map(rows.map((_, index) => [`p${index}@x.org`, `Name ${index}\r\n"é"`])),
    );
    expect(await harness.deps.imports.batches(7, job.id)).toHaveLength(Math.ceil(rows.length / rowsPerChunk));
  });

  it('run again makes the same batches', async () => {
    const { harness, id } = await withDefinition();
    const { reference, job } = await harness.uploadInspected(id, large);
    const before = await harness.deps.imports.job(7, job);
    await harness.splitFile(reference);
    const batches = await harness.deps.imports.batches(7, job);
    const after = await harness.deps.imports.job(7, job);
    if (before && after) await harness.deps.imports.updateJob(after, { phase: 'readable', ended: null });
    await harness.splitFile(reference);
    expect(await harness.deps.imports.batches(7, job)).toEqual(batches);
    expect(harness.batches.take()).toHaveLength(2 * batches.length);
  });

  it('stores each batch before its message is sent', async () => {
    const { harness, id } = await withDefinition();
    const { reference, job } = await harness.uploadInspected(id, large);
    const stored: boolean[] = [];
    const send = async (messages: readonly QueueMessage[]): Promise<void> => {
      for (const { body } of messages) {
        const { batch } = v.parse(batchMessage, JSON.parse(body));
        stored.push((await harness.deps.imports.batch(scope.id, job, batch)) !== undefined);
      }
    };
    await splitFile({ ...harness.deps, batches: { send } }, reference);
    expect(stored.length).toBeGreaterThan(1);
    expect(stored).toEqual(stored.map(() => true));
  });

  it('goes on in another call when its time is up', async () => {
    const { harness, id } = await withDefinition({ ...simpleDefinition, test_mode: true });
    const numbered = Array.from({ length: 26_000 }, (_, index) => `p${index}@x.org,\n`).join('');
    const { reference, job } = await harness.uploadInspected(id, `email,first_name\n${numbered}`);
    const answers = [await harness.splitHurriedly(reference)];
    while (answers.at(-1)?.done === false && answers.length < 20)
      answers.push(await harness.splitHurriedly(reference));
    expect(answers.length).toBeGreaterThan(1);
    await harness.workOff();
    expect((await harness.readJob(id, job)).counts).toMatchObject({ ingested: 26_000, completed: 26_000 });
    const batches = await harness.deps.imports.batches(7, job);
    expect(batches.map(({ source }) => (source.kind === 'rows' ? source.row : 0))).toEqual(
      Array.from({ length: Math.ceil(26_000 / rowsPerChunk) }, (_, index) => index * rowsPerChunk + 1),
    );
  });
});

describe('the file of a job', () => {
  it('told of five times starts one job', async () => {
    const { harness, id } = await withDefinition();
    const { event, job } = await harness.upload(id, large);
    for (let delivery = 0; delivery < 4; delivery += 1) await harness.startImport(event);
    expect(new Set(harness.started)).toEqual(new Set([`p7-import-${job}`]));
    expect(await harness.listJobs(id)).toMatchObject([{ id: job, status: 'ingesting' }]);
  });

  it('replaced while it is read fails its job, and the new content makes none', async () => {
    const { harness, id } = await withDefinition();
    const { reference, job, key } = await harness.uploadInspected(id, large);
    await harness.splitFile(reference);
    const event = await harness.put(key, Buffer.from('email,first_name\nnew@x.org,N\n'));
    await harness.startImport(event);
    await harness.startImport(event);
    await harness.workOff();
    expect(await harness.readJob(id, job)).toMatchObject({
      failure: { code: 'file_changed' },
      counts: { status: 'failed', ingested: 9_000, unserializable: 9_000 },
    });
    expect(harness.started).toEqual([`p7-import-${job}`]);
    expect(harness.ignored).toEqual(['second_version', 'second_version']);
  });

  it.each(['elsewhere/file.csv', 'uploads/7/imports/7000000001/7000000009/' + '0'.repeat(32), '../x'])(
    '%s belongs to no import and is ignored',
    async (key) => {
      const harness = importHarness();
      await harness.define();
      await harness.startImport(await harness.put(key, Buffer.from('x')));
      expect(harness.ignored).toHaveLength(1);
      expect(harness.started).toEqual([]);
    },
  );

  it('is settled step by step, with pauses that grow', async () => {
    const { harness, id } = await withDefinition();
    const { reference } = await harness.uploadInspected(id, large);
    await harness.splitFile(reference);
    expect(await harness.settleImport(reference)).toEqual({ done: false, wait_seconds: 1 });
    const later = { ...harness.deps, clock: () => harness.deps.clock() + 600_000 };
    expect(await settleImport(later, reference)).toEqual({ done: false, wait_seconds: 30 });
    await harness.workOff();
    harness.barrier.settled = false;
    expect((await harness.settleImport(reference)).done).toBe(false);
    harness.barrier.settled = true;
    expect(await harness.settleImport(reference)).toEqual({ done: true, wait_seconds: 0 });
  });
});

it('has a file of known people indexed batch by batch only where they are neighbours', async () => {
  const { harness, job, importId } = await begin();
  const { chunksDrainedAtOnce } = limits.imports;
  const { ordinalsPerReservation } = limits.profiles;
  for (let chunk = 0; chunk <= chunksDrainedAtOnce; chunk += 1) {
    const neighbours = Array.from({ length: ordinalsPerReservation }, (_, n) => ({
      email: `q${n}.${chunk}@x.org`,
    }));
    await harness.store(job, [{ email: `p${chunk}@x.org` }, ...neighbours.slice(1)]);
    await harness.table.increment(keys.counter(scope.id, 'ordinal'), ORDINALS_PER_CHUNK);
  }
  const emails = Array.from({ length: chunksDrainedAtOnce + 1 }, (_, chunk) => `p${chunk}@x.org`);
  const runEmails = async (rows: readonly string[]): Promise<void> => {
    const { counts } = await harness.runFile(
      importId,
      ['email,first_name', ...rows.map((one) => `${one},A`)].join('\n'),
    );
    expect(counts).toMatchObject({ status: 'complete', completed: rows.length });
  };
  harness.drains.length = 0;
  await runEmails(emails);
  expect(harness.drains).toEqual([]);
  await runEmails(emails.slice(1));
  expect(harness.drains).toEqual([[0]]);
  await harness.store(
    job,
    emails.map((email) => ({ email })),
  );
  expect(harness.drains).toEqual([[0], [0]]);
  // A retry comes after the workflow of the file, so no workflow drains its rows.
  const wrong = ['email,first_name', ...emails.map((email) => `bad ${email},A`)].join('\n');
  const refused = { harness, importId, job: (await harness.runFile(importId, wrong)).id };
  await retried(refused, (await download(refused)).replaceAll('bad ', ''));
  await harness.workOff();
  expect(harness.drains).toEqual([[0], [0], [0]]);
});

describe('refused rows', () => {
  it('are paged through, each once, in the order of the file', async () => {
    const { harness, id } = await withDefinition();
    const bad = Array.from({ length: 9_000 }, (_, index) =>
      index % 3 === 0 ? `bad ${index},x` : `p${index}@x.org,x`,
    );
    const job = await harness.runFile(id, `email,first_name\n${bad.join('\n')}\n`);
    const seen: (number | null)[] = [];
    let query: object = { limit: '700' };
    for (let pages = 0; pages < 5; pages += 1) {
      const page = await harness.readErrors(id, job.id, query);
      seen.push(...page.errors.map(({ row }) => row));
      if (page.paging.next_page === null) break;
      query = Object.fromEntries(new URL(page.paging.next_page).searchParams);
    }
    expect(seen).toEqual(Array.from({ length: 3_000 }, (_, index) => 3 * index + 1));
  });
});
