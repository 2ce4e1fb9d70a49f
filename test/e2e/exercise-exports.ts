import { consuming } from './exercise-queues.ts';
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { OUTBOX_PARTITIONS, keys } from '../../shared/table/keys.ts';
import { until } from '../support/until.ts';
import { goneBase, goneFile, goneMembers } from './exercise-gone.ts';
import { get, post, putItem, type Exercise, type Harness } from './exercise-scene.ts';

const made = v.looseObject({ id: v.string() });
const madeForBucket = v.looseObject({
  id: v.string(),
  s3_destination: v.looseObject({ trust_policy: v.unknown(), permission_policy: v.unknown() }),
});
const schedule = { hour: '3' };

const at = ({ service }: Harness, rest: string): string => `/v1/${service.property}/exports${rest}`;

const put = (harness: Harness, id: string, body: unknown): Promise<unknown> =>
  harness.service.call('PUT', at(harness, `/${id}`), { body: JSON.stringify(body) });

/** A new export of all profiles. */
const make = async (harness: Harness, more: object = {}): Promise<string> => {
  const body = { segment: [harness.segment], ...more };
  return (await harness.service.client.post(at(harness, ''), body, made)).id;
};

/** A new export with a push. */
const makePushed = (harness: Harness): Promise<string> =>
  make(harness, { destination_credentials: { domain: harness.sftp, client_id: 'receiver' } });

/** A new export to the bucket of another account, with the role that opens the bucket. */
const makeBucketed = async (harness: Harness): Promise<string> => {
  const { s3, sts } = harness.service.cloud.parts.storage;
  const role_arn = `arn:aws:iam::111122223333:role/tidemark-destination-${harness.fresh()}`;
  const s3_destination = { bucket: 'exercised', region: 'us-east-1', role_arn };
  const body = { segment: [harness.segment], start: false, s3_destination };
  const bucketed = await harness.service.client.post(at(harness, ''), body, madeForBucket);
  const { trust_policy: trust, permission_policy: policy } = bucketed.s3_destination;
  s3.createBucket('exercised', { account: '111122223333' });
  sts.putRole({ arn: role_arn, trust, policy });
  return bucketed.id;
};

const onePage = v.looseObject({ paging: v.looseObject({ next_page: v.nullable(v.string()) }) });

/** Makes a call while a function lacks an action; the call itself fails halfway. */
const without = async (
  { service }: Harness,
  name: string,
  action: string,
  work: () => Promise<unknown>,
): Promise<void> => {
  const restore = service.cloud.gateway.withoutAction(name, action);
  await work().finally(restore);
};

/** An export that was deleted without its schedule. */
const leaveSchedule = async (harness: Harness): Promise<string> => {
  const id = await make(harness, { schedule });
  await without(harness, 'deleteExport', 'scheduler:DeleteSchedule', () =>
    harness.service.call('DELETE', at(harness, `/${id}`)),
  );
  return id;
};

const tableCall = ({ service }: Harness, operation: string, input: object): Promise<unknown> =>
  service.cloud.parts.storage.table.call(operation, { TableName: 'tidemark-local', ...input });

const items = v.looseObject({ body: v.looseObject({ Items: v.array(v.record(v.string(), v.unknown())) }) });

/** Ages all outbox tasks until the sweep picks them up. */
const ageChores = async (harness: Harness): Promise<void> => {
  for (let partition = 0; partition < OUTBOX_PARTITIONS; partition += 1) {
    const values = { ':pk': { S: keys.exportOutbox(partition) } };
    const query = {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: values,
      ConsistentRead: true,
    };
    const { body } = v.parse(items, await tableCall(harness, 'Query', query));
    for (const item of body.Items)
      await tableCall(harness, 'PutItem', { Item: { ...item, created: { N: '1' } } });
  }
};

