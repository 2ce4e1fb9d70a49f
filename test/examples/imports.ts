import * as v from 'valibot';
import { limits } from '../../shared/config/limits.ts';
import { keys } from '../../shared/table/keys.ts';
import { changeItem } from '../support/change-item.ts';
import { until } from '../support/until.ts';
import type { Receiver } from '../support/webhook-receiver.ts';
import type { Recorder } from './recorder.ts';

const anything = v.unknown();
const made = v.looseObject({ id: v.number() });
const ended = v.looseObject({
  finished: v.nullable(v.string()),
  undo: v.nullable(v.looseObject({ status: v.string() })),
});
const address = v.looseObject({
  job_id: v.number(),
  url: v.string(),
  headers: v.record(v.string(), v.string()),
});
const parts = v.looseObject({ parts: v.array(v.looseObject({ url: v.string() })) });
const announced = v.object({
  deliveries: v.array(v.looseObject({ id: v.string(), state: v.string() })),
});

/** The file of the box office: a good row, a row with a bad age, and a row without an address. */
const csv = [
  'E-mail;Name;Age;Tags',
  'fay@example.org;Fay Ito;34;Jazz|Opera',
  'gus@example.org;Gus Kerr;about 50;Opera',
  'hal (at) example.org;Hal Moss;61;Jazz',
  '',
].join('\n');

/** The field map of a column. */
export const column = (name: string, target_field: string, more: object = {}) => ({
  sources: [{ type: 'source_field', name }],
  target_field,
  ...more,
});

/** Imports: a definition, a file with a refused row that is sent again, an undo, and a job for batches of records. */
export const recordImports = async (recorder: Recorder, receiver: Receiver): Promise<void> => {
  const { record, send } = recorder;
  await record('inspectImport', { body: { content: Buffer.from(csv).toString('base64') } }, anything);
  const body = {
    name: 'Box office',
    delimiter: 'semicolon',
    mapping_fields: {
      required_fields: ['email'],
      field_maps: [
        column('E-mail', 'email'),
        column('Name', 'full_name'),
        column('Age', 'age', { on_bad_value: 'drop_cell' }),
        column('Tags', 'tags', { split: '|' }),
      ],
    },
    webhook_url: receiver.url,
  };
  const { id } = await record('createImport', { body }, made);
  const path = { import_id: id };
  await record('listImports', { query: { name: 'box office' } }, anything);
  await recordFile(recorder, id);
  await recordBatches(recorder, id);
  await recordParts(recorder, id);
  await record(
    'replaceImport',
    { path, body: { ...body, name: 'Box office, weekly', file_match_rule: '*.csv' } },
    anything,
  );
  await record('getImport', { path }, anything);
  const unused = await send('createImport', { body: { ...body, name: 'Not used' } }, made);
  await record('deleteImport', { path: { import_id: unused.id } }, anything);
};

/** A file from its upload to the undo of its job. */
const recordFile = async ({ record, send }: Recorder, id: number): Promise<void> => {
  const { job_id, url, headers } = await record(
    'createUpload',
    { path: { import_id: id }, body: { file_name: 'visitors.csv', size: Buffer.byteLength(csv) } },
    address,
  );
  await put(url, csv, headers);
  const path = { import_id: id, job_id };
  const end = (): Promise<true> =>
    until('the end of the job', async () => {
      const { finished } = await send('getImportJob', { path }, ended);
      return finished === null ? undefined : true;
    });
  await end();
  const delivery = await until('the announcement', async () => {
    const { deliveries } = await send('listImportDeliveries', { path }, announced);
    return deliveries.find(({ state }) => state === 'delivered');
  });
  await record('getImportJob', { path }, anything);
  await record('listImportJobs', { path: { import_id: id } }, anything);
  await record('listImportErrors', { path }, anything);
  await record('listImportWarnings', { path }, anything);
  await record('listImportDeliveries', { path }, anything);
  await record('replayAnnouncement', { path: { ...path, delivery: delivery.id } }, anything);
  await until('the replay', async () => {
    const { deliveries } = await send('listImportDeliveries', { path }, announced);
    return deliveries.every(({ state }) => state === 'delivered') || undefined;
  });
  const refused = await send('listImportErrors', { path, query: { format: 'csv' } }, v.string());
  await record('retryImportJob', { path, body: { csv: refused.replace(' (at) ', '@') } }, anything);
  await end();
  await record('undoImportJob', { path }, anything);
  await until('the end of the undo', async () => {
    const { undo } = await send('getImportJob', { path }, ended);
    return undo?.status === 'complete' ? true : undefined;
  });
};

const recordBatches = async ({ record, send }: Recorder, id: number): Promise<void> => {
  const job = await record('createImportJob', { path: { import_id: id }, body: { name: 'CRM' } }, made);
  const records = [
    {
      email: 'ida@example.org',
      first_name: 'Ida',
      tags: [{ datetime: '2026-05-04 10:00:00', tag: ['Opera'] }],
    },
    { email: 'jon@example.org', first_name: 'Jon', city: 'Bonn' },
  ];
  const headers = { 'idempotency-key': 'crm-monday-1' };
  await record('importData', { headers, body: { name: 'Monday', import_job: job.id, records } }, anything);
  await until('the end of the batch', async () => {
    const path = { import_id: id, job_id: job.id };
    const { finished } = await send('getImportJob', { path }, ended);
    return finished === null ? undefined : true;
  });
  const unused = await send('createImportJob', { path: { import_id: id }, body: { name: 'Tuesday' } }, made);
  await record('cancelImportJob', { path: { import_id: id, job_id: unused.id } }, anything);
};

/** A file in parts. Its job then waits for a small file in one part, because a real file would be 100 MB. */
const recordParts = async ({ record, send, service }: Recorder, id: number): Promise<void> => {
  const body = { file_name: 'history.csv', size: limits.imports.onePutBytes + 20_000_000 };
  const begun = await send(
    'createUpload',
    { path: { import_id: id }, body },
    v.looseObject({ job_id: v.number() }),
  );
  const path = { import_id: id, job_id: begun.job_id };
  await record('getUpload', { path }, anything);
  const size = Buffer.byteLength(csv);
  await changeItem(service, keys.job(service.property, begun.job_id), { 'file.awaited.size': size });
  const small = await send('getUpload', { path }, parts);
  for (const { url } of small.parts) await put(url, csv);
  await record('completeUpload', { path }, anything);
  await until('the end of the job', async () => {
    const { finished } = await send('getImportJob', { path }, ended);
    return finished === null ? undefined : true;
  });
};

const put = async (
  url: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const { status } = await fetch(url, { method: 'PUT', headers, body });
  if (status !== 200) throw new Error(`The upload answered ${status}.`);
};
