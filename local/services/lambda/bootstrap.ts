/** Worker of a sandbox: the part of the Lambda runtime that runs beside the handler. */
import { pathToFileURL } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import * as v from 'valibot';
import { overPort, requestOver } from './gateway-calls.ts';
import { failureOf, handle, handlerIn } from './handler.ts';
import { residentBytes } from './memory.ts';
import { Job, Startup, type Report } from './protocol.ts';

const say = (report: Report): void => parentPort?.postMessage(report);

const memory = (): number => residentBytes(getHeapStatistics());

/**
 * Blocks this thread, with everything that runs in it, until the next invocation after the first `count`. Lambda freezes a
 * sandbox in the same way after its start and after an answer.
 */
const freeze = (given: Int32Array, count: number): void => void Atomics.wait(given, 0, count);

/**
 * Sends the output of the function as messages, in order with its answers. The stream of a worker thread would take two more
 * messages for each line, and this thread would have to wait for the second before it freezes.
 */
const sendOutput = (): void => {
  const write = (chunk: string | Uint8Array, ...more: readonly unknown[]): boolean => {
    say({ kind: 'output', text: typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString() });
    const written = more.findLast((one) => typeof one === 'function');
    if (written) process.nextTick(written);
    return true;
  };
  for (const stream of [process.stdout, process.stderr]) Object.assign(stream, { write });
};

/** Lets the JSON calls of this thread go over a port. */
const callOver = (gateway: MessagePort): void => {
  const http = process.getBuiltinModule('node:http');
  const endpoint = new URL(process.env['AWS_ENDPOINT_URL'] ?? '');
  Object.assign(http, { request: requestOver(http, overPort(gateway), endpoint) });
};

const start = async ({ file, exportName, given, gateway }: Startup): Promise<void> => {
  sendOutput();
  if (gateway) callOver(gateway);
  const handler = handlerIn(await import(pathToFileURL(file).href), exportName);
  parentPort?.on('message', (message) => {
    const count = Atomics.load(given, 0);
    void handle(handler, v.parse(Job, message), { env: process.env, memory }).then((report) => {
      say(report);
      freeze(given, count);
    });
  });
  say({ kind: 'ready' });
  freeze(given, 0);
};

try {
  await start(v.parse(Startup, workerData));
} catch (error) {
  say({ kind: 'broken', failure: failureOf(error) });
}
