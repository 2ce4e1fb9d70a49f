/** The errors that the client throws. */
import type { Problem } from './types.ts';

/**
 * The `code` of a problem. A newer service may send a code that this version of the client does not list.
 * @public
 */
export type ProblemCode = Problem['code'] | (string & {});

/**
 * One fault in a request: a JSON pointer (RFC 6901) or the name of a parameter, its code and a sentence.
 * @public
 */
export interface Fault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** The request that failed, for messages. */
export interface FailedRequest {
  readonly method: string;
  readonly path: string;
}

/** The parts of an unsuccessful answer. */
interface Refusal {
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors: readonly Fault[];
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
}

/**
 * The service refused a request, or could not answer it.
 * @example
 * ```ts
 * try {
 *   await tidemark.getExport({ path: { export_id: 1 } });
 * } catch (error) {
 *   if (error instanceof TidemarkProblem && error.status === 404) console.log(error.detail);
 *   else throw error;
 * }
 * ```
 * @public
 */
export class TidemarkProblem extends Error {
  override readonly name = 'TidemarkProblem';
  /** The HTTP status. */
  readonly status: number;
  /** The stable name of the problem, for example `unknown_reference`. `unrecognized` if the answer had none. */
  readonly code: ProblemCode;
  /** A sentence for people. */
  readonly detail: string;
  /** Each fault of the request; empty if the problem names none. */
  readonly errors: readonly Fault[];
  /** The id of the request, which the service also logs. */
  readonly requestId: string | undefined;
  /** Seconds to wait before another attempt, if the service said so. */
  readonly retryAfter: number | undefined;

  constructor({ method, path }: FailedRequest, refusal: Refusal) {
    const { status, code, detail, errors } = refusal;
    const faults = errors.map((fault) => `${fault.pointer}: ${fault.detail}`).join(' ');
    super(`${method} ${path} answered ${status} ${code}: ${detail}${faults === '' ? '' : ` ${faults}`}`);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    this.requestId = refusal.requestId;
    this.retryAfter = refusal.retryAfter;
  }
}

/**
 * No answer came: the service could not be reached, or the connection broke. `cause` has the failure.
 * @example
 * ```ts
 * const caller = await tidemark.getCaller().catch((error: unknown) => {
 *   if (error instanceof TidemarkConnectionError) console.log('Is the service running?', error.cause);
 *   throw error;
 * });
 * ```
 * @public
 */
export class TidemarkConnectionError extends Error {
  override readonly name = 'TidemarkConnectionError';

  constructor({ method, path }: FailedRequest, cause: unknown) {
    super(`${method} ${path} got no answer: ${reasonOf(cause)}`, { cause });
  }
}

/** `fetch` hides the reason of a failure in the cause of its error. */
const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.cause instanceof AggregateError)
    return cause.cause.errors.map((error) => reasonOf(error)).join(', ');
  return cause.cause instanceof Error ? reasonOf(cause.cause) : cause.message;
};

/** The problem in an unsuccessful answer. A gateway may answer without a problem document. */
export const problemOf = (
  request: FailedRequest,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: string,
  now: number,
): TidemarkProblem => {
  const members = objectIn(body);
  const text = (name: string): string | undefined => {
    const value = members.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  return new TidemarkProblem(request, {
    status,
    // The token route answers errors of RFC 6749: `error` and `error_description`.
    code: text('code') ?? text('error') ?? 'unrecognized',
    detail:
      text('detail') ?? text('error_description') ?? text('message') ?? 'The answer has no problem document.',
    errors: faultsIn(members.get('errors')),
    requestId: text('request_id') ?? headers.get('x-request-id') ?? undefined,
    retryAfter: secondsIn(headers.get('retry-after'), now),
  });
};

const objectIn = (body: string): ReadonlyMap<string, unknown> => {
  try {
    return membersOf(JSON.parse(body));
  } catch {
    return new Map();
  }
};

const membersOf = (value: unknown): ReadonlyMap<string, unknown> =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : new Map();

const faultsIn = (value: unknown): readonly Fault[] =>
  Array.isArray(value)
    ? value.map((item: unknown) => {
        const members = membersOf(item);
        const text = (name: string): string => {
          const member = members.get(name);
          return typeof member === 'string' ? member : '';
        };
        return { pointer: text('pointer'), code: text('code'), detail: text('detail') };
      })
    : [];

/** The seconds in `Retry-After`, which is a number of seconds or a date. */
const secondsIn = (header: string | null, now: number): number | undefined => {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const time = Date.parse(header);
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - now) / 1000));
};

/**
 * A successful answer that is not what the API document says, for example a page of a proxy.
 * @example
 * ```ts
 * const caller = await tidemark.getCaller().catch((error: unknown) => {
 *   if (error instanceof UnexpectedAnswerError) console.log('Another server answers at this address.');
 *   throw error;
 * });
 * ```
 * @public
 */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';

  constructor(operation: string) {
    super(`${operation} got an answer that the API document does not describe. Is the address right?`);
  }
}
