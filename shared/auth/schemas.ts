import * as v from 'valibot';

/** A token request for the documentation. `token-request.ts` parses it by hand, because its errors follow RFC 6749. */
export const tokenRequest = v.object({
  grant_type: v.literal('password'),
  client_id: v.string(),
  username: v.string(),
  password: v.string(),
});

/** The response of the token route. */
export const tokenAnswer = v.object({
  access_token: v.string(),
  token_type: v.literal('Bearer'),
  expires_in: v.number(),
  session_id: v.null(),
});

const id = v.number();

/** The owner of a token and the properties within its reach. */
export const callerAnswer = v.object({
  user: v.object({ id, email: v.string(), first_name: v.string(), last_name: v.string() }),
  account: v.object({ id, name: v.string() }),
  /** In order of creation. */
  properties: v.array(v.object({ id, name: v.string() })),
  token: v.object({ expires: v.string() }),
});
