/** Token request: parses the body of the token route, with errors of RFC 6749. */
import { limits } from '../config/limits.ts';
import { isJsonType } from '../http/body.ts';
import { parseJsonBody } from '../http/json.ts';
import type { OAuthErrorCode } from '../http/oauth-errors.ts';
import { isCleanIdentifier } from '../http/text.ts';
import { err, ok, type Result } from '../runtime/result.ts';

/** The credentials of a token request. */
export interface Credentials {
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
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

/**
 * Parses a token request: a JSON object with `grant_type: "password"`, `client_id`, `username` and `password`.
 * Other members are ignored, as RFC 6749 asks. Nothing here costs more than parsing.
 */
export const readTokenRequest = (
  contentType: string | undefined,
  bytes: Uint8Array,
): Result<Credentials, OAuthError> => {
  if (!isJsonType(contentType)) return invalid('Send JSON: Content-Type: application/json.', 415);
  const body = parseJsonBody(bytes);
  if (!body.ok) return invalid(body.error.detail);
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
  return ok({ clientId: client_id, username, password });
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
