import { MessagePort } from 'node:worker_threads';
import * as v from 'valibot';

const isShared = (value: unknown): boolean =>
  value instanceof Int32Array && value.buffer instanceof SharedArrayBuffer;

/** Start data of a sandbox's worker. */
export const Startup = v.object({
  file: v.string(),
  exportName: v.string(),
  /** Memory shared with the worker, which freezes between invocations. It counts the invocations of the worker. */
  given: v.custom<Int32Array<SharedArrayBuffer>>(isShared),
  /** The way to the gateway. Without it, all calls go over HTTP. */
  gateway: v.optional(v.instance(MessagePort)),
});
export type Startup = v.InferOutput<typeof Startup>;

/** One invocation, as the sandbox passes it to its worker. */
export const Job = v.object({
  requestId: v.string(),
  event: v.string(),
  /** Deadline of the invocation, in milliseconds since the epoch. */
  deadline: v.number(),
  functionName: v.string(),
  functionArn: v.string(),
  memoryMb: v.number(),
  logGroup: v.string(),
  traceId: v.string(),
});
export type Job = v.InferOutput<typeof Job>;

/** An error of the runtime, in the form of Lambda's Invoke. */
export const Failure = v.object({
  errorType: v.string(),
  errorMessage: v.string(),
  trace: v.optional(v.array(v.string())),
});
export type Failure = v.InferOutput<typeof Failure>;

/** A message of a worker. */
export const Report = v.variant('kind', [
  /** Output of the function to stdout or stderr. */
  v.object({ kind: v.literal('output'), text: v.string() }),
  v.object({ kind: v.literal('ready') }),
  v.object({ kind: v.literal('broken'), failure: Failure }),
  /** `memory` is the resident memory after the invocation, in bytes. */
  v.object({ kind: v.literal('result'), payload: v.string(), memory: v.number() }),
  v.object({ kind: v.literal('failed'), failure: Failure, memory: v.number() }),
]);
export type Report = v.InferOutput<typeof Report>;
