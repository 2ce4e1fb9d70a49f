import * as v from 'valibot';
import type { SftpServer } from '../support/sftp-server.ts';
import { until } from '../support/until.ts';
import type { Receiver } from '../support/webhook-receiver.ts';
import type { Recorder } from './recorder.ts';

const anything = v.unknown();
const made = v.looseObject({ id: v.string() });
const jobs = v.looseObject({ jobs: v.tupleWithRest([made], anything) });
const job = v.looseObject({
  id: v.string(),
  status: v.string(),
  location: v.nullable(v.string()),
  deliveries: v.array(v.looseObject({ kind: v.string(), state: v.string() })),
});
const pinned = v.looseObject({ fingerprint: v.string() });
const mails = v.array(v.object({ to: v.array(v.string()), text: v.string() }));

/** What exports reach: the receivers of files and of notices. */
interface Receivers {
  readonly server: SftpServer;
  readonly receiver: Receiver;
}

/** Exports: a file that goes to an SFTP server, with a notice by webhook and by e-mail. */
export const recordExports = async (
  recorder: Recorder,
  segment: number,
  { server, receiver }: Receivers,
): Promise<void> => {
  const { record, send, service } = recorder;
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
    webhook_url: receiver.url,
    destination_credentials: { domain: `127.0.0.1:${server.port}`, client_id: 'hall' },
  };
  const { id } = await record('createExport', { body }, made);
  const path = { export_id: Number(id) };
  const [first] = (await send('listExportJobs', { path }, jobs)).jobs;
  const ofJob = { ...path, job_id: Number(first.id) };
  await delivered(recorder, ofJob);
  await record('getExport', { path }, anything);
  await record('listExports', { query: { status: 'complete', limit: 1 } }, anything);
  const { location } = await record('getExportJob', { path: ofJob }, job);
  await record('listExportJobs', { path, query: { limit: 1 } }, anything);
  const [, , capability = '', file_name = ''] = new URL(location ?? '').pathname.split('/');
  await record('download', { path: { capability, file_name: decodeURIComponent(file_name) } }, anything);
  await recordDeliveries(recorder, ofJob);
  await record('testExport', { path }, anything);
  const { fingerprint } = await record('getHostKey', { path }, pinned);
  await record('replaceHostKey', { path, body: { fingerprint } }, anything);
  await record('withdrawLocation', { path: ofJob }, anything);
  await record(
    'replaceExport',
    { path, body: { ...body, schedule: { hour: '3', day_of_week: 'mon', timezone: 'Europe/Berlin' } } },
    anything,
  );
  await recordCancellation(recorder, Number(id));
  await recordConfirmation(recorder, segment);
  await record('deleteExport', { path }, anything);
};

type JobPath = Readonly<Record<'export_id' | 'job_id', number>>;

/** Waits until all deliveries of a job have arrived. */
const delivered = (recorder: Recorder, path: JobPath): Promise<true> =>
  until('all deliveries', async () => {
    const { deliveries } = await recorder.send('getExportJob', { path }, job);
    return (deliveries.length > 0 && deliveries.every(({ state }) => state === 'delivered')) || undefined;
  });

const recordDeliveries = async (recorder: Recorder, path: JobPath): Promise<void> => {
  await recorder.record('listDeliveries', { path }, anything);
  const delivery = `${path.job_id}-webhook`;
  await recorder.record('getDelivery', { path: { ...path, delivery } }, anything);
  await recorder.record('replayDelivery', { path: { ...path, delivery } }, anything);
  await delivered(recorder, path);
};

/** A second job is cancelled before it can begin, because its first step may not write. */
const recordCancellation = async ({ record, service }: Recorder, id: number): Promise<void> => {
  const restore = service.cloud.gateway.withoutAction('planExport', 'dynamodb:PartiQLUpdate');
  try {
    const { id: second } = await record('createExportJob', { path: { export_id: id } }, made);
    await record('cancelExportJob', { path: { export_id: id, job_id: Number(second) } }, anything);
  } finally {
    restore();
  }
};

/** An address of another person gets a link, which opens a page with a button. */
const recordConfirmation = async ({ record, send, service }: Recorder, segment: number): Promise<void> => {
  const partner = 'partner@example.org';
  await send('createExport', { body: { segment: [segment], notification_email: partner } }, made);
  const link = await until('the link', async () => {
    const inbox = v.parse(mails, await (await fetch(service.cloud.endpoints.inbox_url)).json());
    const text = inbox.find(({ to }) => to.includes(partner))?.text ?? '';
    return /\/confirmations\/(\S+)/.exec(text)?.[1];
  });
  await record('showConfirmation', { path: { capability: link } }, anything);
  await record('confirmAddress', { path: { capability: link } }, anything);
  await record('listNotificationEmails', { query: { limit: 2 } }, anything);
  await record('withdrawNotificationEmail', { query: { notification_email: partner } }, anything);
};
