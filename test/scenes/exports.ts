import * as v from 'valibot';
import { keys } from '../../shared/table/keys.ts';
import { changeItem, deleteItem } from '../support/items.ts';
import { jobThat, makeExport, removeObjects, runExport, without, type Cast, type Extra } from './cast.ts';
import { delivered, exportJob, playConfirmation, playDeliveries } from './deliveries.ts';
import type { Stage } from './stage.ts';
import { lookAtTasks } from './tasks.ts';

const made = v.looseObject({ id: v.string() });

const jobs = v.looseObject({ jobs: v.tupleWithRest([made], v.unknown()) });

const pinned = v.looseObject({ fingerprint: v.string() });

/** Exports: a file that goes to an SFTP server, with a notice by webhook and by e-mail. */
export const playExports = async (stage: Stage, segment: number): Promise<void> => {
  const { show, call, service, webhook, sftp } = stage;
  const body = {
    name: 'Jazz, weekly',
    segment: [segment],
    consent: { channel: 'email', state: 'given' },
    field_set: 'custom',
    custom_result_format: [
      { umbel_field_name: 'email', destination_field_name: 'E-mail' },
      { umbel_field_name: 'first_name', destination_field_name: 'First name' },
    ],
    file_name: '{name}-{counter}.csv',
    directory: 'tidemark',
    notification_email: service.userEmail,
    webhook_url: webhook,
    destination_credentials: { domain: sftp, client_id: 'hall' },
  };
  const { id } = await show('createExport', { body }, made);
  const path = { export_id: Number(id) };
  const [first] = (await call('listExportJobs', { path }, jobs)).jobs;
  const ofJob = { ...path, job_id: Number(first.id) };
  await delivered(stage, ofJob);
  await show('getExport', { path });
  await show('listExports', { query: { status: 'complete', limit: 1 } });
  const { location } = await show('getExportJob', { path: ofJob }, exportJob);
  await show('listExportJobs', { path, query: { limit: 1 } });
  const [, , capability = '', file_name = ''] = new URL(location ?? '').pathname.split('/');
  await show('download', { path: { capability, file_name: decodeURIComponent(file_name) } });
  await playDeliveries(stage, ofJob);
  await show('testExport', { path });
  const { fingerprint } = await show('getHostKey', { path }, pinned);
  await show('replaceHostKey', { path, body: { fingerprint } });
  await show('withdrawLocation', { path: ofJob });
  await show('replaceExport', {
    path,
    body: { ...body, schedule: { hour: '3', day_of_week: 'mon', timezone: 'Europe/Berlin' } },
  });
  await playCancellation(stage, Number(id));
  await playConfirmation(stage, segment);
  await show('deleteExport', { path });
};

/** A second job is cancelled before it can begin, because its first step may not write. */
const playCancellation = async ({ show, service }: Stage, id: number): Promise<void> => {
  const restore = service.cloud.gateway.withoutAction('planExport', 'dynamodb:PartiQLUpdate');
  try {
    const { id: second } = await show('createExportJob', { path: { export_id: id } }, made);
    await show('cancelExportJob', { path: { export_id: id, job_id: Number(second) } });
  } finally {
    restore();
  }
};

const schedule = { hour: '3' };

/** A repeated request, after a death halfway, opens the secret that the first request stored. */
const repeatCreation: Extra['play'] = async (cast) => {
  const { call, everyone, webhook, fresh } = cast;
  await makeExport(cast, { schedule });
  const body = { segment: [everyone], tile_types: ['brand'], webhook_url: webhook };
  const keyed = { body, headers: { 'idempotency-key': `key-${fresh()}` } };
  await without(cast, ['createExport', 'states:StartExecution'], () => call('createExport', keyed));
  await call('createExport', keyed);
};

/** An export gets brands and a webhook, another one loses its schedule, and a third one has a file to show. */
const replaceExports: Extra['play'] = async (cast) => {
  const { call, everyone, webhook } = cast;
  const body = { segment: [everyone] };
  const branded = { ...body, tile_types: ['brand'], webhook_url: webhook, schedule: { hour: '4' } };
  const export_id = await makeExport(cast, { schedule });
  await call('replaceExport', { path: { export_id }, body: branded });
  await call('replaceExport', { path: { export_id }, body });
  await call('replaceExport', { path: await runExport(cast), body });
};

/** Runs deltas, first with their base, then without it. */
const planDeltas: Extra['play'] = async (cast) => {
  const { export_id } = await runExport(cast, { scope: 'delta' });
  await cast.call('createExportJob', { path: { export_id } });
  const { export_id: other } = await runExport(cast, { scope: 'delta' });
  removeObjects(cast, 'exports', `bases/p${cast.service.property}/${other}/`);
  await cast.call('createExportJob', { path: { export_id: other } });
};

/** The failure of an export that is still running, because its last step may not finish it. */
const failExport: Extra['play'] = (cast) =>
  without(cast, ['assembleExport', 'dynamodb:PartiQLUpdate'], async () => {
    const path = await jobThat(cast, 'running', await makeExport(cast));
    const job = { property: cast.service.property, export: path.export_id, job: path.job_id };
    await cast.service.cloud.invoke('failExport', { ...job, error: 'Error', cause: 'a test' });
  });

/** An export with a schedule that EventBridge Scheduler knows. */
const makeScheduled = async (cast: Cast): Promise<number> => {
  const export_id = await makeExport(cast, { schedule });
  await lookAtTasks(cast);
  return export_id;
};

/** An export that was deleted, and has its schedule until somebody looks. */
const leaveSchedule = async (cast: Cast): Promise<number> => {
  const export_id = await makeScheduled(cast);
  await cast.call('deleteExport', { path: { export_id } });
  return export_id;
};

/** A scheduled export is deleted after the reconciliation has removed the task of its creation. */
const deleteExports: Extra['play'] = async (cast) => {
  const { service, call } = cast;
  const export_id = await makeExport(cast, { schedule });
  const { property } = service;
  await deleteItem(service, keys.task(property, `export-schedule#${property}#${export_id}#1`));
  await call('deleteExport', { path: { export_id } });
};

const runSchedules: Extra['play'] = async (cast) => {
  for (const id of [await makeScheduled(cast), await leaveSchedule(cast)])
    await cast.service.cloud.fireSchedule(`p${cast.service.property}-export-${id}-r1-0`);
};

/**
 * Exports that died before their workflow, whose file has no record, whose delivery no workflow has started, and that were
 * deleted.
 */
const lookAfterExports: Extra['play'] = async (cast) => {
  const { service, webhook } = cast;
  const { property } = service;
  await without(cast, ['createExport', 'states:StartExecution'], () => makeExport(cast));
  const lost = await runExport(cast);
  const long = { finished: 60_000, file: null };
  await changeItem(service, keys.exportJob(property, lost.export_id, lost.job_id), long);
  const told = await runExport(cast, { webhook_url: webhook });
  const waiting = { state: 'waiting', replays: 1 };
  await changeItem(service, keys.exportDelivery(property, told.export_id, told.job_id, 'webhook'), waiting);
  await leaveSchedule(cast);
  await lookAtTasks(cast);
};

export const exportExtras: readonly Extra[] = [
  { of: ['createExport'], play: repeatCreation },
  { of: ['replaceExport'], play: replaceExports },
  { of: ['planExport', 'writeExportPart'], play: planDeltas },
  { of: ['failExport'], play: failExport },
  { of: ['deleteExport'], play: deleteExports },
  { of: ['runScheduled'], play: runSchedules },
  { of: ['reconcileTasks'], play: lookAfterExports },
];
