import { expect, it } from 'vitest';
import { startService } from '../support/service.ts';

/** A person with new tags: each tag is a segment with items of its own. */
const person = (n: number, tags: number) =>
  JSON.stringify({
    email: `p${n}@example.org`,
    tags: [
      { datetime: '2026-05-01 09:00:00', tag: Array.from({ length: tags }, (_, tag) => `tag ${n} ${tag}`) },
    ],
  });

it('a request that consumes many units counts as many requests of its account, and of no other', async () => {
  await using service = await startService({ context: { accountRequestsPerSecond: '4' } });
  const path = `/v1/${service.property}/profiles`;
  const post = (n: number, tags: number) => service.call('POST', path, { body: person(n, tags) });
  const admitted: number[] = [];
  for (let n = 0; n < 40; n += 1) {
    const { status } = await post(n, 40);
    if (status === 429) break;
    expect(status).toBe(201);
    admitted.push(n);
  }
  // A window admits 40 plain requests.
  expect(admitted.length).toBeGreaterThan(0);
  expect(admitted.length).toBeLessThan(15);
  expect((await service.call('GET', '/v1/me', { as: 'other' })).status).toBe(200);
});
