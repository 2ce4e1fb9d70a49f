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

/** Runs one invocation. `memory` gives the resident memory in bytes. Never throws. */
export const handle = async (handler: Handler, job: Job, memory: () => number): Promise<Report> => {
  process.env['_X_AMZN_TRACE_ID'] = job.traceId;
  try {
    const answer = await handler(JSON.parse(job.event), contextOf(job));
    const payload = answer === undefined ? 'null' : JSON.stringify(answer);
    return { kind: 'result', payload, memory: memory() };
  } catch (error) {
    return { kind: 'failed', failure: failureOf(error), memory: memory() };
  }
};

/**
 * Sends the output of functions as messages, in order with their answers. The stream of a worker thread would take two more
 * messages for each line, and this thread would have to wait for the second before it freezes.
 */
export const sendOutput = (say: (text: string) => void): void => {
  const write = (chunk: string | Uint8Array, ...more: readonly unknown[]): boolean => {
    say(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    const written = more.findLast((one) => typeof one === 'function');
    if (written) process.nextTick(written);
    return true;
  };
  for (const stream of [process.stdout, process.stderr]) Object.assign(stream, { write });
};
