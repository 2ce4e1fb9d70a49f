/**
 * Gateway messages: the calls of a function and their answers, as they pass between the function and the gateway. A call
 * has the signed headers and the body that it would have over HTTP.
 */

/** A call of a function. */
export interface FunctionCall {
  readonly method: string;
  /** The path and query, still encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** What the gateway answers to a call. */
export interface CallReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/**
 * Answers a call of a function in the thread of the gateway. `isGone` tells whether the function no longer waits. Never
 * throws: the answer is undefined where the gateway would close the connection over HTTP.
 */
export type AnswerCall = (call: FunctionCall, isGone: () => boolean) => Promise<CallReply | undefined>;

/** A call of a worker thread. The thread gives each of its calls another id. */
export interface SentCall extends FunctionCall {
  readonly kind: 'call';
  readonly id: number;
}

/** The caller no longer waits for an answer. Over HTTP, it closes the connection. */
export interface AbandonedCall {
  readonly kind: 'abandoned';
  readonly id: number;
}

/** An answer of the gateway. */
export interface CallAnswer extends CallReply {
  readonly kind: 'answer';
  readonly id: number;
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
