import fc from 'fast-check';
import { expect, it } from 'vitest';
import { authHarness, credentials, makeAccount } from '../auth/harness.ts';
import { jsonOf } from '../support/answers.ts';
import { casesOf } from '../support/scale.ts';
import { sampleHarness } from './route.ts';

/** JSON and text of every kind, with the field names of the schema among the keys. */
const key = fc.oneof(
  fc.constantFrom('name', 'kind', 'records', 'inner', 'reference', 'amount', 'id', '__proto__', 'toString'),
  fc.string({ unit: 'binary' }),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 6 },
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.constantFrom(null, true, 1e400, -0, 2 ** 53, ''),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(key, tie('any'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).any;
const text = fc.oneof(
  value.map((json) => JSON.stringify(json)),
  fc.string({ unit: 'binary' }),
  fc.string().map((inner) => `{"name":${inner}}`),
);
const body = fc.oneof(text, fc.uint8Array());
const header = fc.oneof(fc.constantFrom('application/json', 'k-1', ''), fc.string({ unit: 'binary' }));
const query = fc.oneof(fc.webQueryParameters(), fc.string({ unit: 'binary' }), fc.constant('limit=5'));

const RUNS = casesOf('FUZZ_RUNS', { full: 3_000, sample: 1_000 });

it('no request to a route with a token is answered with a 5xx', async () => {
  const sample = await sampleHarness();
  const request = fc.record({ body, query, type: header, idempotencyKey: header, thing: fc.string() });
  await fc.assert(
    fc.asyncProperty(request, async ({ type, idempotencyKey, thing, ...sent }) => {
      const parameters = { property_id: String(sample.demo.property), thing_id: thing };
      for (const more of [
        {},
        { parameters },
        { headers: { 'content-type': type, 'idempotency-key': idempotencyKey } },
      ]) {
        const answer = await sample.send({ ...sent, ...more });
        expect(answer.statusCode).toBeLessThan(500);
        expect(jsonOf(answer)).toBeDefined();
      }
    }),
    { numRuns: RUNS },
  );
}, 120_000);

it('no token request is answered with a 5xx, and only the right credentials get a token', async () => {
  const harness = authHarness();
  const demo = await makeAccount(harness, 'demo');
  const field = fc.constantFrom('grant_type', 'client_id', 'username', 'password');
  await fc.assert(
    fc.asyncProperty(body, field, value, async (sent, name, replaced) => {
      const changed = { ...credentials(demo), [name]: replaced };
      harness.time.now += 3_600_000;
      for (const one of [sent, JSON.stringify(changed)]) {
        const answer = await harness.send({ body: one });
        expect(answer.statusCode).toBeLessThan(500);
        expect(answer.statusCode).toBeGreaterThanOrEqual(400);
        expect(jsonOf(answer)).toHaveProperty('error');
      }
    }),
    { numRuns: RUNS },
  );
}, 120_000);
