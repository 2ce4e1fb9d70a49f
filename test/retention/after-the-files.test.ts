import { beforeEach, describe, expect, it } from 'vitest';
import { announceImport } from '../../shared/imports/announce/announce-import.ts';
import { replayAnnouncement } from '../../shared/imports/announce/import-deliveries.ts';
import { inspectImport } from '../../shared/imports/inspect/inspect-import.ts';
import { importDeliveryId } from '../../shared/imports/items/import-delivery.ts';
import { listImportWarnings } from '../../shared/imports/reports/list-report.ts';
import { textLike } from '../support/answers.ts';
import { dropKey, sendFile } from '../imports/drops.ts';
import { openDryRun } from '../imports/dry-run-scenes.ts';
import {
  type ImportHarness,
  importHarness,
  request,
  simpleDefinition,
  referenceOf,
} from '../imports/import-harness.ts';
import { download, edited, retried, retry } from '../imports/retry-harness.ts';

const text = 'email,first_name\na@x.org,A\nbad,B\n';
let harness: ImportHarness;
let id: number;
beforeEach(async () => {
  harness = importHarness();
  ({ id } = await harness.define());
});

/** Deletes all files and reports, as the rule of a property or the lifecycle of the buckets does. */
const deleteFiles = async () => {
  for (const bucket of [harness.uploads, harness.work])
    for (const key of bucket.keys()) if (!key.startsWith('undo/')) await bucket.remove(key);
};
const errorsOf = (job: number, query: object = {}) => harness.askReport(id, job, query);
const gone = { ok: false, error: { status: 409, code: 'rows_gone' } };

describe('rows that are no longer kept', () => {
  it.each([{}, { format: 'csv' }, { format: 'csv', limit: '1' }])(
    'list as rows_gone, by %j',
    async (query) => {
      const { id: job } = await harness.runFile(id, text);
      expect(await errorsOf(job, query)).toMatchObject({ ok: true });
      await deleteFiles();
      expect(await errorsOf(job, query)).toMatchObject(gone);
      // There were none.
      expect(await harness.askReport(id, job, query, { list: listImportWarnings })).toMatchObject({
        ok: true,
      });
    },
  );

  it('leave the counts and the reasons of their job', async () => {
    const before = await harness.runFile(id, text);
    await deleteFiles();
    expect(await harness.readJob(id, before.id)).toEqual(before);
  });

  it('are left out of the list of a job that has taken batches since', async () => {
    const { id: job } = await harness.openJob(id);
    const refuse = async (email: string) => {
      await harness.store(job, [{ email }]);
    };
    await refuse('old');
    await deleteFiles();
    await refuse('new');
    const { errors } = await harness.readErrors(id, job);
    expect(errors.map(({ record }) => record)).toEqual([JSON.stringify({ email: 'new' })]);
    const csv = await download({ harness, importId: id, job });
    expect(csv).toContain('new');
    expect(csv).not.toContain('old');
  });

  it('make no file of a whole list, from its beginning or half way', async () => {
    const { id: job } = await harness.openJob(id);
    for (let batch = 0; batch < 3; batch += 1)
      await harness.store(
        job,
        Array.from({ length: 400 }, (_, row) => ({ email: `bad ${row}` })),
      );
    let now = 0;
    const { headers } = await harness.download(id, job, {}, { clock: () => (now += 60_000) });
    const query = Object.fromEntries(new URL(headers?.['location'] ?? '').searchParams);
    expect(Object.keys(query)).toContain('cursor');
    await deleteFiles();
    expect(await errorsOf(job, query)).toMatchObject(gone);
    expect(await errorsOf(job, { format: 'csv' })).toMatchObject(gone);
  });

  it('take no retry, and the job stays as it is', async () => {
    const { id: job } = await harness.runFile(id, text);
    const place = { harness, importId: id, job };
    const corrected = edited(await download(place), (row) =>
      row.map((cell) => (cell === 'bad' ? 'b@x.org' : cell)),
    );
    const before = await harness.readJob(id, job);
    await deleteFiles();
    expect(await retry(place, corrected)).toMatchObject(gone);
    expect(await harness.readJob(id, job)).toEqual(before);
  });

  it('end a replay of the result files beside a file from SFTP, with the reason', async () => {
    await harness.startImport(await sendFile(harness, dropKey(id, 'people.csv'), text));
    const job = Number(harness.started.at(-1)?.split('-').at(-1));
    await harness.runJob(id, job);
    const announce = () => announceImport(harness.deps, referenceOf(id, job));
    await announce();
    await deleteFiles();
    const delivery = importDeliveryId({ id: job }, 'result_files');
    const path = { import_id: id, job_id: job, delivery };
    const answer = await replayAnnouncement(harness.deps, request(path, {}, undefined));
    expect(answer).toMatchObject({ ok: true });
    expect(await announce()).toEqual({ done: true, wait_seconds: 0 });
    const [told] = await harness.deps.imports.importDeliveries({ property: 7, id: job });
    expect(told).toMatchObject({ state: 'exhausted', last_error: 'The refused rows are no longer kept.' });
    expect(harness.uploads.keys()).toEqual([]);
  });
});

describe('a file that is no longer kept', () => {
  it('is not inspected, and the answer says why', async () => {
    const { id: job } = await harness.runFile(id, text);
    await deleteFiles();
    expect(await inspectImport(harness.deps, request({}, {}, { upload: { job_id: job } }))).toMatchObject({
      error: { code: 'file_gone', detail: textLike(/by a rule of the property/) },
    });
  });
});

describe('a dry run whose findings are no longer kept', () => {
  it('ends without a result after a late retry', async () => {
    ({ id } = await harness.define({ ...simpleDefinition, name: 'Dry' }));
    const job = await openDryRun(harness, id);
    await harness.store(job, [{ email: 'a@x.org' }, { email: 'bad' }]);
    const place = { harness, importId: id, job };
    const corrected = edited(await download(place), (row) =>
      row.map((cell) => cell.replace('bad', 'b@x.org')),
    );
    await retried(place, corrected);
    for (const key of harness.work.keys()) if (key.startsWith('rehearsals/')) await harness.work.remove(key);
    await harness.workOff();
    expect(await harness.readJob(id, job)).toMatchObject({
      counts: { status: 'complete', completed: 2 },
      dry_run_result: null,
    });
  });
});
