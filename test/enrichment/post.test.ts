import * as v from 'valibot';
import { expect, it } from 'vitest';
import { enrichmentMessage, openQuestion } from '../../shared/enrichment/enrichment-question.ts';
import { propertyScopes } from '../../shared/properties/property-keys.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { must } from '../auth/harness.ts';
import { profileRoutes } from '../profiles/routes.ts';
import { MemoryQueue } from '../support/memory-queue.ts';

const PROPERTY = 1001;

/** The routes of a property with an enricher; `failing` makes its queue fail. */
const setUp = async (asks: 'social_token' | 'identity') => {
  const state = { failing: false };
  const enrichments = new MemoryQueue(() => {
    if (state.failing) throw new UnavailableError('queue: down');
  });
  const routes = await profileRoutes(enrichments);
  const wanted = { name: 'e', url: 'https://e.example/', asks, tiers: ['social_network'] };
  must(await routes.harness.run({ command: 'enricher.set', property: PROPERTY, ...wanted }));
  const scope = await propertyScopes(routes.harness.deps)(PROPERTY);
  const questions = () =>
    enrichments.takeBodies().map((body) => openQuestion(scope, v.parse(enrichmentMessage, body)).question);
  return { ...routes, state, questions };
};

it('POST profiles queues the enrichment requests before it answers', async () => {
  const { demo, questions } = await setUp('social_token');
  expect((await demo.post({ email: 'a@b.co', social_token: 't' })).statusCode).toBe(201);
  expect(questions()).toMatchObject([{ token: 't', identities: [{ value: 'a@b.co' }] }]);
  expect((await demo.post({ email: 'a@b.co' })).statusCode).toBe(200);
  expect((await demo.post({ email: 'a@b.co', social_token: 't', age: 200 })).statusCode).toBe(422);
  expect(questions()).toEqual([]);
});

it('POST profiles asks with the stamp that its values were stored with', async () => {
  const { demo, questions, harness } = await setUp('social_token');
  await demo.post({ email: 'a@b.co', gender: 'f' });
  harness.time.now -= 60_000;
  await demo.post({ email: 'a@b.co', gender: 'm', social_token: 't' });
  const explained = await demo.lookup('email=a@b.co&explain=true');
  const [question] = questions();
  const [ms = '', order] = question?.stamp.split('.') ?? [];
  expect(explained.body).toContain(new Date(Number(ms)).toISOString());
  expect([Number(ms), order]).toEqual([harness.time.now + 60_000, '000000001']);
});

it('POST profiles answers 503 when it cannot queue, and asks when it is repeated', async () => {
  for (const asks of ['social_token', 'identity'] as const) {
    const { demo, questions, state } = await setUp(asks);
    const request = { email: 'a@b.co', social_token: 't' };
    const key = { 'idempotency-key': 'k1' };
    state.failing = true;
    expect((await demo.post(request, key)).statusCode).toBe(503);
    state.failing = false;
    expect((await demo.post(request, key)).statusCode).toBe(asks === 'identity' ? 201 : 200);
    expect(questions()).toMatchObject([{ enricher: 'e', identities: [{ value: 'a@b.co' }] }]);
  }
});
