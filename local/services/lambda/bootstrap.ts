/** Worker of a sandbox: the part of the Lambda runtime that runs beside the handler. */
import { pathToFileURL } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { callOverPorts, Way } from './gateway-calls.ts';
import { failureOf, handle, handlerIn, sendOutput } from './handler.ts';
import { residentBytes } from './memory.ts';
import { Job, Startup, type Report } from './protocol.ts';

const say = (report: Report): void => parentPort?.postMessage(report);

const memory = (): number => residentBytes(getHeapStatistics());

/**
 * Blocks this thread, with everything that runs in it, until the next invocation after the first `count`. Lambda freezes a
 * sandbox in the same way after its start and after an answer.
 */
const freeze = (given: Int32Array, count: number): void => void Atomics.wait(given, 0, count);

const start = async ({ file, exportName, given, gateway }: Startup): Promise<void> => {
  sendOutput((text) => say({ kind: 'output', text }));
  const way = gateway && new Way(gateway, new URL(process.env['AWS_ENDPOINT_URL'] ?? ''));
  if (way) callOverPorts(() => way);
  const handler = handlerIn(await import(pathToFileURL(file).href), exportName);
  parentPort?.on('message', (message) => {
    const count = Atomics.load(given, 0);
    void handle(handler, v.parse(Job, message), memory).then((report) => {
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
