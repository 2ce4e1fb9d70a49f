import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { OUTBOX_PARTITIONS, keys } from '../../shared/table/keys.ts';
import { until } from '../support/until.ts';
import { get, post, putItem, type Exercise, type World } from './exercise-scene.ts';

const made = v.looseObject({ id: v.string() });
const schedule = { hour: '3' };

const at = ({ service }: World, rest: string): string => `/v1/${service.property}/exports${rest}`;

const put = (world: World, id: string, body: unknown): Promise<unknown> =>
  world.service.call('PUT', at(world, `/${id}`), { body: JSON.stringify(body) });

/** A new export of all profiles. */
const make = async (world: World, more: object = {}): Promise<string> => {
  const body = { segment: [world.segment], ...more };
  return (await world.service.client.post(at(world, ''), body, made)).id;
};

/** A new export with a push. */
const makePushed = (world: World): Promise<string> =>
  make(world, { destination_credentials: { domain: world.sftp, client_id: 'receiver' } });

/** Makes a call while a function lacks an action; the call itself fails halfway. */
const without = async (
  { service }: World,
  name: string,
  action: string,
  work: () => Promise<unknown>,
): Promise<void> => {
  const restore = service.cloud.gateway.withoutAction(name, action);
  await work().finally(restore);
};

/** An export that was deleted without its schedule. */
const leaveSchedule = async (world: World): Promise<string> => {
  const id = await make(world, { schedule });
  await without(world, 'deleteExport', 'scheduler:DeleteSchedule', () =>
    world.service.call('DELETE', at(world, `/${id}`)),
  );
  return id;
};

const tableCall = ({ service }: World, operation: string, input: object): Promise<unknown> =>
  service.cloud.parts.storage.table.call(operation, { TableName: 'tidemark-local', ...input });

const items = v.looseObject({ body: v.looseObject({ Items: v.array(v.record(v.string(), v.unknown())) }) });

/** Ages all outbox tasks until the sweep picks them up. */
const ageChores = async (world: World): Promise<void> => {
  for (let partition = 0; partition < OUTBOX_PARTITIONS; partition += 1) {
    const values = { ':pk': { S: keys.exportOutbox(partition) } };
    const query = {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: values,
      ConsistentRead: true,
    };
    const { body } = v.parse(items, await tableCall(world, 'Query', query));
    for (const item of body.Items)
      await tableCall(world, 'PutItem', { Item: { ...item, created: { N: '1' } } });
  }
};

/** Advances an export that runs once past its time. */
const passTime = async (world: World, id: string): Promise<void> => {
  const { pk, sk } = keys.exportDefinition(world.service.property, Number(id));
  await tableCall(world, 'UpdateItem', {
    Key: { pk: { S: pk }, sk: { S: sk } },
    UpdateExpression: 'SET run_at = :past',
    ExpressionAttributeValues: { ':past': { N: '60000' } },
  });
};

const listedJobs = v.looseObject({ jobs: v.array(v.looseObject({ id: v.string(), status: v.string() })) });

/** A complete job of a list. */
const endedJob = ({ service }: World, list: string): Promise<{ readonly id: string }> =>
  until('an ended job', async () => {
    const { jobs } = await service.client.get(list, listedJobs);
    return jobs.find(({ status }) => status === 'complete');
  });

/** An export whose job ended long ago, and whose file has no record. */
const loseFile = async (world: World): Promise<void> => {
  const { property } = world.service;
  const id = await make(world);
  const job = await endedJob(world, at(world, `/${id}/jobs`));
  const { pk, sk } = keys.exportJob(property, Number(id), Number(job.id));
  await tableCall(world, 'UpdateItem', {
    Key: { pk: { S: pk }, sk: { S: sk } },
    UpdateExpression: 'SET finished = :past, #file = :none',
    ExpressionAttributeNames: { '#file': 'file' },
    ExpressionAttributeValues: { ':past': { N: '60000' }, ':none': { NULL: true } },
  });
};

