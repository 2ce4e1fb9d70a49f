/** Error codes of a route: those of its entry, and those that follow from its method, its authentication and its body. */
import { oauthErrors, type OAuthErrorCode } from '../../../shared/http/oauth-errors.ts';
import { problemCodes, type ProblemCode } from '../../../shared/http/problem-codes.ts';
import type { HttpTrigger } from '../../entry.ts';

const names = <Code extends string>(codes: Readonly<Record<Code, unknown>>): readonly Code[] => {
  const isName = (name: string): name is Code => Object.hasOwn(codes, name);
  return Object.keys(codes).filter(isName);
};

const problemCodeNames = names(problemCodes);

const oauthErrorNames = names(oauthErrors);

/** Codes of every route, by the wrapper of its handler. */
const ofWrapper = ({ auth, path, method, body }: HttpTrigger): readonly ProblemCode[] => [
  ...(auth === 'token' ? (['bad_request', 'unauthorized', 'rate_limited'] as const) : []),
  ...(auth === 'token' && path.includes('{property_id}') ? (['not_found', 'not_permitted'] as const) : []),
  ...(auth === 'token' && method === 'POST'
    ? (['idempotency_in_progress', 'idempotency_key_reused'] as const)
    : []),
  ...(body ? (['bad_request', 'too_large', 'unsupported_media_type', 'invalid'] as const) : []),
  'internal_error',
  'unavailable',
];

/** The codes with which a route can refuse a request, in the order of the registry. */
export const codesOf = (trigger: HttpTrigger): readonly (ProblemCode | OAuthErrorCode)[] =>
  trigger.oauthErrors ? oauthCodesOf(trigger.oauthErrors) : problemCodesOf(trigger);

/** Errors of RFC 6749, with those of every route that answers so. */
const oauthCodesOf = (own: readonly OAuthErrorCode[]): readonly OAuthErrorCode[] =>
  oauthErrorNames.filter((code) => own.includes(code) || ofEveryOAuthRoute.includes(code));

const ofEveryOAuthRoute: readonly OAuthErrorCode[] = ['server_error', 'temporarily_unavailable'];

const problemCodesOf = (trigger: HttpTrigger): readonly ProblemCode[] => {
  const codes = new Set([...ofWrapper(trigger), ...(trigger.codes ?? [])]);
  return problemCodeNames.filter((code) => codes.has(code));
};

/** The status of a code on a route. */
const statusOn = (
  { auth }: HttpTrigger,
  { status, withoutToken = status }: { readonly status: number; readonly withoutToken?: number },
): number => (auth === 'none' ? withoutToken : status);

/** The gateway answers 429 itself when a stage gets too many requests. */
const OF_GATEWAY = 429;

/** The error statuses of a route, in their order. */
export const errorStatusesOf = (trigger: HttpTrigger): readonly number[] => {
  const statuses = trigger.oauthErrors
    ? oauthCodesOf(trigger.oauthErrors).flatMap((code) => oauthErrors[code].statuses)
    : problemCodesOf(trigger).map((code) => statusOn(trigger, problemCodes[code]));
  return [...new Set([...statuses, OF_GATEWAY])].toSorted((a, b) => a - b);
};
