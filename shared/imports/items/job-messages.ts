import * as v from 'valibot';
import { tenantGroup, type QueueMessage } from '../../runtime/ports.ts';

/** Body of a message in the queue of batches: the batch to import. */
export const batchMessage = v.object({
  v: v.literal(1),
  property: v.number(),
  job: v.number(),
  batch: v.string(),
});
export type BatchMessage = v.InferOutput<typeof batchMessage>;

/** The message that asks a worker to import a batch. A second message for the same batch does no harm. */
export const batchMessageOf = (property: number, job: number, batch: string): QueueMessage => ({
  group: tenantGroup(property),
  body: JSON.stringify({ v: 1, property, job, batch } satisfies BatchMessage),
});

/** Input of the functions of a workflow: ids only. */
export const jobReference = v.object({ property: v.number(), import: v.number(), job: v.number() });
export type JobReference = v.InferOutput<typeof jobReference>;
