/** Worker of a shared thread: runs many functions, each with an environment, an output and a way to the gateway of its own. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { constants, Script } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import * as v from 'valibot';
import { callOverPorts, Way } from './gateway-calls.ts';
import { failureOf, handle, handlerIn, isFunction, sendOutput, type Handler } from './handler.ts';
import { ToSharedThread, type SharedReport } from './protocol.ts';

/** A loaded function. */
interface Loaded {
  readonly id: number;
  readonly env: Record<string, string>;
  readonly way: Way | undefined;
  handler: Handler | undefined;
}

const functions = new Map<number, Loaded>();
/** The function whose code runs. */
const current = new AsyncLocalStorage<Loaded>();

const say = (id: number, report: SharedReport['report']): void =>
  parentPort?.postMessage({ id, report } satisfies SharedReport);

const load = ({ id, file, exportName, env, gateway }: Extract<ToSharedThread, { kind: 'load' }>): void => {
  const way = gateway && new Way(gateway, new URL(env['AWS_ENDPOINT_URL'] ?? ''));
  const loaded: Loaded = { id, env: { ...env }, way, handler: undefined };
  functions.set(id, loaded);
  current.run(loaded, () => {
    try {
      loaded.handler = handlerIn(evaluate(file), exportName);
      say(id, { kind: 'ready' });
    } catch (error) {
      say(id, { kind: 'broken', failure: failureOf(error) });
    }
  });
};

/** The bundles as scripts, by file. V8 keeps the compiled code of a script. */
const scripts = new Map<string, Script>();

const keep = (file: string, code: string): void => {
  const script = new Script(`(function (module, exports, require, __meta) {${code}\n})`, {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  scripts.set(file, script);
};

/** Evaluates a bundle anew, and returns its exports. */
const evaluate = (file: string): unknown => {
  const body: unknown = scripts.get(file)?.runInThisContext();
  const module = { exports: {} };
  const meta = { url: pathToFileURL(file).href, filename: file, dirname: dirname(file) };
  if (isFunction(body)) body(module, module.exports, createRequire(file), meta);
  return module.exports;
};

const noMemory = (): number => 0;

const invoke = ({ id, job }: Extract<ToSharedThread, { kind: 'invoke' }>): void => {
  const loaded = functions.get(id);
  if (!loaded?.handler) return;
  const { handler } = loaded;
  void current.run(loaded, () => handle(handler, job, noMemory)).then((report) => say(id, report));
};

const end = (id: number): void => {
  functions.get(id)?.way?.close();
  functions.delete(id);
};

/** An error that nobody caught ends the function that it belongs to, as it ends a sandbox. */
const crash = (error: unknown): void => {
  const loaded = current.getStore();
  if (!loaded) throw error;
  say(loaded.id, { kind: 'crashed', message: failureOf(error).errorMessage });
  end(loaded.id);
};

const own = process.env;
Object.defineProperty(process, 'env', { get: () => current.getStore()?.env ?? own });
process.on('uncaughtException', crash);
callOverPorts(() => current.getStore()?.way);
sendOutput((text) => {
  const loaded = current.getStore();
  if (loaded) say(loaded.id, { kind: 'output', text });
});
parentPort?.on('message', (given) => {
  const message = v.parse(ToSharedThread, given);
  if (message.kind === 'code') keep(message.file, message.code);
  else if (message.kind === 'load') load(message);
  else if (message.kind === 'invoke') invoke(message);
  else end(message.id);
});
