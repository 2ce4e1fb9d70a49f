/** Files of imports: from their upload to their announcement. */
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { limits } from '../../shared/config/limits.ts';
import { chunkUuid } from '../../shared/imports/items/batch.ts';
import { batchMessageOf } from '../../shared/imports/items/job-messages.ts';
import { keys } from '../../shared/table/keys.ts';
import { reconcileInAnHour, storeUnannounced, tellOfFile, tellOfNewFile } from '../support/file-events.ts';
import { changeItem } from '../support/items.ts';
import { until } from '../support/until.ts';
import {
  definition,
  ended,
  KNOWN,
  made,
  putFile,
  refusedRows,
  removeObjects,
  runFile,
  sendFile,
  uploadAddress,
  withDrainsHeld,
  type Cast,
  type Extra,
  type ImportJob,
} from './cast.ts';
import type { Stage } from './stage.ts';

const undone = v.looseObject({ undo: v.nullable(v.looseObject({ status: v.string() })) });
const parts = v.looseObject({ parts: v.array(v.looseObject({ url: v.string() })) });

const announced = v.object({
  deliveries: v.array(v.looseObject({ id: v.string(), state: v.string() })),
});

/** The file of the box office: a good row, a row with a bad age, and a row without an address. */
export const csv = [
  'E-mail;Name;Age;Tags',
  'fay@example.org;Fay Ito;34;Jazz|Opera',
  'gus@example.org;Gus Kerr;about 50;Opera',
  'hal (at) example.org;Hal Moss;61;Jazz',
  '',
].join('\n');

/** A file from its upload to the undo of its job. */
export const playFile = async (stage: Stage, id: number): Promise<void> => {
  const { show, call } = stage;
  const { job_id, url, headers } = await show(
    'createUpload',
    { path: { import_id: id }, body: { file_name: 'visitors.csv', size: Buffer.byteLength(csv) } },
    uploadAddress,
  );
  await putFile(url, csv, headers);
  const path = { import_id: id, job_id };
  await ended(stage, path);
  const delivery = await until('the announcement', async () => {
    const { deliveries } = await call('listImportDeliveries', { path }, announced);
    return deliveries.find(({ state }) => state === 'delivered');
  });
  await show('getImportJob', { path });
  await show('listImportJobs', { path: { import_id: id } });
  await show('listAllImportJobs', { query: { limit: 2 } });
  await show('listImportErrors', { path });
  await show('listImportWarnings', { path });
  await show('listImportDeliveries', { path });
  await show('replayAnnouncement', { path: { ...path, delivery: delivery.id } });
  await until('the replay', async () => {
    const { deliveries } = await call('listImportDeliveries', { path }, announced);
    return deliveries.every(({ state }) => state === 'delivered') || undefined;
  });
  const refused = await refusedRows(stage, path);
  await show('retryImportJob', { path, body: { csv: refused.replace(' (at) ', '@') } });
  await ended(stage, path);
  await show('undoImportJob', { path });
  await until('the end of the undo', async () => {
    const { undo } = await call('getImportJob', { path }, undone);
    return undo?.status === 'complete' ? true : undefined;
  });
};

/** A file in parts. Its job then waits for a small file in one part, because a real file would be 100 MB. */
export const playParts = async (stage: Stage, id: number): Promise<void> => {
  const { show, call, service } = stage;
  const body = { file_name: 'history.csv', size: limits.imports.onePutBytes + 20_000_000 };
  const begun = await call(
    'createUpload',
    { path: { import_id: id }, body },
    v.looseObject({ job_id: v.number() }),
  );
  const path = { import_id: id, job_id: begun.job_id };
  await show('getUpload', { path });
  const size = Buffer.byteLength(csv);
  await changeItem(service, keys.job(service.property, begun.job_id), { 'file.awaited.size': size });
  const small = await call('getUpload', { path }, parts);
  for (const { url } of small.parts) await putFile(url, csv);
  await show('completeUpload', { path });
  await ended(stage, path);
};

/** Goes on with the import of a file that is gone, from each of its steps. */
const importGone: Extra['play'] = async (cast) => {
  const { property, cloud } = cast.service;
  const { import_id, job_id: job } = await runFile(cast, 'email,first_name,tags\nx@example.org,,\n');
  removeObjects(cast, 'uploads', `uploads/${property}/imports/${import_id}/${job}/`);
  for (const [phase, step] of [
    ['started', 'inspectFile'],
    ['readable', 'splitFile'],
  ] as const) {
    await changeItem(cast.service, keys.job(property, job), { phase });
    await cloud.invoke(step, { property, import: import_id, job });
  }
  const batch = chunkUuid(job, 0);
  await changeItem(cast.service, keys.batch(property, job, batch), { result: null });
  const { body } = batchMessageOf(property, job, batch);
  const attributes = { ApproximateReceiveCount: '1', MessageGroupId: 'test' };
  await cloud.invoke('importBatch', {
    Records: [{ messageId: 'm', receiptHandle: 'r', body, attributes }],
  });
};

/** A new person, a known person and a refused row. */
const rows = ({ fresh }: Cast): string => {
  const n = fresh();
  return `email,first_name,tags\r\nf${n}@example.org,Z${n},t${n}\r\n${KNOWN},N${n},\r\nwrong,,\r\n`;
};

