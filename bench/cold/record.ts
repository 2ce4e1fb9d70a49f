/** Records the first request of each function, with its AWS calls, while the scenes are played. */
import * as v from 'valibot';
import { manifest } from '../../functions/manifest.ts';
import { shortName } from '../../cli/standalone/names.ts';
import type { Invocation, RunnableFunction } from '../../local/services/lambda/runner.ts';
import { playScenes } from '../../test/scenes/catalogue.ts';
import { openStage } from '../../test/scenes/stage.ts';
import type { TestService } from '../../test/support/service.ts';
import { until } from '../../test/support/until.ts';
import { openRecorder, type Recorder, type TapedCall } from './tape.ts';

/** The first request of a function, as it can be repeated. */
export interface FirstRequest {
  /** Name in the manifest. */
  readonly name: string;
  readonly fn: RunnableFunction;
  readonly event: unknown;
  readonly tape: readonly TapedCall[];
}

const gatewayAnswer = v.pipe(v.string(), v.parseJson(), v.object({ statusCode: v.number() }));

/** Whether an answer of a function is a success: for a route, one of its statuses. */
export const isSuccess = (name: string, payload: string): boolean => {
  const trigger = manifest[name]?.trigger;
  if (trigger?.kind !== 'http') return true;
  const answer = v.safeParse(gatewayAnswer, payload);
  return (
    answer.success && (trigger.method === '$default' || trigger.statuses.includes(answer.output.statusCode))
  );
};

/** Keeps the first request of each function that succeeds in a new environment. */
const keeper = (
  recorder: Recorder,
  functions: readonly RunnableFunction[],
  found: Map<string, FirstRequest>,
) => {
  const byName = new Map(functions.map((fn) => [fn.name, fn]));
  return (service: TestService): void => {
    const { runner } = service.cloud.parts;
    for (const fn of functions) {
      runner.recycle(fn.name);
      recorder.take(fn.env['AWS_ACCESS_KEY_ID'] ?? '');
    }
    service.cloud.observeInvocations(({ functionName, event, outcome }: Invocation) => {
      const name = shortName(functionName);
      const fn = byName.get(functionName);
      if (!fn || found.has(name)) return;
      const tape = recorder.take(fn.env['AWS_ACCESS_KEY_ID'] ?? '');
      if (outcome.ok && isSuccess(name, outcome.payload))
        found.set(name, { name, fn, tape, event: JSON.parse(event) });
      else runner.recycle(functionName);
    });
  };
};

/** The ids of the services that functions call. */
const services = ['DYNAMODB', 'KMS', 'SQS', 'S3', 'SFN', 'SCHEDULER', 'STS', 'SESV2', 'CLOUDWATCH_LOGS'];

/**
 * Settings that lead the SDK to an address. The general address stays: calls to it take a message port, past the recorder.
 */
const endpointsAt = (url: string): Readonly<Record<string, string>> =>
  Object.fromEntries(services.map((service) => [`AWS_ENDPOINT_URL_${service}`, url]));

/** Plays the scenes, and hands over the first requests by the names of the functions while the service runs. */
export const withFirstRequests = async (
  use: (requests: ReadonlyMap<string, FirstRequest>, functions: readonly RunnableFunction[]) => Promise<void>,
): Promise<void> => {
  await using recorder = await openRecorder();
  const found = new Map<string, FirstRequest>();
  let functions: readonly RunnableFunction[] = [];
  const adaptFunctions = (given: readonly RunnableFunction[]): readonly RunnableFunction[] => {
    recorder.to = given[0]?.env['AWS_ENDPOINT_URL'] ?? '';
    recorder.secrets = new Map(
      given.map(({ env }) => [env['AWS_ACCESS_KEY_ID'] ?? '', env['AWS_SECRET_ACCESS_KEY'] ?? '']),
    );
    functions = given;
    return given.map((fn) => ({ ...fn, env: { ...fn.env, ...endpointsAt(recorder.url) } }));
  };
  await using stage = await openStage({ adaptFunctions });
  const { service } = stage;
  keeper(recorder, functions, found)(service);
  await playScenes(stage);
  // The health is asked before the scenes begin.
  await service.call('GET', '/healthz', { as: 'nobody' });
  await service.call('GET', '/nowhere', { as: 'nobody' });
  // The cloud itself is never idle: a workflow tries a notice to a withdrawn address again for days.
  await until('the functions to end', () =>
    Promise.resolve(service.cloud.parts.runner.running() === 0 || undefined),
  );
  await use(found, functions);
};

/** An environment with another address of AWS. Addresses of queues hold it, too. */
export const redirected = (
  env: Readonly<Record<string, string>>,
  from: string,
  to: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replaceAll(from, to)]));
