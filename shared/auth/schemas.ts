import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { creatorSchema } from '../http/api-user.ts';
import { described } from '../http/described.ts';
import { permissionSchema, roleSchema } from '../http/permissions.ts';
import { nameSchema } from '../http/text.ts';
import { DAY_MS } from '../runtime/clock.ts';
import { propertyList } from './token-request.ts';

const daysOf = (seconds: number): number => (seconds * 1_000) / DAY_MS;

/** A token request for the documentation. `token-request.ts` parses it by hand, because its errors follow RFC 6749. */
export const tokenRequest = v.object({
  grant_type: described('The kind of sign-in: by password.', v.literal('password')),
  client_id: described('The client id of your account. Its case matters.', v.string()),
  username: described('The name of the user. Its case does not matter.', v.string()),
  password: described('The password of the user.', v.string()),
  scope: v.optional(
    described(
      'What the token may do: permissions with spaces between them. Without it, all that the role of the user allows.',
      v.nullable(v.string()),
    ),
  ),
  property_ids: v.optional(
    described(
      'The properties that the token reaches. Without it, all of the account, also later ones.',
      v.nullable(propertyList),
    ),
  ),
  name: v.optional(
    described(
      `Makes the token a key, which no sign-in ends. A user has at most ${limits.auth.keysPerUser}.`,
      v.nullable(nameSchema),
    ),
  ),
  expires_in: v.optional(
    described(
      `The number of seconds for which the token is valid: at most ${daysOf(limits.auth.tokenSeconds)} days, and ${daysOf(limits.auth.keySeconds)} days for a key. Without it, ${daysOf(limits.auth.tokenSeconds)} days.`,
      v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(limits.auth.keySeconds))),
    ),
  ),
});

/** The response of the token route. */
export const tokenAnswer = v.object({
  access_token: described(
    'The token. Send it as `Authorization: Bearer …`, and keep it instead of signing in again.',
    v.string(),
  ),
  token_type: described('How to send the token.', v.literal('Bearer')),
  expires_in: described(
    `The number of seconds for which the token is valid: ${limits.auth.tokenSeconds} unless the request asked for another number.`,
    v.pipe(v.number(), v.integer()),
  ),
  scope: described('What the token may do: permissions with spaces between them.', v.string()),
  session_id: described('Always null.', v.null()),
});

const idOf = (what: string) => described(`The id of the ${what}.`, v.pipe(v.number(), v.integer()));
const nameOf = (what: string) => described(`The name of the ${what}.`, v.string());

const permissionList = described('What the token may do.', v.array(permissionSchema));

const tokenProperties = described(
  'The properties to which the token is limited; null for all of the account.',
  v.nullable(v.array(v.pipe(v.number(), v.integer()))),
);

const markOf = described('The mark of the token. The audit log shows it as `token`.', v.string());

const keyName = described('The name of a key; null for the token of a sign-in.', v.nullable(v.string()));

const expiry = described('When the token expires.', v.pipe(v.string(), v.isoTimestamp()));

/** The owner of a token, what the token may do and the properties within its reach. */
export const callerAnswer = v.object({
  user: described('The user to whom the token belongs.', creatorSchema),
  role: described('The role of the user.', roleSchema),
  permissions: permissionList,
  account: described('The account of the user.', v.object({ id: idOf('account'), name: nameOf('account') })),
  properties: described(
    'The properties that the token reaches, in the order of their creation.',
    v.array(
      v.object({
        id: idOf('property'),
        name: nameOf('property'),
        search_names: described('Whether people of the property are found by name.', v.boolean()),
      }),
    ),
  ),
  token: described(
    'The token.',
    v.object({ id: markOf, name: keyName, properties: tokenProperties, expires: expiry }),
  ),
});

/** A token in the list of its user. */
export const shownToken = v.object({
  id: markOf,
  name: keyName,
  permissions: permissionList,
  properties: tokenProperties,
  created: described('When the token was made.', v.pipe(v.string(), v.isoTimestamp())),
  expires: expiry,
});

/** The tokens of the caller. */
export const tokensAnswer = v.object({
  tokens: described(
    'The tokens of the user that work, the oldest first. Tokens that may do or reach more than your own are left out.',
    v.array(shownToken),
  ),
});

/** The answer to the end of a token. */
export const endedTokenAnswer = v.object({ id: markOf });

/** A request to revoke a token, for the documentation. */
export const revokeRequest = v.object({ token: described('The token to end.', v.string()) });

/** The answer to a request to revoke a token, whether there was one or not. */
export const revokeAnswer = v.object({});
