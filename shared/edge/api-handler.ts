import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { auditTrailFromEnv } from '../audit/trail-from-env.ts';
import { tokenMark, type AuditTrail } from '../audit/audit-trail.ts';
import { authenticator, type Authenticator } from '../auth/authenticator.ts';
import { errorFacts } from '../runtime/log.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { credentialsFromEnv, ratesFromEnv, tableFromEnv } from '../table/dynamo-client.ts';
import { env } from '../runtime/env.ts';
import { accountRate, type AccountRate } from '../rates/account-rate.ts';
import type { Table } from '../table/table.ts';
import type { ApiAnswer, ApiRequest, Caller, CallerUseCase, NoQuery, UseCase } from '../http/api-types.ts';
import { audited } from './audited.ts';
import { readJsonBody } from '../http/body.ts';
import { bodyBytes, headersOf, pathOf, type HttpEvent } from './event.ts';
import { idempotently, isIdempotencyKey } from './idempotency.ts';
import {
  httpHandler,
  systemSurroundings,
  type HttpHandler,
  type Passage,
  type Surroundings,
} from './lambda.ts';
import { isObject } from '../http/json.ts';
import { problems, type Problem } from '../http/problem.ts';
import { parseQuery } from '../http/query.ts';
import { withoutReadOnly } from './read-only.ts';
import { allFaults, check } from '../http/schema-faults.ts';
import { textFaults } from '../http/text.ts';

/** What the wrapper reads of a manifest entry. `query` and `body` type what the use case gets. */
export interface ApiRoute<Query, Body> {
  readonly trigger: {
    readonly method: string;
    readonly path: string;
    readonly auth: 'token';
    readonly shows?: 'person' | 'people';
    readonly query?: v.GenericSchema<unknown, Query>;
    readonly body?: v.GenericSchema<unknown, Body>;
    readonly judgedApart?: string;
    readonly shownOnly?: readonly string[];
    readonly idempotencyHours?: number;
  };
}

/**
 * What the wrapper itself needs: the credentials, for tokens and properties; the rate that accounts are held to; the audit log;
 * and the table, for idempotency records.
 */
export interface ApiSurroundings extends Surroundings {
  readonly rate: () => AccountRate;
  readonly audit: () => AuditTrail;
  readonly credentials: () => Table;
  readonly table: () => Table;
}

let rate: AccountRate | undefined;
let trail: AuditTrail | undefined;

const fromEnv: ApiSurroundings = {
  ...systemSurroundings,
  rate: () =>
    (rate ??= accountRate({
      ...systemSurroundings,
      rates: ratesFromEnv(),
      perSecond: Number(env('ACCOUNT_REQUESTS_PER_SECOND')),
    })),
  audit: () => (trail ??= auditTrailFromEnv()),
  credentials: credentialsFromEnv,
  table: tableFromEnv,
};

/**
 * The Lambda handler of a route with authentication. In this order: 401, 429 for the account's rate, 404 for the property (and
 * for ids that cannot be), 413, 415, 400, 422; then the use case, once per `Idempotency-Key` for a POST. Changes and reads
 * that show data of people are in the audit log before the answer goes out. `build` wires the use case and runs once, at the first request
 * that gets that far. Throws nothing: what goes wrong is 503 or 500.
 */
export const apiHandler = <Query = NoQuery, Body = undefined>(
  route: ApiRoute<Query, Body>,
  build: () => UseCase<NoInfer<Query>, NoInfer<Body>>,
  around: ApiSurroundings = fromEnv,
): HttpHandler => {
  let authentication: Authenticator | undefined;
  let useCase: UseCase<Query, Body> | undefined;
  return httpHandler(nameOf(route), around, async (event, passage) => {
    authentication ??= authenticator({ credentials: around.credentials(), clock: around.clock });
    const admitted = await admit(authentication, around.rate(), event, passage);
    if (!admitted.ok) return admitted;
    const { user, property, path } = admitted.value;
    const { requestId, now } = passage;
    const serve = async (): Promise<Result<ApiAnswer, Problem>> => {
      const input = readInput(route, event);
      if (!input.ok) return input;
      const act = (useCase ??= build());
      const { query, body } = input.value;
      const head = event.requestContext.http.method === 'HEAD';
      const run: Run = (cause, keyed) =>
        act({ user, property, path, requestId, now, query, body, head, cause, keyed });
      return once(route, around, { event, passage, property: property.id }, run);
    };
    const source = event.requestContext.http.sourceIp;
    const who = {
      account: property.account,
      property: property.id,
      user: user.id,
      token: tokenOf(event),
      source,
    };
    return audited(around.audit, route.trigger, { ...who, requestId, now, path }, serve);
  });
};

/** What the wrapper reads of a manifest entry that is about no property. */
export interface CallerRoute {
  readonly trigger: { readonly method: 'GET'; readonly path: string; readonly auth: 'token' };
}

/**
 * The Lambda handler of a route with authentication that is about the caller and no property: 401, 429 for the account's rate,
 * then 400 for a query, since these routes take none.
 */
export const callerHandler = (
  route: CallerRoute,
  build: () => CallerUseCase,
  around: ApiSurroundings = fromEnv,
): HttpHandler => {
  let authentication: Authenticator | undefined;
  let useCase: CallerUseCase | undefined;
  return httpHandler(nameOf(route), around, async (event, passage) => {
    authentication ??= authenticator({ credentials: around.credentials(), clock: around.clock });
    const caller = await admitCaller(authentication, around.rate(), event, passage);
    if (!caller.ok) return caller;
    const input = readInput<NoQuery, undefined>(route, event);
    return input.ok ? (useCase ??= build())(caller.value) : input;
  });
};

