/** Worker of the loop watch. */
import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import * as v from 'valibot';

const { silence, mostSeconds } = v.parse(
  v.object({ silence: v.instance(Int32Array), mostSeconds: v.number() }),
  workerData,
);

/** In a worker, `process.stderr` goes through the main thread. */
const STDERR = 2;

/** Says where the main thread is, and ends the process. The main thread could not, and neither could `process.exit` here. */
const end = (): void => {
  const files = new Map<string, string>();
  const session = new Session();
  session.connectToMainThread();
  session.on('Debugger.scriptParsed', ({ params }) => files.set(params.scriptId, params.url));
  session.on('Debugger.paused', ({ params: { callFrames } }) => {
    const places = callFrames.map(
      ({ functionName, location: { scriptId, lineNumber, columnNumber = 0 } }) => {
        const place = `${files.get(scriptId) ?? ''}:${lineNumber + 1}:${columnNumber + 1}`;
        return `    at ${functionName} (${place})\n`;
      },
    );
    const what = `The embedded cloud ends: a function in its thread has looped for ${mostSeconds} s.\n`;
    writeSync(STDERR, `${what}${places.join('')}`);
    process.kill(process.pid, 'SIGKILL');
  });
  session.post('Debugger.enable', () => session.post('Debugger.pause'));
};

// The timer goes on: without it, this worker would end before its session has an answer.
setInterval(() => {
  if (Atomics.add(silence, 0, 1) === mostSeconds) end();
}, 1_000);