/** Advances an export that runs once past its time. */
const passTime = async (harness: Harness, id: string): Promise<void> => {
  const { pk, sk } = keys.exportDefinition(harness.service.property, Number(id));
  await tableCall(harness, 'UpdateItem', {
    Key: { pk: { S: pk }, sk: { S: sk } },
    UpdateExpression: 'SET run_at = :past',
    ExpressionAttributeValues: { ':past': { N: '60000' } },
  });
};

const listedJobs = v.looseObject({ jobs: v.array(v.looseObject({ id: v.string(), status: v.string() })) });

/** A complete job of a list. */
const endedJob = ({ service }: Harness, list: string): Promise<{ readonly id: string }> =>
  until('an ended job', async () => {
    const { jobs } = await service.client.get(list, listedJobs);
    return jobs.find(({ status }) => status === 'complete');
  });

/** An export whose job ended long ago, and whose file has no record. */
const loseFile = async (harness: Harness): Promise<void> => {
  const { property } = harness.service;
  const id = await make(harness);
  const job = await endedJob(harness, at(harness, `/${id}/jobs`));
  const { pk, sk } = keys.exportJob(property, Number(id), Number(job.id));
  await tableCall(harness, 'UpdateItem', {
    Key: { pk: { S: pk }, sk: { S: sk } },
    UpdateExpression: 'SET finished = :past, #file = :none',
    ExpressionAttributeNames: { '#file': 'file' },
    ExpressionAttributeValues: { ':past': { N: '60000' }, ':none': { NULL: true } },
  });
};

/** A delivery of a job that ended long ago waits, and no workflow has started it. */
const leaveDelivery = async (harness: Harness): Promise<void> => {
  const { property } = harness.service;
  const id = await make(harness, { webhook_url: harness.webhook });
  const job = await endedJob(harness, at(harness, `/${id}/jobs`));
  const { pk, sk } = keys.exportDelivery(property, Number(id), Number(job.id), 'webhook');
  await tableCall(harness, 'UpdateItem', {
    Key: { pk: { S: pk }, sk: { S: sk } },
    UpdateExpression: 'SET #state = :waiting, replays = :one',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: { ':waiting': { S: 'waiting' }, ':one': { N: '1' } },
  });
};

const LINK = 'A'.repeat(43);
const MAILBOX = 'a'.repeat(64);

/** A link that confirms an address. */
const leaveLink = (harness: Harness): Promise<void> =>
  putItem(harness, keys.confirmation(createHash('sha256').update(LINK).digest('hex')), {
    property: harness.service.property,
    mailbox: MAILBOX,
    expires: Date.now() + 3_600_000,
  });

/** Pushes a file that is gone. */
export const pushGoneFile = goneFile('sftp', makePushed);

