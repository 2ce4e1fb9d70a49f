/** Physical names of the queues, for constructs that reach queues of later stacks. */
import type { QueueTrigger } from '../../functions/entry.ts';
import type { Stage } from '../config/stages.ts';
import { physicalName } from './service.ts';

/** Queues that deliver one message of a group at a time, in order. */
const ordered: readonly string[] = ['drains'];

/** Whether a work queue delivers one message of a group at a time, in order. */
export const isOrdered = (name: string): boolean => ordered.includes(name);

/** Physical name of a work queue, or of its dead-letter queue. */
export const workQueueName = (
  stage: Stage,
  name: QueueTrigger['queue'],
  part: '' | '-dead-letters' = '',
): string => physicalName(stage, `${name}${part}${isOrdered(name) ? '.fifo' : ''}`);

/** Name of the dead letters of the schedules of functions. */
export const SCHEDULE_DEAD_LETTERS = 'schedules-dead-letters';
