/** Idempotency: runs a request once for its `Idempotency-Key` and keeps the answer, for `apiHandler`. */
import { hkdfSync } from 'node:crypto';
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { sha256 } from '../runtime/hash.ts';
import { HOUR_MS, ttlAt, type Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { seal, unseal } from '../runtime/seal.ts';
import { keys, type Key } from '../table/keys.ts';
import type { Attributes, Table } from '../table/table.ts';
import type { ApiAnswer } from '../http/api-types.ts';
import { problems, type Problem } from '../http/problem.ts';

/** A request with an `Idempotency-Key`. A second request under the key is a repetition when its content is equal. */
export interface KeyedRequest {
  /** The account of the caller: its keys are one list, whatever the property and the route. */
  readonly account: number;
  readonly property: number;
  /** Method and path template: aliases of a route are one route. */
  readonly route: string;
  /** The client's `Idempotency-Key`. */
  readonly key: string;
  /** Path parameters, query and body, as one text. */
  readonly content: string;
  /** How long the answer is kept. */
  readonly hours: number;
  /**
   * Whether a repetition gets the first answer. A request that shows people changes nothing and runs again instead: a kept
   * answer would show somebody who was forgotten since.
   */
  readonly keepsAnswer: boolean;
}

export interface IdempotencyDeps {
  readonly table: Table;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Called when the effect has happened but its answer could not be kept. */
  readonly notRemembered: (error: unknown) => void;
}

type Outcome = Result<ApiAnswer, Problem>;

const sealedAnswer = v.object({
  status: v.number(),
  body: v.optional(v.unknown()),
  headers: v.optional(v.record(v.string(), v.string())),
});

/**
 * The record of a key. `claimed`: a request works under the key until `until`; `free`: the request had no effect, or
 * failed and may be repeated; `done`: `answer` is kept until `until`. `request_key` is the same in all attempts. The
 * record expires at `ttl` (epoch seconds), whether DynamoDB has removed it by then or not: failed attempts do not
 * prolong it.
 */
const record = v.object({
  state: v.picklist(['claimed', 'free', 'done']),
  print: v.string(),
  claim: v.string(),
  request_key: v.string(),
  until: v.number(),
  ttl: v.number(),
  answer: v.optional(v.instance(Uint8Array)),
});
type KeyRecord = v.InferOutput<typeof record>;

/** Visible ASCII, 1 to 255 characters. */
export const isIdempotencyKey = (key: string): boolean =>
  key.length <= limits.http.idempotencyKeyLength && /^[\x21-\x7e]+$/.test(key);

/**
 * Runs a request once for its key. A repetition gets the first answer again, and 409 while the first request is
 * running. A different request of the account under the key gets 422: on another route or property, too. The service
 * keeps only the answers of successes: a refused request had no effect and frees the key. A repetition takes over the
 * claim of a crashed request after `limits.http.idempotencyClaimSeconds`, and works under the same request key. The
 * kept answer is encrypted with a key derived from the request's content, so that the table alone does not reveal it.
 */
export const idempotently = async (
  deps: IdempotencyDeps,
  request: KeyedRequest,
  run: (requestKey: string) => Promise<Outcome>,
): Promise<Outcome> => {
  const { account, property, hours, keepsAnswer } = request;
  const key = keys.idempotency(sha256(`${account}\n${request.key}`));
  const print = sha256(`print\n${contextOf(request)}\n${request.key}\n${request.content}`);
  const claim = deps.ids.uuid();
  const step = await claimKey(deps, { key, print, claim, property, hours, keepsAnswer });
  if (step.kind === 'refused') return err(step.problem);
  if (step.kind === 'kept') return reopen(request, step.answer);
  return runClaimed(deps, request, { key, claim, requestKey: step.requestKey }, run);
};

type Step =
  | { readonly kind: 'claimed'; readonly requestKey: string }
  | { readonly kind: 'kept'; readonly answer: Uint8Array }
  | { readonly kind: 'refused'; readonly problem: Problem };

interface Claiming {
  readonly key: Key;
  readonly print: string;
  readonly claim: string;
  readonly property: number;
  readonly hours: number;
  readonly keepsAnswer: boolean;
}

/** Claims a key by a conditional write. A request that loses a race against another claim gets 409. */
const claimKey = async (deps: IdempotencyDeps, claiming: Claiming): Promise<Step> => {
  const now = deps.clock();
  const fresh = { request_key: deps.ids.uuid(), ttl: ttlAt(now + claiming.hours * HOUR_MS) };
  const claimed = (effect: Pick<KeyRecord, 'request_key' | 'ttl'>): Attributes => ({
    state: 'claimed',
    print: claiming.print,
    claim: claiming.claim,
    // The key of the item does not name the property.
    property: claiming.property,
    request_key: effect.request_key,
    until: now + limits.http.idempotencyClaimSeconds * 1000,
    ttl: effect.ttl,
  });
  const inserted = await deps.table.write({ kind: 'insert', key: claiming.key, set: claimed(fresh) });
  if (inserted === 'applied') return { kind: 'claimed', requestKey: fresh.request_key };
  const stored = await deps.table.get(claiming.key);
  if (!stored) return { kind: 'refused', problem: inProgress() };
  const seen = v.parse(record, stored);
  const verdict = judge(seen, claiming, now);
  if (verdict !== 'take') return verdict;
  const goesOn = seen.print === claiming.print && seen.state !== 'done' && !hasEnded(seen, now);
  const effect = goesOn ? seen : fresh;
  const taken = await deps.table.write({
    kind: 'update',
    key: claiming.key,
    set: claimed(effect),
    expect: { w: stored.w },
  });
  return taken === 'applied'
    ? { kind: 'claimed', requestKey: effect.request_key }
    : { kind: 'refused', problem: inProgress() };
};

const hasEnded = ({ ttl }: KeyRecord, now: number): boolean => ttl * 1000 <= now;

/** The step that a record allows to a request with this fingerprint. */
const judge = (seen: KeyRecord, { print, keepsAnswer }: Claiming, now: number): Step | 'take' => {
  if (seen.state === 'free' || hasEnded(seen, now)) return 'take';
  if (seen.state === 'done' && seen.until <= now) return 'take';
  if (seen.print !== print) return { kind: 'refused', problem: reused() };
  if (seen.state === 'claimed')
    return seen.until <= now ? 'take' : { kind: 'refused', problem: inProgress() };
  return keepsAnswer && seen.answer ? { kind: 'kept', answer: seen.answer } : 'take';
};

const runClaimed = async (
  deps: IdempotencyDeps,
  request: KeyedRequest,
  mine: { readonly key: Key; readonly claim: string; readonly requestKey: string },
  run: (requestKey: string) => Promise<Outcome>,
): Promise<Outcome> => {
  const note = (set: Attributes): Promise<unknown> =>
    deps.table
      .write({ kind: 'update', key: mine.key, set, expect: { claim: mine.claim } })
      .catch(deps.notRemembered);
  try {
    const outcome = await run(mine.requestKey);
    const until = deps.clock() + request.hours * HOUR_MS;
    await note(
      outcome.ok
        ? {
            state: 'done',
            ...(request.keepsAnswer && { answer: sealAnswer(deps.ids, request, outcome.value) }),
            until,
            ttl: ttlAt(until),
          }
        : { state: 'free' },
    );
    return outcome;
  } catch (error) {
    await note({ until: 0 });
    throw error;
  }
};

const sealingKey = (request: KeyedRequest): Uint8Array =>
  new Uint8Array(
    hkdfSync('sha256', `${request.key}\n${request.content}`, request.route, 'tidemark/idempotency/1', 32),
  );

const contextOf = ({ property, route }: KeyedRequest): string => `${property}\n${route}`;

const sealAnswer = (ids: Ids, request: KeyedRequest, answer: ApiAnswer): Uint8Array => {
  const iv = Buffer.from(ids.hex(12), 'hex');
  return new Uint8Array(seal(sealingKey(request), iv, contextOf(request), JSON.stringify(answer)));
};

const reopen = (request: KeyedRequest, answer: Uint8Array): Outcome => {
  const text = unseal(sealingKey(request), contextOf(request), answer);
  if (text === undefined) throw new Error('idempotency: a kept answer does not open');
  const { status, body, headers } = v.parse(sealedAnswer, JSON.parse(text));
  return ok({
    status,
    ...(body === undefined ? {} : { body }),
    headers: { ...headers, 'idempotency-replayed': 'true' },
  });
};

const reused = (): Problem => ({
  status: 422,
  code: 'idempotency_key_reused',
  detail: 'This Idempotency-Key was used for another request.',
});

const inProgress = (): Problem => ({
  ...problems.conflict(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running.',
  ),
  headers: { 'retry-after': '1' },
});
