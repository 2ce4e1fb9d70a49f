import type { Queue, QueueMessage } from '../../shared/runtime/ports.ts';

/** A queue in memory: keeps messages until a test takes them. `before` is awaited ahead of every send. */
export class MemoryQueue implements Queue {
  readonly #before: () => Promise<void> | void;
  #messages: QueueMessage[] = [];

  constructor(before: () => Promise<void> | void = () => undefined) {
    this.#before = before;
  }

  async send(messages: readonly QueueMessage[]): Promise<void> {
    await this.#before();
    this.#messages.push(...messages);
  }

  /** Takes everything sent so far, in order. */
  take(): readonly QueueMessage[] {
    const taken = this.#messages;
    this.#messages = [];
    return taken;
  }

  /** The same, with bodies as JSON. */
  takeBodies(): readonly unknown[] {
    return this.take().map(({ body }): unknown => JSON.parse(body));
  }
}
