/**
 * Gateway's thread: runs functions side by side in the thread of the gateway, each with a module, an environment, an output
 * and a way to the gateway of its own. A request takes half the processor time, because it changes no threads
 * (docs/adr/0024). Nothing freezes, nothing bounds memory, and a function that loops stops everything (`loop-watch.ts`). A
 * function that ends loses its way to the gateway, and its calls over HTTP go on.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { withinThread, type Way } from './gateway-calls.ts';
import { failureOf, handle, handlerIn, type Handler } from './handler.ts';
import { ownModule } from './own-module.ts';
import type { Job, Report } from './protocol.ts';
import type { StartThread, Thread, ThreadEnd, ThreadListener, ThreadOptions } from './thread.ts';

/** Starts a function in this thread, which is that of the gateway. */
export const gatewayThread: StartThread = (options, listener) => {
  catchErrors();
  return new Running(options, listener);
};

/** The function whose code runs. Undefined while this thread works for the gateway, also for a call of a function. */
const current = new AsyncLocalStorage<Running | undefined>();

const outside = <T>(work: () => T): T => current.run(undefined, work);

let isCatching = false;

/** An error that nobody caught ends the function that it belongs to, as it ends a sandbox. */
const catchErrors = (): void => {
  if (isCatching) return;
  isCatching = true;
  process.on('uncaughtException', (error) => {
    const running = current.getStore();
    if (!running) throw error;
    running.crash({ error });
  });
};

/** What stops the code of a function that has left its process. */
class Exited extends Error {}

const noMemory = (): number => 0;

/** A function that runs here. */
class Running implements Thread {
  readonly #listener: ThreadListener;
  readonly #env: Record<string, string | undefined>;
  readonly #way: Way | undefined;
  #handler: Handler | undefined;
  #isEnded = false;

  constructor({ startup, env, gateway }: ThreadOptions, listener: ThreadListener) {
    this.#listener = listener;
    this.#env = { ...env };
    this.#way = gateway && withinThread((call, isGone) => outside(() => gateway.call(call, isGone)));
    setImmediate(() => current.run(this, () => this.#load(startup)));
  }

  invoke(job: Job): void {
    const handler = this.#handler;
    if (!handler) return;
    const surroundings = { env: this.#env, memory: noMemory };
    void current.run(this, () => handle(handler, job, surroundings)).then((report) => this.#say(report));
  }

  watch(): () => void {
    return () => undefined;
  }

  end(): Promise<void> {
    this.#isEnded = true;
    this.#way?.close();
    return Promise.resolve();
  }

  /** Ends the function because of itself. */
  crash(cause: ThreadEnd): void {
    if (this.#isEnded) return;
    void this.end();
    outside(() => this.#listener.ended(cause));
  }

  #load({ file, exportName }: ThreadOptions['startup']): void {
    try {
      const loaded = ownModule(file, {
        env: this.#env,
        way: this.#way,
        write: (text) => this.#say({ kind: 'output', text }),
        exit: (code) => this.#exit(code),
      });
      this.#handler = handlerIn(loaded, exportName);
      this.#say({ kind: 'ready' });
    } catch (error) {
      this.#say({ kind: 'broken', failure: failureOf(error) });
    }
  }

  #exit(code: number): never {
    this.crash({ code });
    throw new Exited();
  }

  #say(report: Report): void {
    if (!this.#isEnded) outside(() => this.#listener.heard(report));
  }
}
