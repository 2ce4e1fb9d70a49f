/** Service messages: the messages to and from the process of a measured service. */
import * as v from 'valibot';

/**
 * Options of the process. With `dataDir`, the state is kept in files of this folder. With `endsIdle`, idle sandboxes end as
 * in `npm start`, so that the memory is that of `npm start`. Otherwise no sandbox ends while it may be measured. With
 * `apart`, each function has threads of its own, so that its processor time can be told from that of the gateway.
 */
export const serviceOptions = v.object({
  dataDir: v.optional(v.string()),
  endsIdle: v.optional(v.boolean()),
  apart: v.optional(v.boolean()),
});
export type ServiceOptions = v.InferOutput<typeof serviceOptions>;

const meterSchema = v.object({
  caller: v.string(),
  action: v.string(),
  kind: v.string(),
  calls: v.number(),
  readUnits: v.number(),
  writeUnits: v.number(),
  bytes: v.number(),
});
export const usageSchema = v.object({
  seconds: v.number(),
  /** Seconds of processor time: threads of functions, the thread of the emulators, and the rest (storage, collector). */
  cpu: v.object({ functions: v.number(), emulators: v.number(), other: v.number() }),
  /** Peaks in bytes. */
  heaps: v.object({
    emulators: v.number(),
    functions: v.number(),
    largestFunction: v.number(),
    threads: v.number(),
  }),
  /** The calls of the functions, by caller, action and kind of item. */
  meter: v.array(meterSchema),
  /** Sizes of the objects in the undo log of the imports so far. */
  undoLog: v.array(v.number()),
});

/** What the service used while something was measured. */
export type Usage = v.InferOutput<typeof usageSchema>;
