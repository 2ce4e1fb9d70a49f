/**
 * Alarm scenes: for each alarm of the deployment, how to make the fault that rings it. A fault that the embedded services
 * cannot make is a datapoint, as AWS documents it; the scene says so.
 */
import { functionsBy, type Stage } from './alarm-stage.ts';
import { limits } from '../../shared/config/limits.ts';
import { FIRST_COPIED } from '../../shared/runtime/sqs-queue.ts';
import { keys } from '../../shared/table/keys.ts';
import { customSegmentAnswer } from '../../shared/segments/schemas.ts';
import { changeItem } from '../support/items.ts';
import { tableNames } from '../support/table-names.ts';
import { until } from '../support/until.ts';

/** Makes the fault. Returns the mend, if the fault would last. */
export type Scene = (stage: Stage) => Promise<(() => Promise<void> | void) | undefined>;

const NAME = 'tidemark-local';
const TIME = '2026-11-27T00:00:00Z';
const bounds = limits.alarms;

const times = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

/** Acts some times, one after the other. */
const repeat = async (count: number, act: () => Promise<unknown>): Promise<void> => {
  for (let n = 0; n < count; n += 1) await act();
};

/** Acts in the middle of each of some periods of an alarm. */
const inEach = async (
  { service: { cloud } }: Stage,
  { periods, seconds }: { readonly periods: number; readonly seconds: number },
  act: () => Promise<unknown>,
): Promise<void> => {
  const { cloudwatch } = cloud.parts.watch;
  const minutes = Math.floor(seconds / 120);
  await repeat(periods, async () => {
    cloudwatch.pass(minutes * 60);
    await act();
    cloudwatch.pass(seconds - minutes * 60);
  });
};

const consumers = functionsBy('queue');
const watched = (['queue', 'workflow', 'schedule', 'identity', 'log'] as const).flatMap((kind) =>
  functionsBy(kind),
);

/** A queue by its name in the manifest. */
const queueOf = ({ service: { cloud } }: Stage, name: string) => {
  const found = cloud.deployment.queues.find((one) => one.name.replace('.fifo', '') === `${NAME}-${name}`);
  if (!found) throw new Error(`there is no queue ${name}`);
  return cloud.parts.storage.sqs.queue(found.name);
};

/** A function whose process ends in each call, more often than needs nobody. */
const crashing =
  (name: string): Scene =>
  async (stage) => {
    const mend = stage.kill(name);
    await repeat(bounds.functionErrors + 1, () => stage.service.cloud.invoke(name, {}));
    mend();
    return undefined;
  };

/** Messages that make each consumer call a service, by its name. */
const bodies: Readonly<Record<string, (ids: Stage['ids']) => object>> = {
  drain: ({ property }) => ({ v: 1, property, group: 0 }),
  importBatch: ({ property, job }) => ({ v: 1, property, job, batch: 'x' }),
  enrich: ({ property }) => ({ v: 1, property, sealed: 'x' }),
  startImport: ({ property, import: id }) => ({
    source: 'aws.transfer',
    'detail-type': 'SFTP Server File Upload Completed',
    detail: {
      'file-path': `/uploads/sftp/1/${property}/imports/${id}/q.csv`,
      bytes: 1,
      etag: 'e',
      'end-timestamp': TIME,
    },
  }),
  runScheduled: ({ property, job }) => ({
    v: 1,
    property,
    export: job,
    revision: 1,
    time: TIME,
    catches_up: false,
  }),
};

/** A consumer gets a message that was copied first some seconds ago, and whose services fail. */
const copied =
  (consumer: string, seconds: number): Scene =>
  async ({ service: { cloud }, ids }) => {
    const mend = cloud.gateway.failing(consumer);
    const record = {
      messageId: 'm',
      receiptHandle: 'r',
      body: JSON.stringify(bodies[consumer]?.(ids)),
      attributes: { ApproximateReceiveCount: '1', MessageGroupId: 'test' },
      messageAttributes: { [FIRST_COPIED]: { stringValue: String(Date.now() - seconds * 1_000) } },
    };
    await cloud.invoke(consumer, { Records: [record] });
    return mend;
  };

/** Nobody takes the messages of a queue. The mapping cannot start again, so this is the last scene of a queue. */
const left =
  (queueName: string): Scene =>
  async (stage) => {
    const { parts, deployment } = stage.service.cloud;
    const queue = queueOf(stage, queueName);
    const at = deployment.mappings.findIndex(({ properties }) => properties.EventSourceArn === queue.arn);
    await parts.mappings[at]?.stop();
    const fifo = queue.name.endsWith('.fifo') ? { groupId: 'g', deduplicationId: 'd' } : {};
    queue.send('{}', fifo);
    stage.service.cloud.parts.watch.cloudwatch.pass(bounds.messageSeconds);
    return () => queue.purge();
  };

