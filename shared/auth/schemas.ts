import * as v from 'valibot';

/** A token request as documented. It is read by hand (`token-request.ts`), since its errors are those of RFC 6749. */
export const tokenRequest = v.object({
  grant_type: v.literal('password'),
  client_id: v.string(),
  username: v.string(),
  password: v.string(),
});

/** The answer of the token route. */
export const tokenAnswer = v.object({
  access_token: v.string(),
  token_type: v.literal('Bearer'),
  expires_in: v.number(),
  session_id: v.null(),
});

const id = v.number();

/** Who a token belongs to, and what it reaches. */
export const callerAnswer = v.object({
  user: v.object({ id, email: v.string(), first_name: v.string(), last_name: v.string() }),
  account: v.object({ id, name: v.string() }),
  /** In the order they were made. */
  properties: v.array(v.object({ id, name: v.string() })),
  token: v.object({ expires: v.string() }),
});
