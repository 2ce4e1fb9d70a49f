import * as v from 'valibot';
import { identityKey } from '../../shared/catalogue/identity.ts';
import { claimOf } from '../../shared/catalogue/segment-items.ts';
import { limits } from '../../shared/config/limits.ts';
import { jobDetailAnswer } from '../../shared/imports/model/job-schemas.ts';
import { importDeliveriesAnswer } from '../../shared/imports/model/report-schemas.ts';
import { uploadKeyOf } from '../../shared/imports/model/object-keys.ts';
import { tallyNameOf } from '../../shared/imports/model/tally.ts';
import { keys } from '../../shared/table/keys.ts';
import { finalCounts, identified, uploadFile } from '../support/api-client.ts';
import { until } from '../support/until.ts';
import { goneRetry } from './exercise-gone.ts';
import { get, inTurn, post, putItem, type Exercise, type Harness } from './exercise-scene.ts';
import { tableNames } from '../support/table-names.ts';

const at = ({ service, importId }: Harness, path: string): string =>
  `/v1/${service.property}/imports/${importId}/${path}`;

const makeImport = async (harness: Harness, more: object = {}) => {
  const field_maps = [{ sources: [{ type: 'source_field', name: 'email' }], target_field: 'email' }];
  const body = { name: `D${harness.fresh()}`, mapping_fields: { required_fields: [], field_maps }, ...more };
  const { client, property } = harness.service;
  return { body, id: (await client.post(`/v1/${property}/imports`, body, identified)).id };
};

const makeJob = async (harness: Harness): Promise<number> =>
  (await harness.service.client.post(at(harness, 'jobs'), { name: `J${harness.fresh()}` }, identified)).id;

const batchSchema = v.looseObject({ batch_job_uuid: v.string() });

/** Writes to the service's table directly. */
const write = async (
  { service }: Harness,
  operation: 'DeleteItem' | 'PutItem' | 'UpdateItem',
  input: object,
): Promise<void> => {
  const { parts } = service.cloud;
  await parts.storage.table.call(operation, { TableName: tableNames.table, ...input });
};

/** A job of its own with one processed batch. */
const finishedBatch = async (harness: Harness, email: string): Promise<{ job: number; uuid: string }> => {
  const { client, property } = harness.service;
  const job = await makeJob(harness);
  const body = { name: 'b', import_job: job, records: [{ email }] };
  const { batch_job_uuid: uuid } = await client.post(`/v1/${property}/import-data`, body, batchSchema);
  await finalCounts(client, at(harness, `jobs/${job}`));
  return { job, uuid };
};

/** A job whose undo was asked for by a request that died before it started the workflow. */
const undoneWithoutWorkflow = async (harness: Harness): Promise<void> => {
  const { job } = await finishedBatch(harness, 'known@example.org');
  const { pk, sk } = keys.job(harness.service.property, job);
  const none = { NULL: true };
  const zero = { N: '0' };
  const values = { M: { taken_back: zero, replaced: zero, kept: zero } };
  const people = { M: { removed: zero, changed: zero, unchanged: zero, not_restored: zero } };
  const times = {
    started: { N: String(Date.now()) },
    begun: none,
    passed: none,
    looked: zero,
    finished: none,
  };
  const segments = { M: { removed: zero } };
  await write(harness, 'UpdateItem', {
    Key: { pk: { S: pk }, sk: { S: sk } },
    UpdateExpression: 'SET #undo = :undo',
    ExpressionAttributeNames: { '#undo': 'undo' },
    ExpressionAttributeValues: {
      ':undo': { M: { ...times, log: none, next: zero, values, people, segments } },
    },
  });
};

/** Frees the name of a tag's segment, so that the next writer makes another segment. */
const removeSegment = async (harness: Harness, name: string): Promise<void> => {
  const key = identityKey({ type: 'tag', path: ['Tags'], name });
  const { pk, sk } = claimOf(harness.service.property, key);
  await write(harness, 'DeleteItem', { Key: { pk: { S: pk }, sk: { S: sk } } });
};

