import * as v from 'valibot';
import * as entries from '../../functions/auth/entries.ts';
import { deleteToken } from '../../shared/auth/delete-token.ts';
import { getCaller } from '../../shared/auth/get-caller.ts';
import { listTokens } from '../../shared/auth/list-tokens.ts';
import { writeOAuthProblem } from '../../shared/auth/oauth-answer.ts';
import { revokeToken } from '../../shared/auth/revoke-token.ts';
import { tokensAnswer } from '../../shared/auth/schemas.ts';
import { callerHandler, type ApiRuntime } from '../../shared/edge/api-handler.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { apiEvent, type Sent } from '../support/api-event.ts';
import { jsonOf } from '../support/answers.ts';
import { demoHarness, tokenOf, type AuthHarness } from './harness.ts';

const bearer = (token: string) => (token === '' ? {} : { authorization: `Bearer ${token}` });

/** The routes about a caller, and the one that ends the token in its body. */
export const callerRoutes = (harness: AuthHarness, more: Partial<ApiRuntime> = {}) => {
  const options = { runtime: { ...harness.around, ...more } };
  const [me, list, end] = [
    callerHandler(entries.getCaller, getCaller, () => harness, options),
    callerHandler(entries.listTokens, listTokens, () => harness, options),
    callerHandler(entries.deleteToken, deleteToken, () => harness, options),
  ];
  const revoke = publicHandler(entries.revokeToken, revokeToken, () => harness.deps, {
    runtime: harness.deps,
    failure: writeOAuthProblem,
  });
  const path = '/v1/me/tokens';
  const listed = (token: string, sent: Sent = {}) =>
    list(apiEvent({ method: 'GET', path, headers: bearer(token), ...sent }));
  return {
    me: (token: string, sent: Sent = {}) =>
      me(apiEvent({ method: 'GET', path: '/v1/me', headers: bearer(token), ...sent })),
    list: listed,
    /** The tokens that a token sees; it must be good. */
    tokens: async (token: string) => v.parse(tokensAnswer, jsonOf(await listed(token))).tokens,
    end: (token: string, id: string, sent: Sent = {}) =>
      end(
        apiEvent({
          ...{ method: 'DELETE', path: `${path}/${id}`, headers: bearer(token) },
          ...{ parameters: { token_id: id }, ...sent },
        }),
      ),
    revoke: (sent: Sent) => revoke(apiEvent({ method: 'POST', path: '/oauth/revoke', ...sent })),
  };
};

/** The account of a user called `demo`, a token of the user, and the routes about callers. */
export const callerScene = async () => {
  const { harness, demo } = await demoHarness();
  return { harness, demo, routes: callerRoutes(harness), token: await tokenOf(harness, demo) };
};
export type CallerScene = Awaited<ReturnType<typeof callerScene>>;
