import * as v from 'valibot';
import { limits } from '../../shared/config/limits.ts';
import { tallyNameOf } from '../../shared/imports/counting/tally.ts';
import { keys } from '../../shared/table/keys.ts';
import { fieldMap } from '../support/field-map.ts';
import { changeItem, deleteItem, putItem } from '../support/items.ts';
import { until } from '../support/until.ts';
import {
  definition,
  ended,
  fire,
  KNOWN,
  made,
  makeJob,
  refusedRows,
  removeObjects,
  runBatch,
  runFile,
  secondPage,
  sendBatch,
  sendFile,
  type Cast,
  type Extra,
} from './cast.ts';
import { csv, playFile, playParts } from './import-files.ts';
import type { Stage } from './stage.ts';
import { lookAtTasks } from './tasks.ts';

/** Imports: a definition, a file with a refused row that is sent again, an undo, and a job for batches of records. */
export const playImports = async (stage: Stage): Promise<void> => {
  const { show, call, webhook } = stage;
  await show('inspectImport', { body: { content: Buffer.from(csv).toString('base64') } });
  const body = {
    name: 'Box office',
    delimiter: 'semicolon',
    mapping_fields: {
      required_fields: ['email'],
      field_maps: [
        fieldMap('email', 'E-mail'),
        fieldMap('full_name', 'Name'),
        fieldMap('age', 'Age', { on_bad_value: 'drop_cell' }),
        fieldMap('tags', 'Tags', { split: '|' }),
      ],
    },
    webhook_url: webhook,
  };
  const { id } = await show('createImport', { body }, made);
  const path = { import_id: id };
  await show('listImports', { query: { name: 'box office' } });
  await playFile(stage, id);
  await playBatches(stage, id);
  await playParts(stage, id);
  await show('replaceImport', {
    path,
    body: { ...body, name: 'Box office, weekly', file_match_rule: '*.csv' },
  });
  await show('getImport', { path });
  const unused = await call('createImport', { body: { ...body, name: 'Not used' } }, made);
  await show('deleteImport', { path: { import_id: unused.id } });
};

const playBatches = async (stage: Stage, id: number): Promise<void> => {
  const { show, call } = stage;
  const job = await show('createImportJob', { path: { import_id: id }, body: { name: 'CRM' } }, made);
  const records = [
    {
      email: 'ida@example.org',
      first_name: 'Ida',
      tags: [{ datetime: '2026-05-04 10:00:00', tag: ['Opera'] }],
    },
    { email: 'jon@example.org', first_name: 'Jon', city: 'Bonn' },
  ];
  const headers = { 'idempotency-key': 'crm-monday-1' };
  await show('importData', { headers, body: { name: 'Monday', import_job: job.id, records } });
  await ended(stage, { import_id: id, job_id: job.id });
  const unused = await call('createImportJob', { path: { import_id: id }, body: { name: 'Tuesday' } }, made);
  await show('cancelImportJob', { path: { import_id: id, job_id: unused.id } });
};

const isRefused = { email: 'wrong' };

/** Lists of refused rows and of warnings that are longer than a page, before and after their rows are gone. */
const readReports: Extra['play'] = async (cast) => {
  const { call, service, fresh } = cast;
  const n = fresh();
  // The first of them becomes the known person.
  const length = limits.imports.reportedPerPage + 2;
  const warned = Array.from({ length }, (_, row) => ({ email: KNOWN, unique_id: `w${n}-${row}` }));
  const path = await runBatch(cast, [...warned, ...warned.map(() => isRefused)]);
  for (const [list, folder] of [
    ['listImportErrors', 'refused'],
    ['listImportWarnings', 'warned'],
  ] as const) {
    for (const query of [{ limit: 1 }, { format: 'csv' }]) await call(list, { path, query });
    removeObjects(cast, 'work', `${folder}/${service.property}/${path.job_id}/`);
    for (const query of [{}, { format: 'csv' }]) await call(list, { path, query }).catch(() => undefined);
  }
};

/** Corrects rows that are gone. */
const retryGone: Extra['play'] = async (cast) => {
  const path = await runBatch(cast, [isRefused]);
  const csv = await refusedRows(cast, path);
  removeObjects(cast, 'work', `refused/${cast.service.property}/${path.job_id}/`);
  await cast.call('retryImportJob', { path, body: { csv } }).catch(() => undefined);
};

/** Reads and corrects a dry run, before and after its result is gone. */
const rehearse: Extra['play'] = async (cast) => {
  const { call, service } = cast;
  const path = await runBatch(cast, [{ email: KNOWN }, isRefused], { dry_run: true });
  await call('getImportJob', { path });
  const csv = await refusedRows(cast, path);
  removeObjects(cast, 'work', `rehearsals/${service.property}/${path.job_id}/`);
  await call('getImportJob', { path }).catch(() => undefined);
  await call('retryImportJob', { path, body: { csv } }).catch(() => undefined);
  // No worker adds up a dry run without rows.
  await ended(cast, await sendFile(cast, 'email,first_name,tags\r\n', { dry_run: true }));
};

