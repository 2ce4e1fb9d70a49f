/**
 * API handlers: run the use cases behind routes with a token, about the tenant in the path (`apiHandler`) or about the
 * caller (`callerHandler`).
 */
import { authenticator, type Authenticator } from '../auth/authenticator.ts';
import { limits } from '../config/limits.ts';
import type {
  Announce,
  ApiAnswer,
  Caller,
  CallerUseCase,
  NoQuery,
  PropertyRef,
  UseCase,
} from '../http/api-types.ts';
import { isJsonType } from '../http/body.ts';
import { missing } from '../http/not-found.ts';
import type { Permission } from '../http/permissions.ts';
import { permit } from '../http/permit.ts';
import type { Problem } from '../http/problem.ts';
import { PassingRefusal } from '../http/passing-refusal.ts';
import { NoPropertyDataError } from '../properties/items.ts';
import {
  type Declared,
  type ResourceName,
  type SettingName,
  type VariableOf,
  processEnv,
} from '../runtime/env.ts';
import { unitsOfWork } from '../runtime/deadline.ts';
import { errorFacts } from '../runtime/log.ts';
import { Pending } from '../runtime/pending.ts';
import { err, type Result } from '../runtime/result.ts';
import { admit, admitCaller, tokenMarkOf, type AdmissionDeps } from './admission.ts';
import { audited } from './audited.ts';
import { headersOf, pathParametersOf, type HttpEvent } from './event.ts';
import {
  httpHandler,
  routeName,
  type HttpHandler,
  type RequestContext,
  systemRuntime,
  type HandlerRuntime,
} from './http-handler.ts';
import { idempotently } from './idempotency.ts';
import { readInput, type InputSchemas } from './request-input.ts';
import { buildOnce, type BuildDeps } from './build-once.ts';
import { auditTrailFromEnv, isTokenMark, type AuditTrail } from '../audit/audit-trail.ts';
import { accountRate, type AccountRate } from '../rates/account-rate.ts';
import { credentialsFromEnv, ratesFromEnv, tableFromEnv } from '../table/dynamo-client.ts';
import type { Table } from '../table/table.ts';

/**
 * Ports of the wrapper itself: the credentials for tokens and properties, the request rate of accounts, the audit log,
 * and the table for idempotency records.
 */
export interface ApiRuntime extends HandlerRuntime {
  readonly rate: () => AccountRate;
  readonly audit: () => AuditTrail;
  readonly credentials: () => Table;
  readonly table: () => Table;
}

let rate: AccountRate | undefined;
let trail: AuditTrail | undefined;

/** The runtime of a Lambda function. Each port is opened at its first use: most entries name only some of them. */
const systemApiRuntime: ApiRuntime = {
  ...systemRuntime,
  rate: () =>
    (rate ??= accountRate({
      ...systemRuntime,
      rates: ratesFromEnv(processEnv),
      perSecond: Number(processEnv('ACCOUNT_REQUESTS_PER_SECOND')),
    })),
  audit: () => (trail ??= auditTrailFromEnv(processEnv)),
  credentials: () => credentialsFromEnv(processEnv),
  table: () => tableFromEnv(processEnv),
};

/** The part of a manifest entry that the wrapper reads. `query` and `body` type the request of the use case. */
export interface ApiRoute<Query, Body> {
  readonly trigger: InputSchemas<Query, Body> & {
    readonly path: string;
    readonly idWords?: Readonly<Record<string, string>>;
    readonly auth: 'token';
    readonly permission: Permission;
    readonly shows?: 'person' | 'people';
    readonly idempotencyHours?: number;
  };
}

/** The parts of a handler that most routes leave as they are. */
export interface ApiOptions<Deps> {
  readonly runtime?: ApiRuntime;
  /**
   * Begins work that each request about a property needs and that a process does once, such as unwrapping the keys of the
   * property. It runs beside the check of the rate, and the answer waits for its end. When it fails, the use case meets the
   * failure itself.
   */
  readonly ahead?: (ports: Deps, property: number) => Promise<unknown>;
}

/**
 * The Lambda handler of a route with authentication. It answers, in this order: 401, 429 for the account's rate, 404
 * for the property (and for ids that cannot exist), 403 for a permission that the token lacks, 413, 415, 400, 422. Then it
 * runs the use case, once per `Idempotency-Key` for a POST. Changes, and reads that show data of people, are in the audit
 * log before the answer goes out. `deps` builds the ports of the use case from the environment that the entry names; it
 * runs once, at the first request that gets so far. The handler throws nothing: failures are 503 or 500.
 */