const tokenOf = (event: HttpEvent): string => tokenMark(headersOf(event)['authorization'] ?? '');

const nameOf = ({ trigger }: ApiRoute<unknown, unknown>): string => `${trigger.method} ${trigger.path}`;

type Admitted = Pick<ApiRequest<unknown, unknown>, 'user' | 'property' | 'path'>;

/** 401, then 429: who calls, and whether they call too often. Nothing else of the request has been looked at. */
const admitCaller = async (
  authentication: Authenticator,
  rates: AccountRate,
  event: HttpEvent,
  passage: Passage,
): Promise<Result<Caller, Problem>> => {
  const caller = await authentication.caller(headersOf(event)['authorization']);
  if (!caller.ok) return caller;
  passage.note({ account: caller.value.account, user: caller.value.user.id, token: tokenOf(event) });
  const inTime = await rates.admit(caller.value.account);
  return inTime.ok ? caller : inTime;
};

/** A caller, then 404: whether the property is theirs. */
const admit = async (
  authentication: Authenticator,
  rates: AccountRate,
  event: HttpEvent,
  passage: Passage,
): Promise<Result<Admitted, Problem>> => {
  const caller = await admitCaller(authentication, rates, event, passage);
  if (!caller.ok) return caller;
  const { property_id, ...path } = pathOf(event);
  const property = await authentication.property(caller.value, property_id);
  if (!property.ok) return property;
  passage.note({ property: property.value.id });
  const ids = Object.entries(path).filter(([name]) => name.endsWith('_id'));
  if (!ids.every(([, value]) => isId(value))) return err(problems.notFound());
  return ok({ user: caller.value.user, property: property.value, path });
};

/** Ids in paths are written one way only, so that no two addresses name one thing. */
const isId = (value: string): boolean =>
  /^[1-9][0-9]{0,15}$/.test(value) && Number.isSafeInteger(Number(value));

/** 413, 415, 400, 422: the body's size, type and JSON, the query, then the body's schema. */
const readInput = <Query, Body>(
  { trigger }: ApiRoute<Query, Body>,
  event: HttpEvent,
): Result<{ query: Query; body: Body }, Problem> => {
  const json = trigger.body ? readBody(event) : ok(undefined);
  if (!json.ok) return json;
  const query = parseQuery(event.rawQueryString);
  if (!query.ok) return query;
  const key = headersOf(event)['idempotency-key'];
  if (trigger.method === 'POST' && key !== undefined && !isIdempotencyKey(key))
    return err(problems.badRequest('Idempotency-Key must be 1 to 255 visible ASCII characters.'));
  const queried = check(trigger.query ?? v.custom<Query>(isEmpty), query.value);
  if (!queried.ok)
    return err(problems.badRequest('The query has unknown or malformed parameters.', queried.faults));
  const body = checkBody(trigger, json.value);
  return body.ok ? ok({ query: queried.value, body: body.value }) : body;
};

const isEmpty = (query: unknown): boolean => isObject(query) && Object.keys(query).length === 0;

const readBody = (event: HttpEvent): Result<Readonly<Record<string, unknown>>, Problem> => {
  const bytes = bodyBytes(event);
  return bytes.ok ? readJsonBody(headersOf(event)['content-type'], bytes.value) : bytes;
};

const checkBody = <Body>(
  trigger: ApiRoute<unknown, Body>['trigger'],
  json: Readonly<Record<string, unknown>> | undefined,
): Result<Body, Problem> => {
  const sent = json && withoutReadOnly(json, trigger.shownOnly);
  const unclean = sent ? textFaults(sent, trigger.judgedApart) : [];
  const checked = check(trigger.body ?? v.custom<Body>((body) => body === undefined), sent);
  if (checked.ok && unclean.length === 0) return ok(checked.value);
  return err(problems.invalid(allFaults(unclean, checked.ok ? [] : checked.faults)));
};

/** Runs the use case for a cause; `keyed`: the cause is that of an `Idempotency-Key`. */
type Run = (cause: string, keyed: boolean) => Promise<Result<ApiAnswer, Problem>>;

/** Runs a POST with an `Idempotency-Key` once; anything else as it comes. */
const once = <Query, Body>(
  route: ApiRoute<Query, Body>,
  around: ApiSurroundings,
  request: { readonly event: HttpEvent; readonly passage: Passage; readonly property: number },
  run: Run,
): Promise<Result<ApiAnswer, Problem>> => {
  const { event, passage, property } = request;
  const key = headersOf(event)['idempotency-key'];
  if (route.trigger.method !== 'POST' || key === undefined) return run(around.ids.uuid(), false);
  const notRemembered = (error: unknown): void =>
    around.log('request.not-remembered', { request_id: passage.requestId, error: errorFacts(error) });
  const body = route.trigger.body
    ? Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')
    : '';
  return idempotently(
    { table: around.table(), clock: around.clock, ids: around.ids, notRemembered },
    {
      property,
      route: nameOf(route),
      key,
      content: `${JSON.stringify(pathOf(event))}
${body.toString()}`,
      hours: route.trigger.idempotencyHours ?? limits.http.idempotencyHours,
    },
    (cause) => run(cause, true),
  );
};
