/** Admission: authenticates a request and isolates its tenant, before any other part of the request is read. */
import { tokenMark } from '../audit/audit-trail.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import type { ApiRequest, Caller } from '../http/api-types.ts';
import { missing } from '../http/not-found.ts';
import type { Problem } from '../http/problem.ts';
import type { AccountRate } from '../rates/account-rate.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { headersOf, pathParametersOf, type HttpEvent } from './event.ts';
import type { RequestContext } from './http-handler.ts';

/** The ports that admit a request. */
export interface AdmissionDeps {
  readonly authentication: Authenticator;
  readonly rates: AccountRate;
}

/** The caller of a request, its property and its other path parameters. */
export interface Admitted extends Pick<ApiRequest<unknown, unknown>, 'property' | 'path'> {
  readonly caller: Caller;
}

/** A mark of the request's token for logs: it tells two tokens apart and reveals neither. */
export const tokenMarkOf = (event: HttpEvent): string => tokenMark(headersOf(event)['authorization'] ?? '');

/** Checks the token: 401. */
const identifyCaller = async (
  { authentication }: AdmissionDeps,
  event: HttpEvent,
  context: RequestContext,
): Promise<Result<Caller, Problem>> => {
  const { property_id } = pathParametersOf(event);
  const caller = await authentication.caller(headersOf(event)['authorization'], property_id);
  if (!caller.ok) return caller;
  const { account, user } = caller.value;
  context.addLogFields({ account, user: user.id, token: tokenMarkOf(event) });
  return caller;
};

/** Checks the token (401), then the request rate of its account (429). */
export const admitCaller = async (
  deps: AdmissionDeps,
  event: HttpEvent,
  context: RequestContext,
): Promise<Result<Caller, Problem>> => {
  const caller = await identifyCaller(deps, event, context);
  if (!caller.ok) return caller;
  const withinRate = await deps.rates.admit(caller.value);
  return withinRate.ok ? caller : withinRate;
};

/**
 * Checks the caller as `admitCaller` does, then the tenant: 404 unless the property of the path belongs to the caller's
 * account. Ids in the path that cannot exist are 404, too. `idWords`: a word for each path
 * parameter that accepts the word in place of an id. `ahead` begins work about a property of the caller while the rate is
 * checked.
 */
export const admit = async (
  deps: AdmissionDeps,
  event: HttpEvent,
  context: RequestContext,
  idWords: Readonly<Record<string, string>> = {},
  ahead: (property: number) => void = () => undefined,
): Promise<Result<Admitted, Problem>> => {
  const caller = await identifyCaller(deps, event, context);
  if (!caller.ok) return caller;
  const { property_id, ...path } = pathParametersOf(event);
  const ownProperty = async () => {
    const property = await deps.authentication.property(caller.value, property_id);
    if (property.ok) ahead(property.value.id);
    return property;
  };
  const [property, withinRate] = await Promise.all([ownProperty(), deps.rates.admit(caller.value)]);
  if (!withinRate.ok) return withinRate;
  if (!property.ok) return property;
  context.addLogFields({ property: property.value.id });
  const ids = Object.entries(path).filter(([name]) => name.endsWith('_id'));
  if (!ids.every(([name, value]) => isId(value) || value === idWords[name]))
    return err(missing('An id in the address is not a whole number from 1.'));
  return ok({ caller: caller.value, property: property.value, path });
};

/** An id has one spelling in a path, so that no resource has two addresses. */
const isId = (value: string): boolean =>
  /^[1-9][0-9]{0,15}$/.test(value) && Number.isSafeInteger(Number(value));
