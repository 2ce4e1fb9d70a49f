/**
 * Gateway messages: the calls of a function and their answers, as they pass between a worker thread and the gateway. A call
 * has the signed headers and the body that it would have over HTTP.
 */

/** A call of a worker thread. The thread gives each of its calls another id. */
export interface SentCall {
  readonly kind: 'call';
  readonly id: number;
  readonly method: string;
  /** The path and query, still encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** The caller no longer waits for an answer. Over HTTP, it closes the connection. */
export interface AbandonedCall {
  readonly kind: 'abandoned';
  readonly id: number;
}

/** An answer of the gateway. */
export interface CallAnswer {
  readonly kind: 'answer';
  readonly id: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** The gateway gives no answer. Over HTTP, it closes the connection. */
export interface LostCall {
  readonly kind: 'lost';
  readonly id: number;
}

/** A message to the gateway. */
export type ToGateway = SentCall | AbandonedCall;

/** A message from the gateway. */
export type FromGateway = CallAnswer | LostCall;