/** Inspects the file of a job, which is gone later. */
const inspectFile: Extra['play'] = async (cast) => {
  const { call, service } = cast;
  const { import_id, job_id } = await runFile(cast, 'email\nx@example.org\n');
  const body = { upload: { job_id } };
  await call('inspectImport', { body });
  removeObjects(cast, 'uploads', `uploads/${service.property}/imports/${import_id}/${job_id}/`);
  await call('inspectImport', { body }).catch(() => undefined);
};

/** What settles the journal finds rows that are not indexed, and asks for drains. */
const settleImport: Extra['play'] = (cast) =>
  withDrainsHeld(cast, 'settleImport', () => sendFile(cast, rows(cast)));

const failImport: Extra['play'] = async ({ call, service, importId, fresh }) => {
  const body = { file_name: `f${fresh()}.csv`, size: 1 };
  const path = { import_id: importId };
  const { job_id: job } = await call('createUpload', { path, body }, v.looseObject({ job_id: v.number() }));
  const failed = { property: service.property, import: importId, job, error: 'Error', cause: 'a test' };
  await service.cloud.invoke('failImport', failed);
};

/** Events of three files: a renamed file that is gone, a file in a directory of no definition, and one of a job. */
const tellOfDrops: Extra['play'] = async ({ service, importId, fresh }) => {
  const imports = `/uploads/sftp/1/${service.property}/imports/${importId}`;
  const names = { from: `${imports}/a.csv.part`, to: `${imports}/lost${fresh()}.csv` };
  await tellOfFile(service.cloud, { kind: 'renamed', ...names });
  for (const drop of ['1001999999999/x.csv', `${importId}/x${fresh()}.csv`])
    await tellOfNewFile(service, drop, `email\n${fresh()}\n`);
};

/** A new file and a file in a directory of no definition, whose events were lost. */
const reconcileDrops: Extra['play'] = async ({ service, importId, fresh }) => {
  for (const directory of [importId, 1_001_999_999_999])
    await storeUnannounced(service, `${directory}/f${fresh()}.csv`, `email\n${fresh()}\n`);
  await reconcileInAnHour(service);
};

/** A delivery of a job that has arrived. */
const arrived = ({ call }: Stage, path: ImportJob, kind: string): Promise<string> =>
  until(`the delivery ${kind}`, async () => {
    const found = (await call('listImportDeliveries', { path }, announced)).deliveries;
    return found.find(({ id, state }) => id.endsWith(kind) && state === 'delivered')?.id;
  });

/**
 * Two files from SFTP, with and without a refused row, of a definition with a webhook. One definition has the caller's own
 * address, and another has an address that needs a confirmation. Then their result files are made once more, without rows.
 */
const announceFiles: Extra['play'] = async (cast) => {
  const { call, service, webhook, fresh } = cast;
  for (const notification_email of [service.userEmail, `n${fresh()}@example.net`]) {
    const body = { ...definition(`D${fresh()}`), webhook_url: webhook, notification_email };
    const { id: import_id } = await call('createImport', { body }, made);
    for (const email of [`n${fresh()}@x.org`, fresh()])
      await tellOfNewFile(service, `${import_id}/f${fresh()}.csv`, `email,first_name,tags\n${email},A,\n`);
    const listed = v.looseObject({ jobs: v.tuple([made, made]) });
    const jobs = await until('the jobs of the files', async () => {
      const answer = await call('listImportJobs', { path: { import_id } }, v.unknown());
      return v.is(listed, answer) ? answer.jobs : undefined;
    });
    for (const { id: job_id } of jobs) {
      const path = { import_id, job_id };
      const delivery = await arrived(cast, path, 'result_files');
      removeObjects(cast, 'work', `refused/${service.property}/${job_id}/`);
      await call('replayAnnouncement', { path: { ...path, delivery } });
    }
  }
};

/** Announces a file once more. Its job was reopened, so that its progress is counted again. */
const replayAnnouncement: Extra['play'] = async (cast) => {
  const { call, webhook, fresh } = cast;
  const body = { ...definition(`D${fresh()}`), webhook_url: webhook };
  const { id: importId } = await call('createImport', { body }, made);
  const path = await runFile({ ...cast, importId }, 'email,first_name,tags\nwrong,,\n');
  const delivery = await arrived(cast, path, 'webhook');
  const csv = (await refusedRows(cast, path)).replace('wrong', 'r@example.org');
  await call('retryImportJob', { path, body: { csv } });
  const counts = v.looseObject({ counts: v.looseObject({ completed: v.number() }) });
  await until(
    'the corrected row',
    async () => (await call('getImportJob', { path }, counts)).counts.completed === 1 || undefined,
  );
  await call('replayAnnouncement', { path: { ...path, delivery } });
};

export const fileExtras: readonly Extra[] = [
  { of: ['inspectFile', 'splitFile', 'importBatch'], play: importGone },
  {
    of: ['inspectFile', 'splitFile', 'importBatch'],
    play: async (cast) => ended(cast, await sendFile(cast, gzipSync(rows(cast)))),
  },
  { of: ['inspectImport'], play: inspectFile },
  { of: ['failImport'], play: failImport },
  { of: ['announceImport'], play: announceFiles },
  { of: ['replayAnnouncement'], play: replayAnnouncement },
  { of: ['startImport'], play: tellOfDrops },
  { of: ['reconcileDrops'], play: reconcileDrops },
  { of: ['settleImport'], play: settleImport },
];
