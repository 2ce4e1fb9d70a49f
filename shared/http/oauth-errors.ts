/** OAuth errors: every `error` of the routes under `/oauth` (RFC 6749, section 5.2), with statuses, meaning and remedy. */
import type { CodeFacts } from './code-facts.ts';

/** The errors of the routes under `/oauth`. */
export const oauthErrors = {
  invalid_request: {
    statuses: [400, 413, 415],
    meaning: 'The body is not JSON, or a member is missing or has an impossible value.',
    remedy: 'Correct what `error_description` names.',
  },
  unsupported_grant_type: {
    statuses: [400],
    meaning: 'The service does not know this `grant_type`.',
    remedy: 'Send `"grant_type": "password"`.',
  },
  invalid_grant: {
    statuses: [400],
    meaning: 'The client id, the user name or the password is wrong.',
    remedy: 'Check all three; client ids are case-sensitive.',
  },
  invalid_scope: {
    statuses: [400],
    meaning: '`scope` has a word that is no permission, or a permission that the role of the user lacks.',
    remedy: 'Ask only for permissions that `error_description` names.',
  },
  invalid_client: {
    statuses: [401],
    meaning: 'The request has an Authorization header.',
    remedy: 'Send `client_id` in the JSON body, and no Authorization header.',
  },
  slow_down: {
    statuses: [429],
    meaning: 'Too many logins from your address have failed.',
    remedy: 'Wait for the time in `Retry-After`, and check the credentials.',
  },
  server_error: {
    statuses: [500],
    meaning: 'The service has a bug.',
    remedy: 'Try again later, and report the `x-request-id` if the error stays.',
  },
  temporarily_unavailable: {
    statuses: [503],
    meaning: 'The service or a dependency is busy.',
    remedy: 'Try again after the time in `Retry-After`.',
  },
} as const satisfies Readonly<Record<string, CodeFacts & { readonly statuses: readonly number[] }>>;

/** The `error` of an error answer of these routes. */
export type OAuthErrorCode = keyof typeof oauthErrors;
