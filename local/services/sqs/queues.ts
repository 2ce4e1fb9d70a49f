/** Queues: all queues of the service and the journal of their messages. */
import { join } from 'node:path';
import * as v from 'valibot';
import type { Faults } from '../../core/faults.ts';
import { noJournal, openJournal, type Journal } from '../../core/journal.ts';
import { ServiceError } from '../../core/service-error.ts';
import { MessageShape, type Message } from './messages.ts';
import { Queue, type QueueDefinition } from './queue.ts';

const Entry = v.variant('op', [
  v.object({ op: v.literal('put'), queue: v.string(), message: MessageShape }),
  v.object({
    op: v.literal('received'),
    queue: v.string(),
    id: v.string(),
    received: v.number(),
    at: v.number(),
  }),
  v.object({ op: v.literal('gone'), queue: v.string(), id: v.string() }),
]);
type Entry = v.InferOutput<typeof Entry>;

export interface QueuesOptions {
  readonly dataDir?: string | undefined;
  readonly faults?: Faults | undefined;
  readonly now: () => number;
}

/** Opens the journal in `dataDir`, if there is one. A queue gets its messages when it is created. */
export const openQueues = ({ dataDir, faults, now }: QueuesOptions) => {
  const queues = new Map<string, Queue>();
  const kept = new Map<string, Map<string, Message>>();
  const journal: Journal =
    dataDir === undefined
      ? noJournal
      : openJournal(join(dataDir, 'queues.jsonl'), {
          replay: (entry) => replay(kept, v.parse(Entry, entry)),
          snapshot: () => snapshot(queues, kept),
        });
  const find = (name: string): Queue => {
    const queue = queues.get(name);
    if (!queue) throw new ServiceError('QueueDoesNotExist', 'The specified queue does not exist.');
    return queue;
  };
  const redrive = (definition: QueueDefinition, message: Message): boolean => {
    const target = queues.get(definition.redrive?.arn.split(':').at(-1) ?? '');
    target?.put({ ...message, received: 0, visibleAt: now(), origin: definition.name });
    return target !== undefined;
  };
  return {
    /** Throws QueueDoesNotExist. */
    find,
    create: (definition: QueueDefinition) => {
      if (queues.has(definition.name)) return;
      const queue = new Queue(definition, {
        now,
        ...(faults ? { faults } : {}),
        log: logOf(journal, definition.name),
        redrive: (message) => redrive(definition, message),
      });
      queues.set(definition.name, queue);
      const messages = [...(kept.get(definition.name)?.values() ?? [])];
      kept.delete(definition.name);
      // The consumers of these messages ended with the process.
      for (const message of messages)
        queue.put(message.received > 0 ? { ...message, visibleAt: 0 } : message);
    },
    /**
     * Moves the visible messages of a dead-letter queue to their source queues, or to one queue. Returns their number.
     */
    moveBack: (from: string, to: string | undefined): number => {
      const source = find(from);
      // SQS finds the way back only of messages that it moved here itself. Others need a destination.
      const movable = source
        .messages()
        .filter(({ visibleAt, origin }) => visibleAt <= now() && (to ?? origin) !== undefined);
      for (const { origin, ...message } of movable)
        find(to ?? origin ?? from).put({ ...message, received: 0, visibleAt: now() });

      for (const message of movable) source.remove(message);
      return movable.length;
    },
    close: () => {
      for (const queue of queues.values()) queue.close();
      journal.close();
    },
  };
};

/** All queues, and the journal of their messages. */
export type Queues = ReturnType<typeof openQueues>;

const logOf = (journal: Journal, queue: string) => ({
  put: (message: Message) => journal.append({ op: 'put', queue, message } satisfies Entry),
  received: ({ id, received, firstReceivedAt = 0 }: Message) =>
    journal.append({ op: 'received', queue, id, received, at: firstReceivedAt } satisfies Entry),
  gone: (id: string) => journal.append({ op: 'gone', queue, id } satisfies Entry),
});

type Kept = Map<string, Map<string, Message>>;

const replay = (kept: Kept, entry: Entry): void => {
  const messages = kept.get(entry.queue) ?? new Map<string, Message>();
  kept.set(entry.queue, messages);
  switch (entry.op) {
    case 'put':
      messages.set(entry.message.id, entry.message);
      return;
    case 'received': {
      const message = messages.get(entry.id);
      if (message) Object.assign(message, { received: entry.received, firstReceivedAt: entry.at });
      return;
    }
    case 'gone':
      messages.delete(entry.id);
  }
};

const snapshot = (queues: ReadonlyMap<string, Queue>, kept: Kept): Entry[] => [
  ...[...queues].flatMap(([name, queue]) => entriesOf(name, queue.messages())),
  ...[...kept].flatMap(([name, messages]) => entriesOf(name, [...messages.values()])),
];

const entriesOf = (queue: string, messages: readonly Message[]): Entry[] =>
  messages.map((message) => ({ op: 'put', queue, message }));
