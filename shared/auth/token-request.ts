/** Token request: parses the bodies of the routes that make and revoke tokens, with errors of RFC 6749. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { isJsonType } from '../http/body.ts';
import { nearest } from '../http/did-you-mean.ts';
import { parseJsonBody } from '../http/json.ts';
import type { OAuthErrorCode } from '../http/oauth-errors.ts';
import { allPermissions, type Permission } from '../http/permissions.ts';
import { idSchema, isCleanIdentifier, nameSchema } from '../http/text.ts';
import { err, ok, type Result } from '../runtime/result.ts';

/** What a token request asks for, and the credentials with it. */
export interface TokenRequest {
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
  /** The permissions of the token; without, all that the role of the user allows. */
  readonly scope: readonly Permission[] | undefined;
  /** The properties that the token reaches; null for all. */
  readonly propertyIds: readonly number[] | null;
  /** The name of a key; null for a sign-in. */
  readonly name: string | null;
  /** For how long the token is valid. */
  readonly seconds: number;
}

/** An error of RFC 6749, 5.2, with its status. */
export interface OAuthError {
  readonly status: number;
  readonly error: OAuthErrorCode;
  readonly description: string;
  /** Seconds for Retry-After. */
  readonly retryAfter?: number;
  /** Text for WWW-Authenticate. */
  readonly challenge?: string;
}

/** Longest user name or client id that is looked up; the service makes none near it. */
const NAME_LENGTH = 255;

const invalid = (description: string, status = 400): Result<never, OAuthError> =>
  err({ status, error: 'invalid_request', description });

/** The members of a body in JSON, which is the only form that the routes of tokens take. */
const readMembers = (
  contentType: string | undefined,
  bytes: Uint8Array,
): Result<Readonly<Record<string, unknown>>, OAuthError> => {
  if (!isJsonType(contentType)) return invalid('Send JSON: Content-Type: application/json.', 415);
  const body = parseJsonBody(bytes);
  return body.ok ? body : invalid(body.error.detail);
};

/** The token in the body of a request to revoke it (RFC 7009, 2.1). Other members are ignored. */
export const readRevokedToken = (
  contentType: string | undefined,
  bytes: Uint8Array,
): Result<string, OAuthError> => {
  const body = readMembers(contentType, bytes);
  if (!body.ok) return body;
  const { token } = body.value;
  return typeof token === 'string' ? ok(token) : invalid('token must be text.');
};

/**
 * Parses a token request: a JSON object with `grant_type: "password"`, `client_id`, `username` and `password`, and perhaps
 * `scope`, `property_ids`, `name` and `expires_in`. Other members are ignored, as RFC 6749 asks. One that looks like one
 * of the last four is refused: nobody would notice that the token may do more than was meant. Nothing here costs more than
 * parsing.
 */
export const readTokenRequest = (
  contentType: string | undefined,
  bytes: Uint8Array,
): Result<TokenRequest, OAuthError> => {
  const body = readMembers(contentType, bytes);
  if (!body.ok) return body;
  const { grant_type, client_id, username, password } = body.value;
  if (typeof grant_type !== 'string') return invalid('grant_type must be a string.');
  if (grant_type !== 'password') {
    return err({
      status: 400,
      error: 'unsupported_grant_type',
      description: 'The one supported grant_type is password.',
    });
  }
  if (!isName(client_id)) return invalid('client_id must be text of 1 to 255 characters.');
  if (!isName(username)) return invalid('username must be text of 1 to 255 characters.');
  if (!isPassword(password))
    return invalid(`password must be text of 1 to ${limits.auth.passwordMaxLength} characters.`);
  const meant = misspelt(Object.keys(body.value));
  if (meant !== undefined)
    return invalid(`A member of the request has an unknown name. Did you mean ${meant}?`);
  const { scope, property_ids, name, expires_in } = body.value;
  const permissions = readScope(scope);
  if (!permissions.ok) return permissions;
  const propertyIds = property_ids ?? null;
  if (propertyIds !== null && !v.is(propertyList, propertyIds)) {
    return invalid(
      `property_ids must be a list of 1 to ${limits.auth.propertiesPerToken} numbers of properties.`,
    );
  }
  const keyName = name ?? null;
  if (keyName !== null && !v.is(nameSchema, keyName))
    return invalid(`name must be one line of text of 1 to ${limits.segments.nameLength} characters.`);
  const seconds = readSeconds(expires_in, keyName !== null);
  if (!seconds.ok) return seconds;
  return ok({
    ...{ clientId: client_id, username, password },
    ...{ scope: permissions.value, propertyIds, name: keyName, seconds: seconds.value },
  });
};

/** The members that make a token less than its user, or a key. */
const narrowing = ['scope', 'property_ids', 'name', 'expires_in'] as const;
const knownMembers: ReadonlySet<string> = new Set([
  ...narrowing,
  'grant_type',
  'client_id',
  'username',
  'password',
]);

/** What answers, the command line and other services call these members. */
const otherNames = new Map(
  Object.entries({
    scope: ['permission', 'permissions', 'perms', 'may', 'role', 'roles'],
    property_ids: ['property', 'properties'],
    expires_in: ['ttl', 'days', 'lifetime'],
  }).flatMap(([member, others]) => others.map((other) => [other, member] as const)),
);

/** The narrowing member that somebody most probably meant by another name. */
const misspelt = (members: readonly string[]): string | undefined =>
  members
    .filter((member) => !knownMembers.has(member))
    .map((member) => otherNames.get(member) ?? nearest(member, narrowing))
    .find((meant) => meant !== undefined);

/** The properties that a token request names. */
export const propertyList = v.pipe(
  v.array(idSchema),
  v.minLength(1),
  v.maxLength(limits.auth.propertiesPerToken),
);

/** The permissions of a scope (RFC 6749, 3.3: words with spaces between them); `undefined` without a scope. */
const readScope = (scope: unknown): Result<readonly Permission[] | undefined, OAuthError> => {
  if (scope === undefined || scope === null) return ok(undefined);
  if (typeof scope !== 'string') return invalid('scope must be text: permissions with spaces between them.');
  const words = scope.split(' ').filter((word) => word !== '');
  const known = allPermissions.filter((permission) => words.includes(permission));
  const isUnknown = words.some((word) => !known.some((permission) => permission === word));
  if (!isUnknown && known.length > 0) return ok(known);
  return err({
    status: 400,
    error: 'invalid_scope',
    description: `scope must name permissions, with spaces between them: ${allPermissions.join(', ')}.`,
  });
};

/** The lifetime of a token. Only a key may live longer than the token of a sign-in. */
const readSeconds = (asked: unknown, isKey: boolean): Result<number, OAuthError> => {
  const { tokenSeconds, keySeconds } = limits.auth;
  const most = isKey ? keySeconds : tokenSeconds;
  if (asked === undefined || asked === null) return ok(tokenSeconds);
  if (typeof asked === 'number' && Number.isInteger(asked) && asked >= 1 && asked <= most) return ok(asked);
  const longer = isKey ? '' : ' Only a key lives longer: give it a name.';
  return invalid(`expires_in must be a whole number of seconds, 1 to ${most}.${longer}`);
};

/** Whether a value may be a name: 1 to 255 characters without controls. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= NAME_LENGTH && isCleanIdentifier(value);

/** Whether a value can be a password: 1 to 1,024 characters without controls. */
export const isPassword = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= limits.auth.passwordMaxLength &&
  isCleanIdentifier(value);