/**
 * A person of an import with a token: the answer repeats the identities of the import, and stays beneath them. A second
 * job repeats the row, so the writer of the second answer reads the repeated row.
 */
export const importWithToken: Exercise = async (harness) => {
  const { client, property } = harness.service;
  // So many that the second job keeps its restatements beside the people, where the answers meet them.
  const records = Array.from({ length: 10 }, () => {
    const name = harness.fresh();
    return { email: `e${name}@example.org`, social_token: `t${name}` };
  });
  const jobs = [await makeJob(harness), await makeJob(harness)];
  for (const job of jobs) {
    await client.post(`/v1/${property}/import-data`, { name: 'b', import_job: job, records }, batchSchema);
    await finalCounts(client, at(harness, `jobs/${job}`));
  }
};

const undoImportJob: Exercise = async (harness) => {
  const { job } = await finishedBatch(harness, 'known@example.org');
  await post(harness, at(harness, `jobs/${job}/undo`), undefined);
};

/**
 * Undoes a job that had cleared the tags of a person. The segment of a tag was removed meanwhile, so the undo makes a new
 * one. The job also brought a tag, whose segment the undo empties and removes.
 */
const undoImport: Exercise = async (harness) => {
  const { client, property } = harness.service;
  const email = `undo${harness.fresh()}@example.org`;
  const tag = `undo ${harness.fresh()}`;
  const store = async (...values: readonly object[]): Promise<number> => {
    const job = await makeJob(harness);
    const body = { name: 'b', import_job: job, records: values.map((each) => ({ email, ...each })) };
    await client.post(`/v1/${property}/import-data`, body, batchSchema);
    await finalCounts(client, at(harness, `jobs/${job}`));
    return job;
  };
  await store({ tags: [{ datetime: '2026-01-01 00:00:00', tag: [tag] }] });
  const brought = [{ datetime: '2026-01-02 00:00:00', tag: [`emptied ${harness.fresh()}`] }];
  const job = await store({ tags: null }, { tags: brought });
  await removeSegment(harness, tag);
  // An undo of an earlier case that was ended keeps the turn until it is repeated.
  const turn = keys.undoTurn(property);
  await write(harness, 'DeleteItem', { Key: { pk: { S: turn.pk }, sk: { S: turn.sk } } });
  await post(harness, at(harness, `jobs/${job}/undo`), undefined);
};

/** A job of a file that failed years ago, and whose workflow was ended before it announced the failure. */
const unannounced = async (harness: Harness): Promise<void> => {
  const { property, client } = harness.service;
  const upload = { name: `f${harness.fresh()}.csv`, bytes: Buffer.from('email\nx@example.org\n') };
  const path = await uploadFile(client, at(harness, '').slice(0, -1), upload);
  await finalCounts(client, path);
  const { pk, sk } = keys.job(property, Number(path.split('/').at(-1)));
  await write(harness, 'UpdateItem', {
    Key: { pk: { S: pk }, sk: { S: sk } },
    UpdateExpression: 'SET announced = :none, phase = :failed, ended = :long',
    ExpressionAttributeValues: { ':none': { NULL: true }, ':failed': { S: 'failed' }, ':long': { N: '1' } },
  });
};

/** People whose entries are still in the undo log of the property. */
const forgottenLongAgo = async (harness: Harness): Promise<void> => {
  const { property } = harness.service;
  const until = Date.now() - 2 * limits.imports.undoCleanupSeconds * 1_000;
  for (let ordinal = 0; ordinal < 200; ordinal += 1)
    await putItem(harness, keys.forgottenPeople(property, until, ordinal), {
      ...{ ordinals: [ordinal], until, settled: true },
    });
  await putItem(harness, keys.undoCleanup(property), {
    property,
    since: 1,
    until: null,
    block: 0,
    after: '',
  });
};

