/** Handler: what both kinds of threads do with a function: find its handler, run it, and say how it ended. */
import * as v from 'valibot';
import type { Failure, Job, Report } from './protocol.ts';

/** A handler, as a function exports it. */
export type Handler = (event: unknown, context: object) => unknown;

/** Whether a value is a function. */
export const isFunction = (value: unknown): value is (...given: readonly unknown[]) => unknown =>
  typeof value === 'function';

/** The handler that a module exports under a name. Throws when there is none. */
export const handlerIn = (loaded: unknown, exportName: string): Handler => {
  const handler = v.parse(v.looseObject({}), loaded)[exportName];
  if (!isFunction(handler)) throw new Error(`the bundle exports no function ${exportName}`);
  return handler;
};

/** What a function threw, as the Lambda runtime says it. */
export const failureOf = (error: unknown): Failure => {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error) };
  const trace = (error.stack ?? '').split('\n');
  return { errorType: error.name, errorMessage: error.message, trace };
};

const contextOf = (job: Job): object => ({
  awsRequestId: job.requestId,
  callbackWaitsForEmptyEventLoop: true,
  functionName: job.functionName,
  functionVersion: '$LATEST',
  getRemainingTimeInMillis: () => Math.max(0, job.deadline - Date.now()),
  invokedFunctionArn: job.functionArn,
  logGroupName: job.logGroup,
  logStreamName: 'local',
  memoryLimitInMB: String(job.memoryMb),
});

/** Where a handler runs: its environment, and what tells the resident memory in bytes. */
interface Surroundings {
  readonly env: Record<string, string | undefined>;
  readonly memory: () => number;
}

/** Runs one invocation. Never throws. */
export const handle = async (handler: Handler, job: Job, { env, memory }: Surroundings): Promise<Report> => {
  env['_X_AMZN_TRACE_ID'] = job.traceId;
  try {
    const answer = await handler(JSON.parse(job.event), contextOf(job));
    const payload = answer === undefined ? 'null' : JSON.stringify(answer);
    return { kind: 'result', payload, memory: memory() };
  } catch (error) {
    return { kind: 'failed', failure: failureOf(error), memory: memory() };
  }
};