/** A message of an unknown shape in each queue, which its consumer fails until it is a dead letter. */
const poisoned: Scene = async (stage) => {
  const all = consumers.map(([, { trigger }]) => ({
    queue: queueOf(stage, trigger.queue),
    dead: queueOf(stage, `${trigger.queue}-dead-letters`),
  }));
  for (const { queue } of all)
    queue.send('poison', queue.name.endsWith('.fifo') ? { groupId: 'p', deduplicationId: 'p' } : {});
  for (const { queue, dead } of all)
    await until(`a dead letter of ${queue.name}`, () => (dead.counts().visible > 0 ? true : undefined));
  return () => {
    for (const { dead } of all) dead.purge();
  };
};

/** Somebody stops an execution. */
const stopped =
  (workflow: string): Scene =>
  ({ service: { cloud } }) => {
    const machine = cloud.deployment.machines.find(({ name }) => name === `${NAME}-${workflow}`);
    const input = JSON.stringify({ property: 7, import: 8, export: '8', job: 9 });
    const { arn } = cloud.parts.engine.start(machine?.ref ?? '', 'a-scene', input);
    cloud.parts.engine.abort(arn, undefined, undefined);
    return Promise.resolve(undefined);
  };

const isRefused = ({ status }: PromiseSettledResult<unknown>): boolean => status === 'rejected';

/** A table gets more than it serves, in each period over which its alarm looks. */
const busy =
  (table: string, periods = 1): Scene =>
  async (stage) => {
    const item = { pk: { S: 'busy' }, sk: { S: 'busy' }, text: { S: 'x'.repeat(390_000) } };
    const put = () =>
      stage.service.cloud.parts.storage.table.call('PutItem', { TableName: table, Item: item });
    await inEach(stage, { periods, seconds: bounds.periodSeconds }, async () => {
      // A slow machine gives the partition time to serve some of them.
      for (let refused = 0; refused <= bounds.tableThrottles;)
        refused += (await Promise.allSettled(times(40).map(put))).filter(isRefused).length;
    });
    return undefined;
  };

/** A datapoint of a metric that only AWS can make. */
const told =
  (namespace: string, name: string, value: number): Scene =>
  ({ service: { cloud } }) => {
    cloud.parts.watch.cloudwatch.put({ namespace, name, dimensions: {} }, value);
    return Promise.resolve(undefined);
  };

/** The role of a schedule may no longer call its function, so its call goes to the dead letters. */
const refusedSchedule: Scene = async (stage) => {
  const { cloud } = stage.service;
  const [schedule] = cloud.deployment.schedules;
  const { Target } = schedule?.properties ?? {};
  const role = cloud.deployment.roles.find(({ attributes }) => attributes['Arn'] === Target?.RoleArn);
  const caller = cloud.deployment.schedules.find(
    ({ properties }) => properties.Target.RoleArn === role?.attributes['Arn'],
  );
  const name = caller?.name.replace(/^tidemark-[a-z]+-/, '') ?? '';
  const mend = cloud.gateway.withoutAction(name, 'lambda:InvokeFunction');
  await cloud.fireSchedule(schedule?.name ?? '');
  mend();
  return () => queueOf(stage, 'schedules-dead-letters').purge();
};

/** Clients get 500, because the process of a function ends. */
const failingRoute: Scene = async (stage) => {
  const mend = stage.kill('getCaller');
  await repeat(bounds.apiErrors + 1, () => stage.service.call('GET', '/v1/me'));
  mend();
  return undefined;
};

const calls =
  (count: number, call: (stage: Stage) => Promise<unknown>): Scene =>
  async (stage) => {
    await repeat(count, () => call(stage));
    return undefined;
  };

/** The entry of a change cannot be stored. */
const lostEntry: Scene = async ({ service }) => {
  const { cloud, property } = service;
  const table = cloud.deployment.tables.find(({ name }) => name === tableNames.auditLog);
  const mends = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:PartiQLInsert'].map((action) =>
    cloud.gateway.withoutAction('createCollection', action, table?.attributes['Arn'] ?? ''),
  );
  await service.call('POST', `/v1/${property}/collections`, {
    body: JSON.stringify({ name: 'of a scene', segments: [] }),
    headers: { 'idempotency-key': 'scene' },
  });
  for (const mend of mends) mend();
  return undefined;
};

/** The table of rates fails for the function that is asked most. */
const uncounted: Scene = async (stage) => {
  const mend = stage.fail('getCaller dynamodb:UpdateItem');
  await Promise.all(times(bounds.uncountedRequests + 1).map(() => stage.service.call('GET', '/v1/me')));
  return mend;
};

/** A step that meets failing services, in each period over which the alarm looks. */
const postponedStep: Scene = async (stage) => {
  const { cloud } = stage.service;
  const mend = cloud.gateway.failing('inspectFile');
  const { postponedStepPeriods: periods, postponedStepSeconds: seconds } = bounds;
  await inEach(stage, { periods, seconds }, () => cloud.invoke('inspectFile', stage.ids));
  return mend;
};

