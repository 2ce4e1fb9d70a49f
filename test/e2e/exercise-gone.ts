/** Exercises that find objects missing, as after the days for which a property keeps its files. */
import * as v from 'valibot';
import { limits } from '../../shared/config/limits.ts';
import { chunkUuid } from '../../shared/imports/model/batch-id.ts';
import { batchMessageOf } from '../../shared/imports/model/job-messages.ts';
import { hasEnded, jobStatuses } from '../../shared/imports/model/job-status.ts';
import { keys, type Key } from '../../shared/table/keys.ts';
import { identified, uploadFile } from '../support/api-client.ts';
import { tableNames } from '../support/table-names.ts';
import { until } from '../support/until.ts';
import { definition, get, post, type Exercise, type Harness } from './exercise-scene.ts';
import { tellOfNewFile } from './exercise-sftp.ts';

/** Removes the objects of a bucket below a prefix whose keys have an ending. */
const removeObjects = (
  { service }: Harness,
  bucket: 'uploads' | 'work' | 'exports',
  { prefix, ending = '' }: { readonly prefix: string; readonly ending?: string },
): void => {
  const { deployment, parts } = service.cloud;
  const { s3 } = parts.storage;
  const found = deployment.buckets.find(({ name }) => name.includes(`-${bucket}`))?.name ?? '';
  for (const key of s3.list(found, prefix)) if (key.endsWith(ending)) s3.remove(found, key);
};

const jobsOf = ({ service, importId }: Harness): string => `/v1/${service.property}/imports/${importId}/jobs`;

const batch = v.looseObject({ batch_job_uuid: v.string() });

const counted = v.looseObject({ counts: v.looseObject({ status: v.picklist(jobStatuses) }) });

/** Waits for the end of a job, which never comes when a function is refused something. */
const ended = async ({ service }: Harness, path: string): Promise<void> => {
  const look = async (): Promise<true | undefined> =>
    hasEnded((await service.client.get(path, counted)).counts.status) || undefined;
  await until('the end of a job', look, 15_000).catch(() => undefined);
};

/** A job that has refused rows and stored some with a warning. */
const judged = async (
  harness: Harness,
  { rows = 1, ...more }: { readonly rows?: number; readonly dry_run?: boolean } = {},
): Promise<number> => {
  const { client, property } = harness.service;
  const { id } = await client.post(jobsOf(harness), { name: `J${harness.fresh()}`, ...more }, identified);
  const name = harness.fresh();
  const good = Array.from({ length: rows }, (_, row) => ({
    email: 'known@example.org',
    unique_id: `g${name}-${row}`,
  }));
  const records = [...good, ...good.map(() => ({ email: 'wrong' }))];
  await client.post(`/v1/${property}/import-data`, { name: 'b', import_job: id, records }, batch);
  await ended(harness, `${jobsOf(harness)}/${id}`);
  return id;
};

const removeWork = (harness: Harness, folder: string, job: number): void =>
  removeObjects(harness, 'work', { prefix: `${folder}/${harness.service.property}/${job}/` });

/** Reads a list whose rows are gone. */
export const goneRows =
  (kind: 'errors' | 'warnings'): Exercise =>
  async (harness) => {
    const job = await judged(harness, { rows: limits.imports.reportedPerPage + 1 });
    removeWork(harness, kind === 'errors' ? 'refused' : 'warned', job);
    await get(harness, `${jobsOf(harness)}/${job}/${kind}`);
    await get(harness, `${jobsOf(harness)}/${job}/${kind}?format=csv`);
  };

/** Corrects rows that are gone. */
export const goneRetry: Exercise = async (harness) => {
  const job = await judged(harness);
  const { text: csv } = await get(harness, `${jobsOf(harness)}/${job}/errors?format=csv`);
  removeWork(harness, 'refused', job);
  await post(harness, `${jobsOf(harness)}/${job}/retry`, { csv });
};

