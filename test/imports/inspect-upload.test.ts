import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { roles } from '../../shared/http/permissions.ts';
import { inspectImport } from '../../shared/imports/inspect/inspect-import.ts';
import { inspectAnswer } from '../../shared/imports/inspect/inspect-schemas.ts';
import { begin, type ImportHarness, request, simpleDefinition, withDefinition } from './import-harness.ts';
import { needsPeopleRead } from '../support/answers.ts';
import { answered } from '../support/requests.ts';

const FILE = 'email,first_name\na@x.org,Ann\nwrong,Bob\n';

const inspecting = (harness: ImportHarness, job: number, property?: number) => {
  const asked = request({}, {}, { upload: { job_id: job } });
  return inspectImport(
    harness.deps,
    property === undefined ? asked : { ...asked, property: { id: property, account: 1 } },
  );
};
const inspected = (harness: ImportHarness, job: number) => answered(inspecting(harness, job), inspectAnswer);

/** A harness with a definition and a file that has arrived. */
const arrived = async (file: Buffer | string, definition: object = simpleDefinition) => {
  const { harness, id } = await withDefinition(definition);
  return { harness, ...(await harness.upload(id, file)) };
};

describe('the inspection of the file of a job', () => {
  it.each([
    ['as it is', Buffer.from(FILE)],
    ['compressed', gzipSync(FILE)],
  ])('shows and judges the first rows of a file %s', async (_, file) => {
    const { harness, job } = await arrived(file);
    const { dialect, sample, rows } = await inspected(harness, job);
    expect(dialect).toEqual({ encoding: 'utf-8', delimiter: 'comma' });
    expect(sample).toEqual([
      ['a@x.org', 'Ann'],
      ['wrong', 'Bob'],
    ]);
    expect(rows.map(({ faults }) => faults.map(({ code }) => code))).toEqual([[], ['not_an_email']]);
  });

  it('is not for a token that may see no people: somebody else may have sent the file', async () => {
    const { harness, job } = await arrived(FILE);
    const asked = { ...request({}, {}, { upload: { job_id: job } }), permissions: roles.importer };
    expect(await inspectImport(harness.deps, asked)).toMatchObject(needsPeopleRead);
  });

  it('shows the same after the job has run, and changes nothing', async () => {
    const { harness, id } = await withDefinition();
    const { id: job, counts } = await harness.runFile(id, FILE);
    expect(counts.status).toBe('complete-with-errors');
    const before = harness.table.items();
    expect((await inspected(harness, job)).sample[0]).toEqual(['a@x.org', 'Ann']);
    expect(harness.table.items()).toEqual(before);
  });

  it('reads no more of a large file than an inspection looks at', async () => {
    const { harness, job } = await arrived(
      `email,first_name\n${`a@x.org,${'y'.repeat(90)}\n`.repeat(50_000)}`,
    );
    let read = 0;
    const { uploads } = harness;
    const counted = {
      head: (key: string) => uploads.head(key),
      read: async function* (...wanted: Parameters<typeof uploads.read>) {
        for await (const piece of uploads.read(...wanted)) {
          read += piece.length;
          yield piece;
        }
      },
    };
    const answer = await inspectImport(
      { ...harness.deps, uploads: counted },
      request({}, {}, { upload: { job_id: job } }),
    );
    expect(answer).toMatchObject({ ok: true, value: { audited: { job_id: job } } });
    expect(read).toBe(100_000);
  });

  it('answers 422 for an unknown job and for the job of another property, as for every id in a body', async () => {
    const { harness, job } = await arrived(FILE);
    const unknown = {
      ok: false,
      error: { status: 422, errors: [{ pointer: '/upload/job_id', code: 'unknown_reference' }] },
    };
    expect(await inspecting(harness, job + 1)).toMatchObject(unknown);
    expect(await inspecting(harness, job, 77)).toMatchObject(unknown);
  });

  it('answers 409 for a job without a file, before the file has arrived, and after its deletion', async () => {
    const batches = await begin();
    expect(await inspecting(batches.harness, batches.job)).toMatchObject({
      error: { status: 409, code: 'no_file' },
    });
    const { harness, job, key } = await arrived(FILE);
    const { id } = await harness.define();
    const { job: waiting } = await harness.openUpload(id, 9);
    expect(await inspecting(harness, waiting)).toMatchObject({ error: { status: 409, code: 'no_file' } });
    await harness.uploads.remove(key);
    expect(await inspecting(harness, job)).toMatchObject({ error: { status: 409, code: 'file_gone' } });
  });
});
