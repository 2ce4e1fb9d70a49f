import { afterAll, expect, it } from 'vitest';

import { createFaults } from '../core/faults.ts';
import { startFixture } from './fixtures/cloud.ts';

const cloud = await startFixture({
  // Every call of a function fails, and every worker is killed.
  faults: createFaults(1, 1),
  application: {
    shortName: (name) => name.replace('fixture-work-', ''),
    kindOf: () => 'thing',
    spared: ['worker'],
    bounds: { 'ANY /files/{proxy+}': 0 },
  },
});
afterAll(() => cloud.stop());

it('a function whom the application spares meets no faults, under the short name that it gives', async () => {
  expect(await cloud.invoke('worker', { hello: 'event' })).toMatchObject({ ok: true });
  const lines = cloud.gateway.meter.snapshot().filter(({ caller }) => caller === 'worker');
  expect(lines.map(({ kind }) => kind)).toContain('thing');
});

it('a route answers no more requests at a time than the application bounds', async () => {
  expect((await fetch(`${cloud.baseUrl}/files/work`)).status).toBe(429);
});

it('stacks with a problem of the application do not start', async () => {
  const start = startFixture({
    application: { problemsOf: ({ functions }) => [`one of ${functions.length} functions lacks a part`] },
  });
  await expect(start).rejects.toThrow('one of 3 functions lacks a part');
});
