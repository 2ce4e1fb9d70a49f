/** API types: the request, the answer and the caller, as use cases see them. */
import type { Result } from '../runtime/result.ts';
import type { Permission, Role } from './permissions.ts';
import type { Problem } from './problem.ts';

/** The caller: the API user behind a token. */
export interface ApiUser {
  readonly id: number;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
}

/** The property of a request. It has been checked to belong to the caller's account. */
export interface PropertyRef {
  readonly id: number;
  readonly account: number;
}

/** A request as a use case sees it: authenticated, its property checked, query and body parsed by their schemas. */
export interface ApiRequest<Query, Body> {
  readonly requestId: string;
  /** Epoch milliseconds when the request was accepted. */
  readonly now: number;
  readonly user: ApiUser;
  /** What the token may do. The route's own permission is checked; an answer may leave out what needs another one. */
  readonly permissions: readonly Permission[];
  readonly property: PropertyRef;
  /** Path parameters besides `property_id`, as text. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /**
   * The request key: a UUID that is new for each request, but the same when a client repeats a request under an
   * `Idempotency-Key` after a failure. Derive the keys of side effects from it, and allocate ids by `allocateIdOnce`.
   */
  readonly requestKey: string;
  /** Whether the request is a `HEAD`: the answer has no body, so the use case need not write any. */
  readonly head?: boolean;
  /** Whether the request came with an `Idempotency-Key`, and may be repeated under the same `requestKey`. */
  readonly keyed?: boolean;
  /** Only a request that shows one person has it. */
  readonly announce?: Announce | undefined;
}

/**
 * Says what a request is about to show, before it is read: the entry of the audit log is then stored beside the read. It is a
 * guess, which the answer may correct; only the first counts. What it names is asked about by the request.
 */
export type Announce = (shown: Audited) => void;

/** The user and account of a token, what the token may do, and its expiry. */
export interface Caller {
  readonly user: ApiUser;
  /** Hash of the user's name. */
  readonly userHash: string;
  /** The role of the user now. */
  readonly role: Role;
  readonly account: number;
  /** What the token may do: what it was given, as far as the role of its user allows it now. */
  readonly permissions: readonly Permission[];
  /** The properties that the token reaches; null for all of the account. */
  readonly properties: readonly number[] | null;
  /** The mark and the name of the token; without a name it is the token of a sign-in, with one it is a key. */
  readonly token: { readonly id: string; readonly name: string | null };
  /** Requests per second that an operator has set for the account; without, those of the stage. */
  readonly requestsPerSecond?: number | undefined;
  /** Epoch milliseconds. */
  readonly expires: number;
}

/** A request about the caller, as a use case sees it. */
export interface CallerRequest {
  readonly caller: Caller;
  /** Path parameters as text. */
  readonly path: Readonly<Record<string, string>>;
  /** Epoch milliseconds when the request was accepted. */
  readonly now: number;
}

/** The use case of a route about the caller. */
export type CallerUseCase<Deps> = (deps: Deps, request: CallerRequest) => Promise<Result<ApiAnswer, Problem>>;

/** A request to a route without authentication. */
export interface PublicRequest {
  readonly requestId: string;
  readonly now: number;
  /** Address of the client, as the gateway saw it. */
  readonly sourceIp: string;
  readonly method: string;
  /** The path as sent. */
  readonly rawPath: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Path parameters, percent-decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** The query as sent, without the question mark. */
  readonly rawQuery: string;
  /** The body as sent; empty on a route that takes none. */
  readonly body: Uint8Array;
}

/** The use case of a route without authentication. */
export type PublicUseCase<Deps> = (deps: Deps, request: PublicRequest) => Promise<Result<ApiAnswer, Problem>>;

/** A successful answer; `body` is written as JSON unless it is text or bytes with their own content type. */
export interface ApiAnswer {
  readonly status: number;
  /**
   * Begins work that decides nothing about the answer. It runs beside the audit entry, and the answer waits for its end,
   * because Lambda freezes a function that has answered.
   */
  readonly trailing?: () => Promise<unknown>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly audited?: Audited;
}

/**
 * The people, the job or the segments whose data a request shows, or the mark of the address that it is about: for the
 * audit log, not sent to the client.
 */
export interface Audited {
  readonly profile_uuid?: string;
  readonly profile_uuids?: readonly string[];
  readonly segment_ids?: readonly number[];
  readonly job_id?: number;
  readonly segment_id?: number;
  readonly address?: string;
  /** The part of the data of a person that is shown, if it is not all. */
  readonly shown?: 'disclosures';
}

/** The query of a route without query parameters. */
export type NoQuery = Readonly<Record<string, never>>;

/** The use case of a route: the answer, or the problem that the client gets. */
export type UseCase<Deps, Query = NoQuery, Body = undefined> = (
  deps: Deps,
  request: ApiRequest<Query, Body>,
) => Promise<Result<ApiAnswer, Problem>>;
