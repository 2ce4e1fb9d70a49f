import type { Failure } from './protocol.ts';

/** The result of an invocation: the response as JSON, or the error as Lambda reports it. */
export type Outcome =
  { readonly ok: true; readonly payload: string } | { readonly ok: false; readonly failure: Failure };

/** Largest synchronous request and response (Lambda quota: 6 MB). */
export const SYNC_PAYLOAD_BYTES = 6 * 1024 * 1024;

/** Largest asynchronous request (Lambda quota: 1 MB). */
export const ASYNC_PAYLOAD_BYTES = 1024 * 1024;

const failed = (errorType: string, errorMessage: string): Outcome => ({
  ok: false,
  failure: { errorType, errorMessage },
});

/** The function ran longer than its timeout. */
export const timedOut = (requestId: string, seconds: number): Outcome =>
  failed(
    'Sandbox.Timedout',
    `RequestId: ${requestId} Error: Task timed out after ${seconds.toFixed(2)} seconds`,
  );

/** The worker ended in the middle of an invocation. */
export const exited = (requestId: string, reason: string): Outcome =>
  failed('Runtime.ExitError', `RequestId: ${requestId} Error: Runtime exited with error: ${reason}`);

/** The worker ran out of memory. */
export const outOfMemory = (requestId: string): Outcome =>
  failed('Runtime.OutOfMemory', `RequestId: ${requestId} Error: Runtime exited with error: signal: killed`);

/** An event was throttled until Lambda discarded it. */
export const throttledTooLong = (): Outcome =>
  failed('EventAgeExceeded', 'The event was throttled for longer than its maximum age.');

/** Returns the outcome, or an error when the response exceeds Lambda's quota. */
export const withinLimit = (outcome: Outcome): Outcome => {
  if (!outcome.ok || Buffer.byteLength(outcome.payload) <= SYNC_PAYLOAD_BYTES) return outcome;
  return failed(
    'Function.ResponseSizeTooLarge',
    `Response payload size exceeded maximum allowed payload size (${SYNC_PAYLOAD_BYTES} bytes).`,
  );
};