export const apiHandler = <
  Deps,
  To extends ResourceName,
  Setting extends SettingName,
  Read extends VariableOf<To, Setting>,
  Query = NoQuery,
  Body = undefined,
>(
  route: Declared<To, Setting> & ApiRoute<Query, Body>,
  useCase: UseCase<Deps, NoInfer<Query>, NoInfer<Body>>,
  deps: BuildDeps<Deps, To, Setting, Read>,
  { runtime = systemApiRuntime, ahead }: ApiOptions<NoInfer<Deps>> = {},
): HttpHandler => {
  const admission = admissionOf(runtime);
  const portsOf = buildOnce(deps);
  const begun = new Pending();
  const begin = (property: number): void => {
    const ignore = (): void => undefined;
    if (ahead) begun.add(ahead(portsOf(), property).then(ignore, ignore));
  };
  const answer: Answer = async (event, context) => {
    const admitted = await admit(admission(), event, context, route.trigger.idWords, begin);
    if (!admitted.ok) return admitted;
    const { caller, property, path } = admitted.value;
    const { user, permissions } = caller;
    const { requestId, now } = context;
    const serve = async (announce: Announce | undefined): Promise<Result<ApiAnswer, Problem>> => {
      const permitted = permit(caller, route.trigger.permission);
      if (!permitted.ok) return permitted;
      const input = readInput(route.trigger, event, context.now);
      if (!input.ok) return input;
      const ports = portsOf();
      const { query, body } = input.value;
      const head = event.requestContext.http.method === 'HEAD';
      const request = { user, permissions, property, path, requestId, now, query, body, head, announce };
      const run: Run = async (requestKey, keyed) => {
        const outcome = await found(runtime, property, () =>
          useCase(ports, { ...request, requestKey, keyed }),
        );
        if (outcome.ok && outcome.value.trailing) begun.add(outcome.value.trailing());
        return outcome;
      };
      return runOnce(route, runtime, { event, context, property }, run);
    };
    const who = { ...whoAsks(caller, event), property: property.id, requestId, now, path };
    return audited(runtime.audit, route.trigger, who, charged(admission(), caller, serve));
  };
  return httpHandler(routeName(route), runtime, settled(admission, answer, begun));
};

/** Who asks, as the audit log has it. */
const whoAsks = ({ account, requestsPerSecond, user }: Caller, event: HttpEvent) => ({
  account,
  requestsPerSecond,
  user: user.id,
  token: tokenMarkOf(event),
  source: event.requestContext.http.sourceIp,
});

/** Serves a request, and charges its caller for the work of it. */
const charged =
  (
    { rates }: AdmissionDeps,
    caller: Caller,
    serve: (announce: Announce | undefined) => Promise<Result<ApiAnswer, Problem>>,
  ) =>
  async (announce?: Announce): Promise<Result<ApiAnswer, Problem>> => {
    try {
      return await serve(announce);
    } finally {
      // Without the entry of the audit log, a unit of its own, unless it was stored beside the reads.
      rates.charge(caller, unitsOfWork());
    }
  };

/**
 * The answer of a use case, or 404 for a property without data. Somebody must then delete the property, so the log has an
 * error, too.
 */
const found = async (
  { log }: ApiRuntime,
  { account, id }: PropertyRef,
  run: () => Promise<Result<ApiAnswer, Problem>>,
): Promise<Result<ApiAnswer, Problem>> => {
  try {
    return await run();
  } catch (error) {
    if (error instanceof PassingRefusal) return err(error.problem);
    if (!(error instanceof NoPropertyDataError)) throw error;
    log('property.lost', { account, property: id });
    return err(missing(`Property ${id} has no data: it was made after the time of a restore.`));
  }
};

/** Answers a request. */
type Answer = (event: HttpEvent, context: RequestContext) => Promise<Result<ApiAnswer, Problem>>;

/** Answers a request after its leases and its charge are stored, and the work ahead has ended. */
const settled =
  (admission: () => AdmissionDeps, answer: Answer, begun = new Pending()): Answer =>
  async (event, context) => {
    try {
      return await answer(event, context);
    } finally {
      await Promise.all([admission().rates.settled(), begun.settled()]);
    }
  };