/** Goes on with the import of a file that is gone, from each of its steps. */
export const goneUpload: Exercise = async (harness) => {
  const { client, property, cloud } = harness.service;
  const upload = {
    name: `f${harness.fresh()}.csv`,
    bytes: Buffer.from('email,first_name,tags\nx@example.org,,\n'),
  };
  const path = await uploadFile(client, jobsOf(harness).replace(/\/jobs$/, ''), upload);
  await ended(harness, path);
  const job = Number(path.split('/').at(-1));
  const set = (key: Key, attribute: string, value: object): Promise<unknown> =>
    cloud.parts.storage.table.call('UpdateItem', {
      TableName: tableNames.table,
      Key: { pk: { S: key.pk }, sk: { S: key.sk } },
      UpdateExpression: 'SET #attribute = :value',
      ExpressionAttributeNames: { '#attribute': attribute },
      ExpressionAttributeValues: { ':value': value },
    });
  removeObjects(harness, 'uploads', { prefix: `uploads/${property}/imports/${harness.importId}/${job}/` });
  const reference = { property, import: harness.importId, job };
  for (const [phase, step] of [
    ['started', 'inspectFile'],
    ['readable', 'splitFile'],
  ] as const) {
    await set(keys.job(property, job), 'phase', { S: phase });
    await cloud.invoke(step, reference).catch(() => undefined);
  }
  const batchUuid = chunkUuid(job, 0);
  await set(keys.batch(property, job, batchUuid), 'result', { NULL: true });
  const { body } = batchMessageOf(property, job, batchUuid);
  const attributes = { ApproximateReceiveCount: '1', MessageGroupId: 'test' };
  const record = { messageId: 'm', receiptHandle: 'r', body, attributes };
  await cloud.invoke('importBatch', { Records: [record] }).catch(() => undefined);
};

/** Reads a dry run whose result is gone. */
export const goneResult: Exercise = async (harness) => {
  const job = await judged(harness, { dry_run: true });
  removeWork(harness, 'rehearsals', job);
  await get(harness, `${jobsOf(harness)}/${job}`);
};

/** Corrects rows of a dry run whose findings are gone. */
export const goneFindings: Exercise = async (harness) => {
  const job = await judged(harness, { dry_run: true });
  const { text: csv } = await get(harness, `${jobsOf(harness)}/${job}/errors?format=csv`);
  removeWork(harness, 'rehearsals', job);
  await post(harness, `${jobsOf(harness)}/${job}/retry`, { csv });
};

const listed = v.looseObject({
  jobs: v.array(v.looseObject({ id: v.union([v.number(), v.string()]), status: v.optional(v.string()) })),
});
const deliveries = v.looseObject({
  deliveries: v.array(v.looseObject({ id: v.string(), kind: v.string(), state: v.string() })),
});

/** The id of a delivery that has arrived; `undefined` when it does not, because its function is refused something. */
const arrived = (harness: Harness, path: string, kind: string): Promise<string | undefined> =>
  until(
    `the delivery ${kind}`,
    async () => {
      const found = (await harness.service.client.get(path, deliveries)).deliveries;
      return found.find((each) => each.kind === kind && each.state === 'delivered')?.id;
    },
    10_000,
  ).catch(() => undefined);

/** Announces a file from SFTP once more, whose refused rows are gone. */
export const goneResultFiles: Exercise = async (harness) => {
  const { client, property } = harness.service;
  const { id: importId } = await client.post(
    `/v1/${property}/imports`,
    definition(`D${harness.fresh()}`),
    identified,
  );
  const own = { ...harness, importId };
  await tellOfNewFile(own, `${importId}/g.csv`, 'email,first_name,tags\nwrong,A,\n');
  const job = await until('the job of the file', async () => {
    const { jobs } = await client.get(jobsOf(own), listed);
    return jobs[0]?.id;
  });
  const path = `${jobsOf(own)}/${job}/deliveries`;
  const id = await arrived(own, path, 'result_files');
  removeWork(own, 'refused', Number(job));
  await post(own, `${path}/${id}/replay`, undefined);
};

