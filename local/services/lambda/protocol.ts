import * as v from 'valibot';

/** What the worker of a sandbox is started with. */
export const Startup = v.object({
  file: v.string(),
  exportName: v.string(),
  /** Shared with a worker that is to freeze between invocations: counts the invocations that it was given. */
  given: v.exactOptional(v.instance(Int32Array)),
});
export type Startup = v.InferOutput<typeof Startup>;

/** One invocation, as the sandbox hands it to its worker. */
export const Job = v.object({
  requestId: v.string(),
  event: v.string(),
  /** Milliseconds since the epoch at which the invocation is ended. */
  deadline: v.number(),
  functionName: v.string(),
  functionArn: v.string(),
  memoryMb: v.number(),
  logGroup: v.string(),
  traceId: v.string(),
});
export type Job = v.InferOutput<typeof Job>;

/** An error as the runtime reports it, in the shape that Lambda's Invoke answers. */
export const Failure = v.object({
  errorType: v.string(),
  errorMessage: v.string(),
  trace: v.optional(v.array(v.string())),
});
export type Failure = v.InferOutput<typeof Failure>;

/** What a worker says. */
export const Report = v.variant('kind', [
  v.object({ kind: v.literal('ready') }),
  v.object({ kind: v.literal('broken'), failure: Failure }),
  v.object({ kind: v.literal('result'), payload: v.string() }),
  v.object({ kind: v.literal('failed'), failure: Failure }),
]);
export type Report = v.InferOutput<typeof Report>;