/** EventBridge loses an event: it takes a broken queue policy to make that, so this is the datapoint of EventBridge. */
const lostEvent: Scene = ({ service: { cloud } }) => {
  const [rule] = cloud.deployment.rules;
  const dimensions = { RuleName: rule?.name ?? '' };
  cloud.parts.watch.cloudwatch.put({ namespace: 'AWS/Events', name: 'FailedInvocations', dimensions }, 1);
  return Promise.resolve(undefined);
};

const unknownMessages = {
  Records: times(bounds.loggedErrors + 1).map((n) => ({ messageId: `m${n}`, receiptHandle: 'r', body: 'x' })),
};

const guess = ({ service }: Stage): Promise<unknown> =>
  service.call('POST', '/oauth/token', {
    as: 'nobody',
    body: 'x',
    headers: { authorization: 'Basic eDp4' },
  });

const unknownShapes: Scene = async ({ service: { cloud } }) => {
  await cloud.invoke('importBatch', unknownMessages);
  return undefined;
};

const patient = consumers.filter(([, { trigger }]) => trigger.backlog === true);
const prompt = consumers.filter(([, { trigger }]) => trigger.backlog !== true);
const AN_HOUR = bounds.postponedSeconds + 60;
const A_QUARTER = bounds.messageSeconds + 60;

/** A scene rings one alarm or several. */
/** A look finds a condition that an earlier one has seen more than an hour ago. */
const lateCondition: Scene = async ({ service }) => {
  const { cloud, client, property } = service;
  const where = { field: 'extra_data.spend', op: 'gte', value: 500 };
  const { id } = await client.post(`/v1/${property}/segments`, { name: 'Late', where }, customSegmentAnswer);
  const since = Date.now() - (bounds.conditionSeconds + 60) * 1_000;
  await changeItem(service, keys.conditions(property), { preparing: [{ id, since }] });
  await cloud.invoke('reconcileTasks', {});
  return async () => {
    await service.call('DELETE', `/v1/${property}/segments/${id}`);
  };
};

type Entry = readonly [alarms: readonly string[], what: string, scene: Scene];

/** The scenes in their order. An alarm may have several. */
export const scenes: readonly Entry[] = [
  ...watched.map(([name]): Entry => [[name], 'the process of the function ends', crashing(name)]),
  ...['importFile', 'undoJob', 'runExport', 'deliverExport'].map((name): Entry => [
    [name],
    'somebody stops an execution',
    stopped(name),
  ]),
  [['api-errors'], 'a function behind a route fails', failingRoute],
  [
    ['account-throttles'],
    'Lambda refuses calls',
    calls(bounds.throttledCalls + 1, ({ service }) => service.call('GET', '/docs/try', { as: 'nobody' })),
  ],
  [['refused-logins'], 'somebody guesses', calls(bounds.refusedLogins + 1, guess)],
  [['logged-errors'], 'messages have an unknown shape', unknownShapes],
  [['audit-lost'], 'a role may not write the audit log', lostEntry],
  [['rates-unavailable'], 'the table of rates fails', uncounted],
  [['table-throttles'], 'a partition gets too much', busy(tableNames.table, bounds.tableThrottlePeriods)],
  [['credentials-throttles'], 'a partition gets too much', busy(tableNames.credentials)],
  [['audit-log-throttles'], 'a partition gets too much', busy(tableNames.auditLog)],
  [['rates-throttles'], 'a partition gets too much', busy(tableNames.rates)],
  [['mail-bounces'], 'SES tells of bounces', told('AWS/SES', 'Reputation.BounceRate', 0.06)],
  [['mail-complaints'], 'SES tells of complaints', told('AWS/SES', 'Reputation.ComplaintRate', 0.002)],
  [['events-lost'], 'EventBridge tells of a lost event', lostEvent],
  [['schedules-lost', 'schedules-dead-letters'], 'a role may not call its function', refusedSchedule],
  [['conditions-late'], 'a condition is not ready after more than an hour', lateCondition],
  [['postponed-steps'], 'a step meets failing services for two hours', postponedStep],
  ...patient.map(([name]): Entry => [
    ['postponed-age'],
    `${name} has met busy services for more than an hour`,
    copied(name, AN_HOUR),
  ]),
  ...prompt.map(([name, { trigger }]): Entry => [
    [`${trigger.queue}-age`],
    `${name} has met busy services for more than 15 minutes`,
    copied(name, A_QUARTER),
  ]),
  [
    consumers.map(([, { trigger }]) => `${trigger.queue}-dead-letters`),
    'each queue has a message that nobody can process',
    poisoned,
  ],
  ...consumers.map(([, { trigger }]): Entry => [
    [`${trigger.queue}-age`],
    'nobody takes the messages',
    left(trigger.queue),
  ]),
];
