/** Sandbox pool: runs the invocations of one function in at most `most` sandboxes. */
import { exited, type Outcome } from './outcome.ts';
import { Sandbox, type SandboxOptions } from './sandbox.ts';
import type { Job } from './protocol.ts';

/** The sandboxes of one function. The pool starts up to `most` sandboxes on demand; further callers wait. */
export class FunctionPool {
  private readonly options: SandboxOptions;
  private readonly most: number;
  private readonly idle: { readonly sandbox: Sandbox; readonly since: number }[] = [];
  /** Busy sandboxes, with the request id of each. */
  private readonly busy = new Map<Sandbox, string>();
  /** Busy sandboxes that take no further invocation. */
  private readonly retired = new WeakSet<Sandbox>();
  private readonly queue: (() => void)[] = [];
  private warming: Promise<void> | undefined;
  private closed = false;

  constructor(options: SandboxOptions, most: number) {
    this.options = options;
    this.most = most;
  }

  /** Running and waiting invocations. */
  get running(): number {
    return this.busy.size + this.queue.length;
  }

  /** Number of idle sandboxes, and the end of the oldest one's last invocation. */
  get waiting(): { readonly count: number; readonly since: number } {
    return { count: this.idle.length, since: this.idle[0]?.since ?? Infinity };
  }

  /** Starts a sandbox for the next caller, unless an idle one exists. */
  async warm(): Promise<void> {
    if (this.closed || this.warming || this.idle.length + this.busy.size > 0) return;
    const sandbox = new Sandbox(this.options);
    this.busy.set(sandbox, '');
    this.warming = sandbox.load('warming').then(() => this.giveBack(sandbox));
    await this.warming;
    this.warming = undefined;
  }

  /** Runs one invocation as soon as a sandbox is free. */
  async invoke(job: Omit<Job, 'deadline'>, onStart: (kill: () => void) => void): Promise<Outcome> {
    const sandbox = await this.take();
    if (!sandbox) return exited(job.requestId, 'signal: terminated');
    this.busy.set(sandbox, job.requestId);
    const kill = (): void => {
      if (this.busy.get(sandbox) === job.requestId) void sandbox.end();
    };
    try {
      return await sandbox.invoke(job, () => onStart(kill));
    } finally {
      this.giveBack(sandbox);
    }
  }

  /** Ends at most `limit` sandboxes that have been idle since before `before` (ms since the epoch). */
  reap(before: number, limit = Infinity): number {
    let ended = 0;
    while (ended < limit && (this.idle[0]?.since ?? Infinity) < before) {
      void this.idle.shift()?.sandbox.end();
      ended += 1;
    }
    return ended;
  }

  /**
   * Ends the idle sandboxes now and each busy sandbox after its invocation, so that the next invocation is a cold start.
   * Lambda does the same when the configuration of a function changes.
   */
  recycle(): void {
    this.reap(Infinity);
    for (const sandbox of this.busy.keys()) this.retired.add(sandbox);
  }

  /** Ends all sandboxes. Running invocations fail. */
  async end(): Promise<void> {
    this.closed = true;
    for (const wake of this.queue.splice(0)) wake();
    const all = [...this.busy.keys(), ...this.idle.map(({ sandbox }) => sandbox)];
    this.idle.length = 0;
    await Promise.all(all.map((sandbox) => sandbox.end()));
  }

  private async take(): Promise<Sandbox | undefined> {
    await this.warming;
    while (this.busy.size >= this.most && !this.closed)
      await new Promise<void>((resolve) => this.queue.push(resolve));

    if (this.closed) return undefined;
    const sandbox = this.idle.pop()?.sandbox ?? new Sandbox(this.options);
    this.busy.set(sandbox, '');
    return sandbox;
  }

  private giveBack(sandbox: Sandbox): void {
    this.busy.delete(sandbox);
    if (this.retired.has(sandbox)) void sandbox.end();
    else if (sandbox.usable) this.idle.push({ sandbox, since: Date.now() });
    this.queue.shift()?.();
  }
}