/** Exercises of the functions that define and run exports. */
export const exportExercises: Readonly<Record<string, Exercise>> = {
  createExport: async (harness) => {
    const body = { segment: [harness.segment], tile_types: ['brand'] };
    await post(harness, at(harness, ''), { ...body, webhook_url: harness.webhook });
    await post(harness, at(harness, ''), { ...body, schedule });
    // The repeated request, after a death halfway, opens the secret that the first request stored.
    const headers = { 'idempotency-key': `key-${harness.fresh()}` };
    const keyed = { body: JSON.stringify({ ...body, webhook_url: harness.webhook }), headers };
    const create = () => harness.service.call('POST', at(harness, ''), keyed);
    await without(harness, 'createExport', 'states:StartExecution', create);
    await create();
  },
  replaceExport: async (harness) => {
    const body = { segment: [harness.segment], tile_types: ['brand'], webhook_url: harness.webhook };
    await put(harness, await make(harness, { schedule }), { ...body, schedule: { hour: '4' } });
    await put(harness, harness.exportId, { segment: [harness.segment] });
  },
  deleteExport: async (harness) => {
    const id = await make(harness, { schedule });
    await harness.service.call('DELETE', at(harness, `/${id}`));
  },
  testExport: async (harness) => {
    // The first test counts and pins the key of the server; the second finds both.
    const path = at(harness, `/${await makePushed(harness)}/test`);
    for (let count = 0; count < 2; count += 1) await post(harness, path, {});
    await post(harness, at(harness, `/${await makeBucketed(harness)}/test`), {});
  },
  getHostKey: async (harness) => get(harness, at(harness, `/${await makePushed(harness)}/host-key`)),
  replaceHostKey: async (harness) => {
    const path = `${await makePushed(harness)}/host-key`;
    for (const letter of ['A', 'E']) await put(harness, path, { fingerprint: `SHA256:${letter.repeat(43)}` });
  },
  deliverObject: goneFile('s3', makeBucketed),
  deliverEmail: async (harness) => {
    // One address is the caller's own, and the other address needs a confirmation.
    for (const notification_email of [harness.service.userEmail, `n${harness.fresh()}@example.net`])
      await make(harness, { notification_email });
    await goneMembers('email', 'deliverEmail')(harness);
  },
  createExportJob: (harness) => post(harness, at(harness, `/${harness.exportId}/jobs`), {}),
  cancelExportJob: async (harness) => {
    const path = at(harness, `/${harness.exportId}/jobs`);
    const { id } = await harness.service.client.post(path, {}, made);
    await post(harness, `${path}/${id}/cancel`, {});
  },
  withdrawLocation: async (harness) => {
    const jobs = at(harness, `/${await make(harness)}/jobs`);
    const job = await endedJob(harness, jobs);
    await harness.service.call('DELETE', `${jobs}/${job.id}/location`);
  },
  listNotificationEmails: async (harness) => {
    const path = `/v1/${harness.service.property}/notification-emails`;
    await make(harness, { notification_email: harness.service.userEmail });
    const { paging } = await harness.service.client.get(`${path}?limit=1`, onePage);
    // A cursor and the link to another page need the keys of the property.
    await get(
      harness,
      paging.next_page === null ? path : paging.next_page.slice(paging.next_page.indexOf('/v1/')),
    );
  },
  withdrawNotificationEmail: async (harness) => {
    const query = `notification_email=n${harness.fresh()}@example.net`;
    // The address is unknown first, then known.
    for (let count = 0; count < 2; count += 1)
      await harness.service.call('DELETE', `/v1/${harness.service.property}/notification-emails?${query}`);
  },
  showConfirmation: async (harness) => {
    await leaveLink(harness);
    await get(harness, `/confirmations/${LINK}`);
  },
  confirmAddress: async (harness) => {
    await leaveLink(harness);
    await post(harness, `/confirmations/${LINK}`, {});
    // The address was asked before now.
    const key = keys.mailbox(harness.service.property, MAILBOX);
    await putItem(harness, key, { confirmed: null, asked: 1 });
    await leaveLink(harness);
    await post(harness, `/confirmations/${LINK}`, {});
  },
  planExport: async (harness) => {
    await make(harness);
    await post(harness, at(harness, `/${harness.deltaId}/jobs`), {});
    await goneBase(harness);
  },
  runScheduledExport: consuming('runScheduledExport', async (harness) => {
    const ids = [await make(harness, { schedule }), await leaveSchedule(harness)];
    for (const id of ids)
      await harness.service.cloud.fireSchedule(`p${harness.service.property}-export-${id}-r1-0`);
  }),
  repairExports: async (harness) => {
    await without(harness, 'createExport', 'states:StartExecution', () =>
      post(harness, at(harness, ''), { segment: [harness.segment] }),
    );
    await loseFile(harness);
    await leaveDelivery(harness);
    await leaveSchedule(harness);
    await make(harness, { schedule });
    await passTime(harness, await make(harness, { schedule: { ...schedule, once: true } }));
    await ageChores(harness);
    await harness.service.cloud.invoke('repairExports', {});
  },
};
