/** Service: the whole service on the embedded cloud in another process, with a client, a bare client, and meters. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { askOperator, localServiceSchema } from '../../cli/admin-service.ts';
import { endpointsSchema, signIn } from '../../cli/endpoints.ts';
import { dynamoDb, type DynamoDb } from '../../shared/table/dynamo-calls.ts';
import { type HttpAnswer, send } from './send.ts';
import { type ServiceOptions, type Usage, usageSchema } from './service-messages.ts';

/** What some work used, without the idle service's part, and the sums of its calls. */
export interface Cost {
  readonly seconds: number;
  readonly cpu: Usage['cpu'];
  readonly heaps: Usage['heaps'];
  /** Calls of the functions to tables. A batch is one. */
  readonly tableCalls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly undoLog: readonly number[];
  readonly meter: Usage['meter'];
}

const access = v.looseObject({
  aws_endpoint: v.string(),
  aws_credentials: v.object({ access_key_id: v.string(), secret_access_key: v.string(), region: v.string() }),
});

/** The idle service is watched for this long. */
const IDLE_MS = 1_000;

/** A service with many files works on them for a while after its start, so it is watched again until it is idle. */
const MOST_WATCHES = 30;

/** Below this share of a processor, a service is idle. */
const IDLE_SHARE = 0.1;

/** Starts the service and waits until it answers. */
export const openService = async (options: ServiceOptions = {}) => {
  const child = fork(join(import.meta.dirname, 'service-process.ts'), [JSON.stringify(options)]);
  const gone = once(child, 'exit');
  const failed = gone.then(() => {
    throw new Error('the service has ended');
  });
  failed.catch(() => undefined);
  const heard = async (): Promise<unknown> => {
    const message: unknown[] = await Promise.race([once(child, 'message'), failed]);
    return message[0];
  };
  const ask = async (question: string): Promise<unknown> => {
    child.send(question);
    return heard();
  };
  const started = await heard();
  const endpoints = v.parse(endpointsSchema, started);
  const client = await signIn(endpoints);
  const bare = bareClient(started);
  const agent = new Agent({ keepAlive: true });
  const measured = async <T>(work: () => Promise<T>) => {
    await ask('begin');
    const result = await work();
    return { result, used: v.parse(usageSchema, await ask('end')) };
  };
  const idle = await idleUse(() => measured(() => setTimeout(IDLE_MS)));
  const stop = async (): Promise<void> => {
    if (!child.connected) return;
    bare.destroy();
    agent.destroy();
    await ask('stop');
    child.disconnect();
    await gone;
  };
  return {
    pid: child.pid ?? 0,
    endpoints,
    property: endpoints.property_id,
    client,
    /** A client with the permissions of the operator, for bare calls to the same table. */
    bare,
    /** Calls the API over connections that stay open. */
    call: async (method: string, path: string, body?: unknown): Promise<HttpAnswer> =>
      send(agent, `${endpoints.base_url}${path}`, {
        method,
        token: await client.token(),
        ...(body !== undefined && { body: { json: body } }),
      }),
    /** Runs work, and returns its result and its cost for the service. */
    cost: async <T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly cost: Cost }> => {
      const { result, used } = await measured(work);
      return { result, cost: costOf(used, idle) };
    },
    /** Runs a command of the operator and returns its answer. */
    operate: (command: Readonly<Record<string, unknown>>): Promise<unknown> =>
      askOperator(command, { kind: 'local', stage: 'local', service: v.parse(localServiceSchema, started) }),
    /** Stops the service and keeps its files. */
    stop,
    [Symbol.asyncDispose]: stop,
  };
};

/** The running service. */
export type MeasuredService = Awaited<ReturnType<typeof openService>>;

/** What an idle service uses. */
const idleUse = async (watch: () => Promise<{ readonly used: Usage }>): Promise<Usage> => {
  for (let watches = 1; ; watches += 1) {
    const { used } = await watch();
    const { functions, emulators, other } = used.cpu;
    if (functions + emulators + other < IDLE_SHARE * used.seconds || watches === MOST_WATCHES) return used;
  }
};

const bareClient = (started: unknown): DynamoDb => {
  const { aws_endpoint, aws_credentials } = v.parse(access, started);
  return dynamoDb({
    region: aws_credentials.region,
    endpoint: aws_endpoint,
    credentials: {
      accessKeyId: aws_credentials.access_key_id,
      secretAccessKey: aws_credentials.secret_access_key,
    },
  });
};

/** The use of some work, without what the idle service would have used in the same time. */
const costOf = (used: Usage, idle: Usage): Cost => {
  const { seconds, heaps, meter, undoLog } = used;
  const net = (part: keyof Usage['cpu']): number =>
    Math.max(0, used.cpu[part] - (idle.cpu[part] / idle.seconds) * seconds);
  // The operator's calls are the bench's own.
  const own = meter.filter(({ caller }) => caller !== 'operator');
  const sum = (of: (line: Usage['meter'][number]) => number): number =>
    own.reduce((all, line) => all + of(line), 0);
  return {
    seconds,
    cpu: { functions: net('functions'), emulators: net('emulators'), other: net('other') },
    heaps,
    tableCalls: sum(({ kind, calls }) => (kind === 'request' ? calls : 0)),
    readUnits: sum(({ readUnits }) => readUnits),
    writeUnits: sum(({ writeUnits }) => writeUnits),
    undoLog,
    meter: own,
  };
};