/** Reading a job records its end: sends a batch and reads a list until the batch has long been stored. */
const watchBatchIn =
  (list: 'listImportJobs' | 'listAllImportJobs'): Extra['play'] =>
  async (cast) => {
    const path = await makeJob(cast);
    await sendBatch(cast, path, [{ email: KNOWN }]);
    await until('the end of the job in the list', async () => {
      const job = v.looseObject({ id: v.number(), finished: v.nullable(v.string()) });
      const { jobs } = await cast.call(list, { path }, v.looseObject({ jobs: v.array(job) }));
      return jobs.find(({ id, finished }) => id === path.job_id && finished !== null);
    });
  };

/** A job of a file that failed years ago, and whose workflow was ended before it announced the failure. */
const leaveUnannounced = async (cast: Cast): Promise<void> => {
  const { job_id } = await runFile(cast, 'email\nx@example.org\n');
  const failed = { announced: null, phase: 'failed', ended: 1 };
  await changeItem(cast.service, keys.job(cast.service.property, job_id), failed);
};

/** A job whose undo was asked for by a request that died before it started the workflow. */
const leaveUndo = async (cast: Cast): Promise<void> => {
  const { job_id } = await runBatch(cast, [{ email: KNOWN }]);
  const undo = {
    ...{ started: Date.now(), begun: null, passed: null, looked: 0, finished: null, log: null, next: 0 },
    values: { taken_back: 0, replaced: 0, kept: 0 },
    people: { removed: 0, changed: 0, unchanged: 0, not_restored: 0 },
    segments: { removed: 0 },
  };
  await changeItem(cast.service, keys.job(cast.service.property, job_id), { undo });
};

/** People whose entries are still in the undo log of the property. */
const leaveForgotten = async ({ service }: Cast): Promise<void> => {
  const { property } = service;
  const until = Date.now() - 2 * limits.imports.undoCleanupSeconds * 1_000;
  for (let ordinal = 0; ordinal < 200; ordinal += 1) {
    const forgotten = { ordinals: [ordinal], until, settled: true };
    await putItem(service, keys.forgottenPeople(property, until, ordinal), forgotten);
  }
  const task = { kind: 'undo-cleanup', property, ids: [], due: 0, step: 0, until: 0 };
  const state = { since: 1, until: null, block: 0, after: '' };
  await putItem(service, keys.task(property, `undo-cleanup#${property}`), { ...task, state });
};

const cleanUndoLogs: Extra['play'] = async (cast) => {
  await leaveForgotten(cast);
  await fire(cast, 'reconcileTasks');
};

/** A batch that looks unfinished for years and was never counted, and the task of a job that does not exist. */
const repairImports: Extra['play'] = async (cast) => {
  const { service } = cast;
  const { property } = service;
  await leaveUnannounced(cast);
  const path = await makeJob(cast);
  const batch = await sendBatch(cast, path, [{ email: KNOWN }]);
  await ended(cast, path);
  const unfinished = { accepted: 1, result: null, begun: null };
  await changeItem(service, keys.batch(property, path.job_id, batch), unfinished);
  const tally = tallyNameOf({ slot: 0, source: { kind: 'records', key: '' } });
  await deleteItem(service, keys.tally(property, path.job_id, tally));
  await leaveUndo(cast);
  const task = { kind: 'import-job', property, ids: [1], due: 0, step: 0, until: 0, state: {} };
  await putItem(service, keys.task(property, `import-job#${property}#1`), task);
  await lookAtTasks(cast);
};

/** A definition gets a webhook. */
const replaceImport: Extra['play'] = async ({ call, webhook, fresh }) => {
  const body = definition(`D${fresh()}`);
  const { id } = await call('createImport', { body }, made);
  await call('replaceImport', { path: { import_id: id }, body: { ...body, webhook_url: webhook } });
};

export const importExtras: readonly Extra[] = [
  { of: ['replaceImport'], play: replaceImport },
  { of: ['listImports'], play: (cast) => secondPage(cast, 'listImports', () => replaceImport(cast)) },
  { of: ['listImportJobs'], play: watchBatchIn('listImportJobs') },
  { of: ['listAllImportJobs'], play: watchBatchIn('listAllImportJobs') },
  { of: ['listAllImportJobs'], play: (cast) => secondPage(cast, 'listAllImportJobs', () => makeJob(cast)) },
  {
    of: ['listImportJobs'],
    play: (cast) => secondPage(cast, 'listImportJobs', () => makeJob(cast), { import_id: cast.importId }),
  },
  { of: ['listImportErrors', 'listImportWarnings'], play: readReports },
  { of: ['retryImportJob'], play: retryGone },
  { of: ['getImportJob', 'importBatch', 'splitFile'], play: rehearse },
  { of: ['reconcileTasks'], play: repairImports },
  { of: ['reconcileTasks'], play: cleanUndoLogs },
];