/** A delivery of a job that ended long ago waits, and no workflow has started it. */
const leaveDelivery = async (world: World): Promise<void> => {
  const { property } = world.service;
  const id = await make(world, { webhook_url: world.webhook });
  const job = await endedJob(world, at(world, `/${id}/jobs`));
  const { pk, sk } = keys.exportDelivery(property, Number(id), Number(job.id), 'webhook');
  await tableCall(world, 'UpdateItem', {
    Key: { pk: { S: pk }, sk: { S: sk } },
    UpdateExpression: 'SET #state = :waiting, replays = :one',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: { ':waiting': { S: 'waiting' }, ':one': { N: '1' } },
  });
};

const LINK = 'A'.repeat(43);

/** A link that confirms an address. */
const leaveLink = (world: World): Promise<void> =>
  putItem(world, keys.confirmation(createHash('sha256').update(LINK).digest('hex')), {
    property: world.service.property,
    mailbox: 'a'.repeat(64),
    expires: Date.now() + 3_600_000,
  });

/** Exercises of the functions that define and run exports. */
export const exportExercises: Readonly<Record<string, Exercise>> = {
  createExport: async (world) => {
    const body = { segment: [world.segment], tile_types: ['brand'] };
    await post(world, at(world, ''), { ...body, webhook_url: world.webhook });
    await post(world, at(world, ''), { ...body, schedule });
    // The repeated request, after a death halfway, opens the secret that the first request stored.
    const headers = { 'idempotency-key': `key-${world.fresh()}` };
    const keyed = { body: JSON.stringify({ ...body, webhook_url: world.webhook }), headers };
    const create = () => world.service.call('POST', at(world, ''), keyed);
    await without(world, 'createExport', 'states:StartExecution', create);
    await create();
  },
  replaceExport: async (world) => {
    const body = { segment: [world.segment], tile_types: ['brand'], webhook_url: world.webhook };
    await put(world, await make(world, { schedule }), { ...body, schedule: { hour: '4' } });
    await put(world, world.exportId, { segment: [world.segment] });
  },
  deleteExport: async (world) => {
    const id = await make(world, { schedule });
    await world.service.call('DELETE', at(world, `/${id}`));
  },
  getHostKey: async (world) => get(world, at(world, `/${await makePushed(world)}/host-key`)),
  replaceHostKey: async (world) => {
    const path = `${await makePushed(world)}/host-key`;
    for (const letter of ['A', 'E']) await put(world, path, { fingerprint: `SHA256:${letter.repeat(43)}` });
  },
  deliverEmail: async (world) => {
    // One address is the caller's own, and the other address needs a confirmation.
    for (const notification_email of [world.service.userEmail, `n${world.fresh()}@example.net`])
      await make(world, { notification_email });
  },
  createExportJob: (world) => post(world, at(world, `/${world.exportId}/jobs`), {}),
  cancelExportJob: async (world) => {
    const path = at(world, `/${world.exportId}/jobs`);
    const { id } = await world.service.client.post(path, {}, made);
    await post(world, `${path}/${id}/cancel`, {});
  },
  withdrawLocation: async (world) => {
    const jobs = at(world, `/${await make(world)}/jobs`);
    const job = await endedJob(world, jobs);
    await world.service.call('DELETE', `${jobs}/${job.id}/location`);
  },
  showConfirmation: async (world) => {
    await leaveLink(world);
    await get(world, `/confirmations/${LINK}`);
  },
  confirmAddress: async (world) => {
    await leaveLink(world);
    await post(world, `/confirmations/${LINK}`, {});
    // The address is known now, and is confirmed again.
    await leaveLink(world);
    await post(world, `/confirmations/${LINK}`, {});
  },
  planExport: async (world) => {
    await make(world);
    await post(world, at(world, `/${world.deltaId}/jobs`), {});
  },
  runScheduledExport: async (world) => {
    const ids = [await make(world, { schedule }), await leaveSchedule(world)];
    for (const id of ids)
      await world.service.cloud.fireSchedule(`p${world.service.property}-export-${id}-r1-0`);
  },
  repairExports: async (world) => {
    await without(world, 'createExport', 'states:StartExecution', () =>
      post(world, at(world, ''), { segment: [world.segment] }),
    );
    await loseFile(world);
    await leaveDelivery(world);
    await leaveSchedule(world);
    await make(world, { schedule });
    await passTime(world, await make(world, { schedule: { ...schedule, once: true } }));
    await ageChores(world);
    await world.service.cloud.invoke('repairExports', {});
  },
};
