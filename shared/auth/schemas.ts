import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { creatorSchema } from '../http/api-user.ts';
import { described } from '../http/described.ts';
import { DAY_MS } from '../runtime/clock.ts';

/** A token request for the documentation. `token-request.ts` parses it by hand, because its errors follow RFC 6749. */
export const tokenRequest = v.object({
  grant_type: described('The kind of sign-in: by password.', v.literal('password')),
  client_id: described('The client id of your account. Its case matters.', v.string()),
  username: described('The name of the user. Its case does not matter.', v.string()),
  password: described('The password of the user.', v.string()),
});

/** The response of the token route. */
export const tokenAnswer = v.object({
  access_token: described(
    'The token. Send it as `Authorization: Bearer …`, and keep it instead of signing in again.',
    v.string(),
  ),
  token_type: described('How to send the token.', v.literal('Bearer')),
  expires_in: described(
    `The number of seconds for which the token is valid: ${limits.auth.tokenSeconds}, which is ${(limits.auth.tokenSeconds * 1_000) / DAY_MS} days.`,
    v.pipe(v.number(), v.integer()),
  ),
  session_id: described('Always null.', v.null()),
});

const idOf = (what: string) => described(`The id of the ${what}.`, v.pipe(v.number(), v.integer()));
const nameOf = (what: string) => described(`The name of the ${what}.`, v.string());

/** The owner of a token and the properties within its reach. */
export const callerAnswer = v.object({
  user: described('The user to whom the token belongs.', creatorSchema),
  account: described('The account of the user.', v.object({ id: idOf('account'), name: nameOf('account') })),
  properties: described(
    'The properties of the account, which the token reaches, in the order of their creation.',
    v.array(v.object({ id: idOf('property'), name: nameOf('property') })),
  ),
  token: described(
    'The token.',
    v.object({ expires: described('When the token expires.', v.pipe(v.string(), v.isoTimestamp())) }),
  ),
});
