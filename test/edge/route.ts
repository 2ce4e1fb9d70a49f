import * as v from 'valibot';
import { entry, apiFunction } from '../../functions/entry.ts';
import { apiHandler, type ApiRuntime } from '../../shared/edge/api-handler.ts';
import type { ApiRequest } from '../../shared/http/api-types.ts';
import { ok } from '../../shared/runtime/result.ts';
import { apiEvent, type Sent } from '../support/api-event.ts';
import { authHarness, makeAccount, tokenOf, type AuthHarness } from '../auth/harness.ts';

/** Sample route: uses every feature of a route, as the target of hostile requests. */
export const sampleRoute = entry(() => ({
  ...apiFunction('api'),
  source: 'test/sample',
  summary: 'A sample',
  trigger: {
    kind: 'http',
    method: 'POST',
    path: '/v1/{property_id}/things/{thing_id}',
    auth: 'token',
    permission: 'definitions.write',
    query: v.strictObject({ limit: v.exactOptional(v.pipe(v.string(), v.regex(/^[1-9][0-9]{0,3}$/))) }),
    body: v.strictObject({
      name: v.pipe(v.string(), v.minLength(1), v.maxLength(20)),
      kind: v.exactOptional(v.picklist(['a', 'b'])),
      reference: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
      inner: v.exactOptional(v.strictObject({ 'a/b~c': v.array(v.boolean()) })),
      amount: v.exactOptional(v.number()),
      records: v.exactOptional(v.array(v.unknown())),
    }),
    judgedApart: 'records',
    statuses: [201],
  },
  access: {},
}));

/**
 * The sample route on an in-memory table, with two accounts and a token of each. `seen` holds the inputs of the use
 * case.
 */
export const sampleHarness = async (harness: AuthHarness = authHarness(), more: Partial<ApiRuntime> = {}) => {
  const [demo, other] = [await makeAccount(harness, 'demo'), await makeAccount(harness, 'other')];
  const tokens = { demo: await tokenOf(harness, demo), other: await tokenOf(harness, other) };
  const seen: ApiRequest<unknown, unknown>[] = [];
  const handler = apiHandler(
    sampleRoute,
    (_: unknown, request) => {
      seen.push(request);
      return Promise.resolve(ok({ status: 201, body: { name: request.body.name, n: seen.length } }));
    },
    () => undefined,
    { runtime: { ...harness.around, ...more } },
  );
  const send = (sent: Sent = {}) => handler(eventOf(demo.property, tokens.demo, sent));
  return { harness, demo, other, tokens, seen, handler, send };
};

/** A valid request to the sample route, with some parts replaced. */
export const eventOf = (property: number, token: string, sent: Sent) =>
  apiEvent({
    method: 'POST',
    parameters: { property_id: String(property), thing_id: '7' },
    body: { name: 'x' },
    ...sent,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...sent.headers,
    },
  });
