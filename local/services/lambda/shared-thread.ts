/**
 * Shared thread: one worker thread that runs many functions side by side. A sandbox in it starts in a tenth of the processor
 * time, because the thread starts once and compiles each bundle once. Nothing freezes, and nothing bounds memory; a
 * function that ends loses its way to the gateway, and its calls over HTTP go on.
 */
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { transformSync } from 'esbuild';
import * as v from 'valibot';
import { bootstrapUrl } from './bootstrap-url.ts';
import { SharedReport, type ToSharedThread } from './protocol.ts';
import type { StartThread, ThreadEnd, ThreadListener } from './thread.ts';

/** Starts the shared thread with the first function. Functions of several clouds may share it. It ends with the process. */
export const sharedThread = (): StartThread => {
  /** The bundles that the thread has. */
  const known = new Set<string>();
  const listeners = new Map<number, ThreadListener>();
  let worker: Worker | undefined;
  let last = 0;
  const start = (): Worker => {
    const started = new Worker(bootstrapUrl('shared-bootstrap.ts'), { execArgv: [] });
    started.unref();
    started.on('message', (message) => {
      const { id, report } = v.parse(SharedReport, message);
      if (report.kind === 'crashed') listeners.get(id)?.ended({ error: report.message });
      else listeners.get(id)?.heard(report);
    });
    const lose = (cause: ThreadEnd): void => {
      if (worker !== started) return;
      worker = undefined;
      known.clear();
      for (const { ended } of listeners.values()) ended(cause);
      listeners.clear();
    };
    started.on('error', (error) => lose({ error }));
    started.on('exit', (code) => lose({ code }));
    return started;
  };
  return ({ startup: { file, exportName }, env, openPort }, listener) => {
    const thread = (worker ??= start());
    const id = (last += 1);
    listeners.set(id, listener);
    const gateway = openPort?.();
    const say = (message: ToSharedThread): void =>
      thread.postMessage(message, message.kind === 'load' && message.gateway ? [message.gateway] : []);
    if (!known.has(file)) say({ kind: 'code', file, code: scriptOf(file) });
    known.add(file);
    say({ kind: 'load', id, file, exportName, env, gateway });
    return {
      invoke: (job) => say({ kind: 'invoke', id, job }),
      watch: () => () => undefined,
      end: () => {
        listeners.delete(id);
        say({ kind: 'end', id });
        return Promise.resolve();
      },
    };
  };
};

/**
 * A bundle as the body of a function, which a script can evaluate for each sandbox. A module would be compiled anew each
 * time.
 */
const scriptOf = (file: string): string =>
  transformSync(readFileSync(file, 'utf8'), {
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    charset: 'utf8',
    define: {
      'import.meta.url': '__meta.url',
      'import.meta.filename': '__meta.filename',
      'import.meta.dirname': '__meta.dirname',
    },
  }).code;
