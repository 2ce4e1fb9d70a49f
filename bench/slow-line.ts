import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';

/** How a line behaves. */
export interface Line {
  /** Where its other end is, on loopback. */
  readonly to: number;
  /** Milliseconds that each direction takes. */
  readonly delay: number;
}

/** A line that is open, on a free port of loopback. */
export interface SlowLine extends AsyncDisposable {
  readonly port: number;
}

const ready = v.looseTuple([v.object({ port: v.number() })]);

/** Opens a line that delays what goes through it, and limits its rate in no way. It works in a thread of its own. */
export const openSlowLine = async (line: Line): Promise<SlowLine> => {
  const worker = new Worker(join(import.meta.dirname, 'slow-line-worker.ts'), { workerData: line });
  const [{ port }] = v.parse(ready, await once(worker, 'message'));
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      await worker.terminate();
    },
  };
};