/** The part of a manifest entry that the wrapper of a route about the caller reads. */
export interface CallerRoute {
  readonly trigger: {
    readonly method: 'GET' | 'DELETE';
    readonly path: string;
    readonly auth: 'token';
    readonly permission: null;
  };
}

/**
 * The Lambda handler of a route about the caller, without a property. Any token will do. It answers 401, 429 for the
 * account's rate, 404 for a path that names no token, then 400 for a query, because these routes take none. Changes are in
 * the audit log before the answer goes out.
 */
export const callerHandler = <
  Deps,
  To extends ResourceName,
  Setting extends SettingName,
  Read extends VariableOf<To, Setting>,
>(
  route: Declared<To, Setting> & CallerRoute,
  useCase: CallerUseCase<Deps>,
  deps: BuildDeps<Deps, To, Setting, Read>,
  { runtime = systemApiRuntime }: Pick<ApiOptions<Deps>, 'runtime'> = {},
): HttpHandler => {
  const admission = admissionOf(runtime);
  const portsOf = buildOnce(deps);
  const answer: Answer = async (event, context) => {
    const admitted = await admitCaller(admission(), event, context);
    if (!admitted.ok) return admitted;
    const caller = admitted.value;
    const path = pathParametersOf(event);
    // The audit log keeps the parameters, so they may hold nothing but the mark of a token.
    if (!Object.values(path).every(isTokenMark)) return err(missing('There is no such token.'));
    const { requestId, now } = context;
    const serve = async (): Promise<Result<ApiAnswer, Problem>> => {
      const input = readInput<NoQuery, undefined>(route.trigger, event, now);
      return input.ok ? useCase(portsOf(), { caller, path, now }) : input;
    };
    const who = { ...whoAsks(caller, event), requestId, now, path };
    return audited(runtime.audit, route.trigger, who, charged(admission(), caller, serve));
  };
  return httpHandler(routeName(route), runtime, settled(admission, answer));
};

/** The admission of a process, opened at its first request: its tokens stay in memory. */
const admissionOf = (runtime: ApiRuntime): (() => AdmissionDeps) => {
  let authentication: Authenticator | undefined;
  return () => {
    authentication ??= authenticator({ credentials: runtime.credentials(), clock: runtime.clock });
    return { authentication, rates: runtime.rate() };
  };
};

/** Runs the use case under a request key; `keyed` when the key belongs to an `Idempotency-Key`. */
type Run = (requestKey: string, keyed: boolean) => Promise<Result<ApiAnswer, Problem>>;

/** The content of a request. In another form than JSON, the type is part of it, because it names the encoding. */
const contentOf = <Query, Body>({ trigger }: ApiRoute<Query, Body>, event: HttpEvent): string => {
  const path = `${JSON.stringify(pathParametersOf(event))}\n${event.rawQueryString}`;
  if (!trigger.body) return `${path}\n`;
  const type = headersOf(event)['content-type'];
  if (!isJsonType(type)) return `${path}\n${type}\n${event.body}`;
  return `${path}\n${Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8').toString()}`;
};

/** Runs a POST with an `Idempotency-Key` once, and every other request as it comes. */
const runOnce = <Query, Body>(
  route: ApiRoute<Query, Body>,
  runtime: ApiRuntime,
  request: { readonly event: HttpEvent; readonly context: RequestContext; readonly property: PropertyRef },
  run: Run,
): Promise<Result<ApiAnswer, Problem>> => {
  const { event, context, property } = request;
  const key = headersOf(event)['idempotency-key'];
  if (route.trigger.method !== 'POST' || key === undefined) return run(runtime.ids.uuid(), false);
  const notRemembered = (error: unknown): void =>
    runtime.log('request.not-remembered', { request_id: context.requestId, error: errorFacts(error) });
  return idempotently(
    { table: runtime.table(), clock: runtime.clock, ids: runtime.ids, notRemembered },
    {
      account: property.account,
      property: property.id,
      route: routeName(route),
      key,
      content: contentOf(route, event),
      hours: route.trigger.idempotencyHours ?? limits.http.idempotencyHours,
      keepsAnswer: route.trigger.shows === undefined,
    },
    (requestKey) => run(requestKey, true),
  );
};
