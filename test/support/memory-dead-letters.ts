import type { DeadLetterPorts } from '../../shared/operator/dead-letters.ts';
import type { DeadLetter } from '../../shared/runtime/ports.ts';

/** Dead letters in memory: of the queue `importBatches`, whose consumer logs, and of `schedules`, which has none. */
export const memoryDeadLetters = () => {
  const stored = new Map<string, DeadLetter[]>();
  const lines: string[] = [];
  const searches: (readonly [log: string, since: number])[] = [];
  /** The lines that searches have read. */
  const read: string[] = [];
  /** Moves and deletions that SQS still works on refuse others. */
  const busy = { moving: false, purging: false };
  const at = (queue: string): DeadLetter[] => {
    const letters = stored.get(queue) ?? [];
    stored.set(queue, letters);
    return letters;
  };
  const ports: DeadLetterPorts = {
    routes: [
      {
        name: 'importBatches',
        deadLetters: 'importBatches-dead-letters',
        from: { queue: 'importBatches', consumer: 'importBatch', logGroup: '/aws/lambda/importBatch' },
      },
      {
        name: 'drains',
        deadLetters: 'drains-dead-letters.fifo',
        from: { queue: 'drains.fifo', consumer: 'drain', logGroup: '/aws/lambda/drain' },
      },
      { name: 'schedules', deadLetters: 'schedules-dead-letters' },
    ],
    queues: {
      count: (queue) => Promise.resolve(at(queue).length),
      look: (queue, most) => Promise.resolve(at(queue).slice(0, most)),
      moveBack: (from, to) => {
        if (!busy.moving) at(to).push(...at(from).splice(0));
        return Promise.resolve(!busy.moving);
      },
      purge: (queue) => {
        if (!busy.purging) at(queue).splice(0);
        return Promise.resolve(!busy.purging);
      },
    },
    findLines: async function* (log, words, since) {
      searches.push([log, since]);
      for (const line of await Promise.resolve(lines)) {
        read.push(line);
        if (words.some((word) => line.includes(word))) yield line;
      }
    },
  };
  return { ports, at, lines, searches, read, busy };
};
