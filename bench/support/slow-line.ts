import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';

/** Properties of a line. */
export interface Line {
  /** Port of the other end, on loopback. */
  readonly to: number;
  /** Delay of each direction in milliseconds. */
  readonly delay: number;
}

const ready = v.looseTuple([v.object({ port: v.number() })]);

/** Opens a line, on a free port of loopback, that delays its bytes without limiting their rate. A worker thread forwards them. */
export const openSlowLine = async (line: Line) => {
  const worker = new Worker(join(import.meta.dirname, 'slow-line-worker.ts'), { workerData: line });
  const [{ port }] = v.parse(ready, await once(worker, 'message'));
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      await worker.terminate();
    },
  };
};
