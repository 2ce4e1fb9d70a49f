/** OAuth answers: write errors in the form of RFC 6749, section 5.2. */
import { writeAnswer, type GatewayAnswer } from '../http/answer.ts';
import type { ApiAnswer } from '../http/api-types.ts';
import type { Problem } from '../http/problem.ts';
import type { OAuthError } from './token-request.ts';

/** The answer that tells of an error. */
export const oauthAnswer = ({
  status,
  error,
  description,
  retryAfter,
  challenge,
}: OAuthError): ApiAnswer => ({
  status,
  body: { error, error_description: description },
  headers: {
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(challenge !== undefined && { 'www-authenticate': challenge }),
  },
});

const errorOfStatus = (status: number): OAuthError['error'] => {
  if (status < 500) return 'invalid_request';
  return status === 503 ? 'temporarily_unavailable' : 'server_error';
};

/** Writes the wrapper's own problems in the form of RFC 6749. */
export const writeOAuthProblem = (requestId: string, { status, detail, headers }: Problem): GatewayAnswer => {
  const { body } = oauthAnswer({ status, error: errorOfStatus(status), description: detail });
  return writeAnswer(requestId, { status, body, ...(headers ? { headers } : {}) });
};