interface EndedExport {
  readonly id: string;
  readonly job: string;
  readonly jobs: string;
}

const jobsOfExport = ({ service }: Harness, id: string): string =>
  `/v1/${service.property}/exports/${id}/jobs`;

/** An export with a complete job. */
const endedExport = async (harness: Harness, id: string): Promise<EndedExport> => {
  const jobs = jobsOfExport(harness, id);
  const job = await until('an ended job', async () => {
    const found = (await harness.service.client.get(jobs, listed)).jobs;
    return found.find(({ status }) => status === 'complete')?.id;
  });
  return { id, job: String(job), jobs };
};

const makeExport = async (harness: Harness, more: object): Promise<EndedExport> => {
  const { client, property } = harness.service;
  const body = { segment: [harness.segment], ...more };
  const { id } = await client.post(`/v1/${property}/exports`, body, v.looseObject({ id: v.string() }));
  return endedExport(harness, id);
};

/** Sends the file of an export once more, which is gone. */
export const goneFile =
  (kind: 'sftp' | 's3', make: (harness: Harness) => Promise<string>): Exercise =>
  async (harness) => {
    const made = await make(harness);
    await post(harness, jobsOfExport(harness, made), {});
    const { id, job, jobs } = await endedExport(harness, made);
    const path = `${jobs}/${job}/deliveries`;
    const delivery = await arrived(harness, path, kind);
    const prefix = `p${harness.service.property}/${id}/${job}/`;
    removeObjects(harness, 'exports', { prefix, ending: '/file' });
    await post(harness, `${path}/${delivery}/replay`, undefined);
  };

/** Tells of an export once more whose members are gone, so that nobody knows whether it has somebody who was forgotten. */
export const goneMembers =
  (kind: 'webhook' | 'email', name: 'deliverWebhook' | 'deliverEmail'): Exercise =>
  async (harness) => {
    const { property, cloud, userEmail } = harness.service;
    const more = kind === 'webhook' ? { webhook_url: harness.webhook } : { notification_email: userEmail };
    const { id, job, jobs } = await makeExport(harness, more);
    await arrived(harness, `${jobs}/${job}/deliveries`, kind);
    const replay = () => post(harness, `${jobs}/${job}/deliveries/${job}-${kind}/replay`, undefined);
    await replay();
    removeObjects(harness, 'exports', { prefix: `p${property}/${id}/${job}/members-` });
    await replay();
    const { pk, sk } = keys.exportDelivery(property, Number(id), Number(job), kind);
    await cloud.parts.storage.table.call('UpdateItem', {
      TableName: tableNames.table,
      Key: { pk: { S: pk }, sk: { S: sk } },
      UpdateExpression: 'SET #state = :waiting',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':waiting': { S: 'waiting' } },
    });
    const ref = { property, export: Number(id), job: Number(job) };
    await cloud.invoke(name, ref).catch(() => undefined);
  };

/** An export whose members are gone, as those of the base of a delta are first. Returns the location of its file. */
export const exportWithoutMembers = async (harness: Harness): Promise<string> => {
  const { client, property } = harness.service;
  const { id, job, jobs } = await makeExport(harness, {});
  removeObjects(harness, 'exports', { prefix: `p${property}/${id}/${job}/members-` });
  return (await client.get(`${jobs}/${job}`, v.looseObject({ location: v.string() }))).location;
};

/** Opens a location. */
export const open = async (location: string): Promise<void> => {
  await (await fetch(location)).arrayBuffer();
};

/** Opens the location of a file whose members are gone, once somebody was forgotten. */
export const openWithoutMembers =
  (forget: Exercise): Exercise =>
  async (harness) => {
    const location = await exportWithoutMembers(harness);
    await forget(harness);
    await open(location);
  };

/** Runs a delta whose base is gone. */
export const goneBase: Exercise = async (harness) => {
  const { id, jobs } = await makeExport(harness, { scope: 'delta' });
  removeObjects(harness, 'exports', { prefix: `bases/p${harness.service.property}/${id}/` });
  await post(harness, jobs, {});
};
