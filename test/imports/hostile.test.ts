import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { check } from '../../shared/http/schema-faults.ts';
import { batchMessage } from '../../shared/imports/items/job-messages.ts';
import { batchBody } from '../../shared/imports/schemas/batch-schemas.ts';
import { visibleText } from '../../shared/runtime/visible-text.ts';
import { jobBody } from '../../shared/imports/schemas/job-schemas.ts';
import { uploadBody } from '../../shared/imports/schemas/upload-schemas.ts';
import { begin, withDefinition } from './import-harness.ts';

const records = (count: number): readonly unknown[] => Array.from({ length: count }, () => ({}));
const batch = { name: 'b', import_job: 7_000_000_001, records: records(1) };
const without = (name: string): object =>
  Object.fromEntries(Object.entries(batch).filter(([key]) => key !== name));

/** Bodies with one thing wrong, and where. */
const refused: readonly (readonly [schema: v.GenericSchema, body: unknown, pointer: string])[] = [
  ...['1', 0, -1, 1.5, 2 ** 53, null, [1], {}, true].map(
    (import_job) => [batchBody, { ...batch, import_job }, '/import_job'] as const,
  ),
  [batchBody, without('import_job'), '/import_job'],
  ...[{}, null, 'x', 1, [], records(10_001)].map(
    (some) => [batchBody, { ...batch, records: some }, '/records'] as const,
  ),
  [batchBody, without('records'), '/records'],
  ...['true', 1, null].map(
    (skip_appends) => [batchBody, { ...batch, skip_appends }, '/skip_appends'] as const,
  ),
  ...['', ' ', 7, null, 'x'.repeat(256)].map((name) => [jobBody, { name }, '/name'] as const),
  ...['', '.', '..', '../x', 'a/b', 'a\\b', 'a\u0000b', 'a\nb', 7, null].map(
    (file_name) => [uploadBody, { file_name, size: 1 }, '/file_name'] as const,
  ),
  ...[0, -1, 1.5, '1', null, 2 ** 53, 100_000_000_001].map(
    (size) => [uploadBody, { file_name: 'a.csv', size }, '/size'] as const,
  ),
];

describe('a body that is refused', () => {
  it.each(refused)('%#', (schema, body, pointer) => {
    const checked = check(schema, body);
    expect(checked.ok ? [] : checked.faults.map((fault) => fault.pointer)).toEqual([pointer]);
  });

  it('is not one of as many records as a batch may have', () => {
    expect(check(batchBody, { ...batch, records: records(10_000) }).ok).toBe(true);
  });
});

describe('batches', () => {
  it('of two jobs of one definition, sent and worked off together, are counted apart', async () => {
    const { harness, importId, job } = await begin();
    const { id: other } = await harness.openJob(importId);
    await Promise.all([
      harness.send(job, [{ email: 'a@x.org' }, {}]),
      harness.send(other, [{ email: 'a@x.org' }, { email: 'b@x.org' }, { email: 'c@x.org' }]),
      harness.send(job, [{ email: 'b@x.org' }]),
    ]);
    const messages = harness.messages();
    await Promise.all(messages.map((message) => harness.importBatch(message)));
    const counts = async (id: number) => (await harness.readJob(importId, id)).counts;
    expect(await counts(job)).toMatchObject({ ingested: 3, completed: 2, unserializable: 1 });
    expect(await counts(other)).toMatchObject({ ingested: 3, completed: 3, unserializable: 0 });
  });

  it('of one record each, hundreds at once on one job, are all counted', async () => {
    const { harness, importId, job } = await begin();
    await Promise.all(
      Array.from({ length: 300 }, (_, index) => harness.send(job, [{ email: `p${index}@x.org` }])),
    );
    const messages = harness.messages();
    await Promise.all(messages.map((message) => harness.importBatch(message)));
    expect((await harness.readJob(importId, job)).counts).toMatchObject({
      status: 'complete',
      ingested: 300,
      completed: 300,
    });
  });

  it('with a record that no profile can hold refuse that one, and store the others', async () => {
    const { harness, importId, job } = await begin();
    const large = (email: string, characters: number) => ({
      email,
      extra_data: { a: 'x'.repeat(characters) },
    });
    await harness.store(job, [
      large('fits@x.org', 370_000),
      large('not@x.org', 401_000),
      { email: 'b@x.org' },
    ]);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ completed: 2, failed: 1 });
    expect((await harness.readErrors(importId, job)).errors).toMatchObject([
      { row: 2, code: 'profile_too_large' },
    ]);
  });

  it('are not what a message of another version speaks of', () => {
    expect(v.is(batchMessage, { v: 2, property: 7, job: 1, batch: 'b' })).toBe(false);
  });

  it('for a job that nobody made leave nothing behind', async () => {
    const { harness } = await begin();
    for (const import_job of [1, Number.MAX_SAFE_INTEGER]) {
      const answer = await harness.importRecords(import_job, [{}]);
      expect(answer).toMatchObject({ ok: false, error: { status: 422 } });
    }
    expect(harness.work.keys()).toEqual([]);
  });
});

describe('runs of invisible characters', () => {
  const RUN = '\u200b'.repeat(666_000);

  it.each([
    ['between letters', `a${RUN}b`, 'ab'],
    ['at both ends', `${RUN}a${RUN}`, 'a'],
    ['alone', RUN, ''],
    ['of spaces before a letter beyond ASCII', `a${' '.repeat(RUN.length)}é`, `a${' '.repeat(RUN.length)}é`],
    ['of joiners behind an emoji', `👩${'\u200d'.repeat(RUN.length)}`, '👩'],
  ])('take time in proportion to their length: %s', (_, text, seen) => {
    // In quadratic time this would take hours.
    expect(visibleText(text)).toBe(seen);
  });

  it('that fill a row of 2 MB refuse that row, and the rows beside it are stored', async () => {
    const { harness, id } = await withDefinition();
    const { id: job, counts } = await harness.runFile(
      id,
      `email,first_name\na@x.org,A\nb@x.org,x${RUN}y\nc@x.org,C\n`,
    );
    expect(counts).toMatchObject({ completed: 2, unserializable: 1 });
    expect((await harness.readErrors(id, job)).errors).toMatchObject([
      {
        row: 2,
        field: 'first_name',
        code: 'too_long',
        message: 'first_name: Has over 10240 characters in its columns.',
      },
    ]);
  });
});