/** A batch that looks unfinished for years and was never counted, and a watched job that does not exist. */
const repairImports: Exercise = async (harness) => {
  const { property, cloud } = harness.service;
  await unannounced(harness);
  const { job, uuid } = await finishedBatch(harness, 'known@example.org');
  const { pk, sk } = keys.batch(property, job, uuid);
  await write(harness, 'UpdateItem', {
    Key: { pk: { S: pk }, sk: { S: sk } },
    UpdateExpression: 'SET accepted = :long, #result = :none, begun = :none',
    ExpressionAttributeNames: { '#result': 'result' },
    ExpressionAttributeValues: { ':long': { N: '1' }, ':none': { NULL: true } },
  });
  const tally = keys.tally(property, job, tallyNameOf({ slot: 0, source: { kind: 'records', key: '' } }));
  await write(harness, 'DeleteItem', { Key: { pk: { S: tally.pk }, sk: { S: tally.sk } } });
  const gone = keys.watchedJob(property, harness.fresh());
  const watched = { property: { N: String(property) }, job: { N: '1' }, since: { N: '1' }, w: { S: 'w' } };
  await undoneWithoutWorkflow(harness);
  await forgottenLongAgo(harness);
  await write(harness, 'PutItem', { Item: { pk: { S: gone.pk }, sk: { S: gone.sk }, ...watched } });
  await cloud.fireSchedule('tidemark-local-repairImports').catch(() => undefined);
};

const partsSchema = v.looseObject({
  job_id: v.number(),
  parts: v.array(v.looseObject({ url: v.string(), size: v.number() })),
});

/** A multipart upload that waits for one byte: its definition makes the file smaller than any real upload. */
const smallUpload = async (harness: Harness): Promise<string> => {
  const { property, client } = harness.service;
  const request = { file_name: `f${harness.fresh()}.csv`, size: limits.imports.onePutBytes + 1 };
  const { job_id: job } = await client.post(at(harness, 'uploads'), request, partsSchema);
  const { pk, sk } = keys.job(property, job);
  await write(harness, 'UpdateItem', {
    Key: { pk: { S: pk }, sk: { S: sk } },
    UpdateExpression: 'SET #file.#awaited.#size = :one',
    ExpressionAttributeNames: { '#file': 'file', '#awaited': 'awaited', '#size': 'size' },
    ExpressionAttributeValues: { ':one': { N: '1' } },
  });
  return at(harness, `uploads/${job}`);
};

/** Requests new addresses and uses them. */
const getUpload = async (harness: Harness, path: string): Promise<void> => {
  const { text } = await get(harness, path);
  const found = v.safeParse(v.pipe(v.string(), v.parseJson(), partsSchema), text);
  for (const { url } of found.success ? found.output.parts : []) {
    const put = await fetch(url, { method: 'PUT', body: 'x' });
    await put.arrayBuffer();
  }
};

/** The first batch of a job puts the job among the watched jobs. */
const importData: Exercise = async (harness) => {
  const body = {
    name: 'b',
    import_job: await makeJob(harness),
    records: [{ email: 'x', social_token: 't' }],
  };
  await post(harness, `/v1/${harness.service.property}/import-data`, body);
};

/** Reads a page of a longer list, and downloads the whole list. */
export const longList =
  (kind: 'errors' | 'warnings'): Exercise =>
  async (harness) => {
    const { client, property } = harness.service;
    const import_job = await makeJob(harness);
    const n = harness.fresh();
    const warned = (row: number) => ({ email: 'known@example.org', unique_id: `w${n}-${row}` });
    const length = limits.imports.reportedPerPage + 1;
    const records = Array.from({ length }, (_, row) => (kind === 'errors' ? {} : warned(row)));
    await client.post(`/v1/${property}/import-data`, { name: 'b', import_job, records }, batchSchema);
    await finalCounts(client, at(harness, `jobs/${import_job}`));
    await get(harness, at(harness, `jobs/${import_job}/${kind}?limit=1`));
    await get(harness, at(harness, `jobs/${import_job}/${kind}?format=csv`));
  };

