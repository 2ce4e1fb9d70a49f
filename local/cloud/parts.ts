/** Parts: starts all services behind the HTTP API in order, and connects them. */
import type { DeployedOf } from '../assembly/deployment.ts';
import { keyGuardOf } from '../assembly/key-policies.ts';
import { createBus, type Bus } from '../services/events/bus.ts';
import { keyCallEvent } from '../services/events/key-call.ts';
import { objectCreatedEvent } from '../services/events/object-created.ts';
import { createDelivery, type Deliver } from '../services/events/targets.ts';
import { logsService } from '../services/logs/logs.ts';
import { openVendedLog, type VendedLog } from '../services/logs/vended-log.ts';
import type { ObjectCreated } from '../services/s3/store.ts';
import { createTopics } from '../services/sns/topics.ts';
import { createScheduler } from '../services/scheduler/scheduler.ts';
import { restoreSchedules, schedulerService } from '../services/scheduler/service.ts';
import { openScheduleStore } from '../services/scheduler/stored.ts';
import { createEngine } from '../services/states/engine.ts';
import { openLedger } from '../services/states/ledger.ts';
import { statesService } from '../services/states/service.ts';
import { machinesOf, patternRulesOf, subscriptionsOf } from './definitions.ts';
import { createAuthority } from './authority.ts';
import { startMappings } from './mappings.ts';
import { expiryOf, startExpiry } from './expiry.ts';
import type { PartsInput } from './options.ts';
import { targetPorts, taskPorts } from './ports.ts';
import { openRuntime, registerCallers, type RuntimeParts } from './runtime.ts';
import { addSchedules } from './schedules.ts';
import { openSftp } from './transfer.ts';
import { openStorage, type StorageOptions } from './storage.ts';
import { openWatch, type Watch } from './watch.ts';

/** Starts all parts. Adds their closing to `owned`, so that a failed start leaves nothing running. */
export const openParts = async (input: PartsInput, owned: AsyncDisposableStack) => {
  const { deployment, gateway, now } = input;
  const late: { bus?: Bus } = {};
  const topics = createTopics(input.onNotice);
  const watch = openWatch({ ...input, topics });
  owned.defer(() => watch.stop());
  const put = busPort(input, late);
  const storage = await openStorage({ ...input, ...put });
  owned.defer(() => storage.close());
  gateway.addService(logsService((name) => input.logs.read(name)));
  const callers = registerCallers(deployment, gateway);
  const keys = keyGuardOf(deployment);
  gateway.guardKeys(keys);
  const authority = createAuthority(deployment, callers, gateway, keys);
  // Functions start executions until they end, so the ledger closes after them.
  const ledger = openLedger(input.dataDir, now());
  owned.defer(() => ledger.close());
  const runner = openRuntime({ ...input, callers, ...observed(input, watch) });
  owned.defer(() => runner.end());
  const reach = { deployment, authority, runner, sqs: storage.sqs, report: input.report };
  const engine = createEngine({
    machines: machinesOf(deployment),
    ports: taskPorts(reach),
    ledger,
    now,
  });
  owned.defer(() => engine.stop());
  gateway.addService(statesService(engine));
  const deliver = createDelivery(targetPorts(reach, engine, topics), input.report, watch.lost);
  late.bus = createBus(patternRulesOf(deployment), deliver, input.faults);
  const scheduler = createScheduler(deliver, now);
  owned.defer(() => scheduler.stop());
  addSchedules(deployment, scheduler, now());
  const schedules = { scheduler, store: openScheduleStore(input.dataDir), now };
  restoreSchedules(schedules);
  gateway.addService(schedulerService(schedules));
  const mappings = startMappings({ ...input, ...reach });
  owned.defer(async () => {
    await Promise.all(mappings.map((mapping) => mapping.stop()));
  });
  const transferLog = openTransferLog(input, deliver);
  const transfer = await openSftp({ ...input, ...reach, keys, s3: storage.s3, bus: late.bus, transferLog });
  owned.defer(() => transfer?.close());
  watch.start({ sqs: storage.sqs, ledger, table: storage.table });
  const expire = expiryOf(deployment, storage);
  owned.defer(startExpiry(expire, now, input.report));
  engine.resume();
  return {
    storage,
    runner,
    engine,
    scheduler,
    bus: late.bus,
    topics,
    watch,
    mappings,
    /** The SFTP server, if the template has one. */
    transfer,
    /** The structured log of the SFTP server. */
    transferLog,
    expire,
  };
};

/** All parts behind the HTTP API. */
export type Parts = Awaited<ReturnType<typeof openParts>>;

/** The log group of the template to which the SFTP server writes. Its lines are in a file beside those of the functions. */
const openTransferLog = ({ deployment, logs, now, faults }: PartsInput, deliver: Deliver): VendedLog => {
  const [server] = deployment.servers;
  const group = deployment.logGroups.find(
    ({ attributes }) =>
      server?.properties.StructuredLogDestinations.includes(attributes['Arn'] ?? '') === true,
  );
  const name = group?.name ?? '';
  return openVendedLog({
    name,
    arn: group?.attributes['Arn'] ?? '',
    subscriptions: subscriptionsOf(deployment, name),
    keep: (text) => logs.write(name.split('/').at(-1) ?? '', text),
    deliver,
    now,
    faults,
  });
};

/** Tells the watch of invocations. */
const observed = (
  { onInvocation }: PartsInput,
  watch: Watch,
): Pick<RuntimeParts, 'onInvocation' | 'onThrottle'> => ({
  onInvocation: (invocation) => {
    watch.invoked(invocation);
    onInvocation(invocation);
  },
  onThrottle: watch.throttled,
});

/** Sends the events of the storage to the bus, which starts after it. */
const busPort = (
  { now }: PartsInput,
  late: { readonly bus?: Bus },
): Pick<StorageOptions, 'onKeyCall' | 'onObjectCreated'> => {
  let sequence = 0;
  return {
    onKeyCall: (call) => {
      sequence += 1;
      void late.bus?.put(keyCallEvent(call, `key-call-${sequence}`, new Date(now())));
    },
    onObjectCreated: (bucket, object) => {
      sequence += 1;
      void announce(late.bus, bucket, object, { sequence, now });
    },
  };
};

const announce = async (
  bus: Bus | undefined,
  bucket: DeployedOf<'buckets'>,
  object: ObjectCreated,
  { sequence, now }: { readonly sequence: number; readonly now: () => number },
): Promise<void> => {
  const notified = bucket.properties.NotificationConfiguration?.EventBridgeConfiguration?.EventBridgeEnabled;
  if (bus && notified === true) await bus.put(objectCreatedEvent(object, sequence, new Date(now())));
};
