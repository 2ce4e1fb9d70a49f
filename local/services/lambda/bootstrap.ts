/** Worker of a sandbox: the part of the Lambda runtime that runs beside the handler. */
import { pathToFileURL } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { callOverPort } from './gateway-calls.ts';
import { residentBytes } from './memory.ts';
import { Job, Startup, type Failure, type Report } from './protocol.ts';

type Handler = (event: unknown, context: object) => unknown;

const isHandler = (value: unknown): value is Handler => typeof value === 'function';

const say = (report: Report): void => parentPort?.postMessage(report);

const failureOf = (error: unknown): Failure => {
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

const memory = (): number => residentBytes(getHeapStatistics());

const run = async (handler: Handler, job: Job): Promise<void> => {
  process.env['_X_AMZN_TRACE_ID'] = job.traceId;
  try {
    const answer = await handler(JSON.parse(job.event), contextOf(job));
    const payload = answer === undefined ? 'null' : JSON.stringify(answer);
    say({ kind: 'result', payload, memory: memory() });
  } catch (error) {
    say({ kind: 'failed', failure: failureOf(error), memory: memory() });
  }
};

/**
 * Sends the output of the handler as messages, in order with its answer. The stream of a worker thread would take two more
 * messages for each line, and this thread would have to wait for the second before it freezes.
 */
const sendOutput = (stream: NodeJS.WriteStream): void => {
  const write = (chunk: string | Uint8Array, ...more: readonly unknown[]): boolean => {
    say({ kind: 'output', text: typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString() });
    const written = more.findLast((one) => typeof one === 'function');
    if (written) process.nextTick(written);
    return true;
  };
  Object.assign(stream, { write });
};

/**
 * Blocks this thread, with everything that runs in it, until the next invocation after the first `count`. Lambda freezes a
 * sandbox in the same way after its start and after an answer.
 */
const freeze = (given: Int32Array, count: number): void => void Atomics.wait(given, 0, count);

const start = async ({ file, exportName, given, gateway }: Startup): Promise<void> => {
  for (const stream of [process.stdout, process.stderr]) sendOutput(stream);
  if (gateway) callOverPort(gateway, new URL(process.env['AWS_ENDPOINT_URL'] ?? ''));
  const loaded: unknown = await import(pathToFileURL(file).href);
  const handler = v.parse(v.looseObject({ [exportName]: v.custom<Handler>(isHandler) }), loaded)[exportName];
  parentPort?.on('message', (message) => {
    if (!handler) return;
    const count = Atomics.load(given, 0);
    void run(handler, v.parse(Job, message)).then(() => freeze(given, count));
  });
  say({ kind: 'ready' });
  freeze(given, 0);
};

try {
  await start(v.parse(Startup, workerData));
} catch (error) {
  say({ kind: 'broken', failure: failureOf(error) });
}