const retryImportJob: Exercise = async (harness) => {
  const { job } = await finishedBatch(harness, 'wrong');
  const { text: csv } = await get(harness, at(harness, `jobs/${job}/errors?format=csv`));
  await post(harness, at(harness, `jobs/${job}/retry`), { csv });
};

/** Announces a file once more. Its job was reopened, so that its progress is counted again. */
const replayAnnouncement: Exercise = async (harness) => {
  const { client } = harness.service;
  const { id: importId } = await makeImport(harness, { webhook_url: harness.webhook });
  const own = { ...harness, importId };
  const upload = { name: `f${harness.fresh()}.csv`, bytes: Buffer.from('email\nwrong\n') };
  const job = await uploadFile(client, at(own, '').slice(0, -1), upload);
  await finalCounts(client, job);
  const delivery = await until('the webhook', async () => {
    const { deliveries } = await client.get(`${job}/deliveries`, importDeliveriesAnswer);
    return deliveries.find(({ state }) => state === 'delivered');
  });
  const { text: csv } = await get(own, `${job}/errors?format=csv`);
  await client.post(`${job}/retry`, { csv: csv.replace('wrong', 'r@example.org') }, batchSchema);
  await until('the corrected row', async () => {
    const { counts } = await client.get(job, jobDetailAnswer);
    return counts.completed === 1 || undefined;
  });
  await post(own, `${job}/deliveries/${delivery.id}/replay`, undefined);
};

const replaceImport: Exercise = async (harness) => {
  const { id, body } = await makeImport(harness);
  await harness.service.call('PUT', `/v1/${harness.service.property}/imports/${id}`, {
    body: JSON.stringify({ ...body, webhook_url: harness.webhook }),
  });
};

/** Uses a job that has ended before any function noticed. */
const deleteImport: Exercise = async (harness) => {
  const { id } = await makeImport(harness);
  await finishedBatch({ ...harness, importId: id }, 'known@example.org');
  await harness.service.call('DELETE', `/v1/${harness.service.property}/imports/${id}`);
};

/** Inspects the file of a job, twice under one key: the second request reads the answer that the first one left. */
const inspectImport: Exercise = async (harness) => {
  const { client, property, cloud } = harness.service;
  const upload = { name: `f${harness.fresh()}.csv`, bytes: Buffer.from('email\nx@example.org\n') };
  const path = await uploadFile(client, at(harness, '').slice(0, -1), upload);
  await finalCounts(client, path);
  const job = Number(path.split('/').at(-1));
  const inspect = async () => {
    const headers = { 'idempotency-key': `key-${harness.fresh()}` };
    const body = JSON.stringify({ upload: { job_id: job } });
    const route = `/v1/${property}/imports/inspect`;
    for (let sent = 0; sent < 2; sent += 1) await harness.service.call('POST', route, { body, headers });
  };
  await inspect();
  const bucket = cloud.deployment.buckets.find(({ name }) => name.includes('uploads'))?.name ?? '';
  cloud.parts.storage.s3.remove(bucket, uploadKeyOf(property, harness.importId, job, upload.name));
  await inspect();
};

/** Exercises of the functions that accept, stop, correct and repeat imports. */
export const importExercises: Readonly<Record<string, Exercise>> = {
  inspectImport,
  cancelImportJob: async (harness) =>
    post(harness, at(harness, `jobs/${await makeJob(harness)}/cancel`), undefined),
  getUpload: async (harness) => getUpload(harness, await smallUpload(harness)),
  completeUpload: async (harness) => {
    const path = await smallUpload(harness);
    await getUpload(harness, path);
    await post(harness, `${path}/complete`, undefined);
  },
  replayAnnouncement,
  replaceImport,
  deleteImport,
  importData,
  repairImports,
  retryImportJob: inTurn(retryImportJob, goneRetry),
  undoImportJob,
  undoImport,
};
