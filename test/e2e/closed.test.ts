import { join } from 'node:path';
import { expect, it } from 'vitest';
import { askOperator, findTarget } from '../../cli/admin-service.ts';
import { smoke } from '../../cli/smoke-run.ts';
import { startChecked, startService } from '../support/service.ts';
import { newFolders, ofCheckout } from '../../local/test/support/folders.ts';

const newFolder = newFolders(ofCheckout);

it('a closed service answers operators and nobody else, keeps messages, and serves all of them once it is open', async () => {
  const dataDir = newFolder();
  const endpointsFile = join(dataDir, 'endpoints.json');
  {
    await using first = await startService({ dataDir });
    expect((await first.call('GET', '/healthz')).status).toBe(200);
  }
  const { cloud } = await startChecked({ dataDir, endpointsFile, context: { closed: 'true' } });
  try {
    const answers = ['/healthz', '/v1/me', '/nowhere'].map(async (path) => {
      const answer = await fetch(`${cloud.baseUrl}${path}`);
      return [answer.status, await answer.json()];
    });
    const unavailable = [503, { message: 'Service Unavailable' }];
    expect(await Promise.all(answers)).toEqual(answers.map(() => unavailable));
    const listed = await askOperator({ command: 'property.list' }, await findTarget({}, endpointsFile));
    expect(listed.ok).toBe(true);
    const never = () => Promise.reject(new Error('asked an operator function'));
    await expect(smoke({ ask: never, address: cloud.baseUrl, rows: 1, now: Date.now })).rejects.toThrow(
      /answers 503\. See docs\/runbook\.md, "First"/,
    );
    expect(cloud.parts.mappings).toEqual([]);
    expect(cloud.deployment.schedules.map(({ properties }) => properties.State)).not.toContain('ENABLED');
    cloud.parts.storage.sqs.queue('tidemark-local-fileEvents').send('not an event');
    expect(cloud.parts.storage.sqs.queue('tidemark-local-fileEvents').counts().visible).toBe(1);
  } finally {
    await cloud.stop();
  }
  await using later = await startService({ dataDir });
  expect((await later.call('GET', '/healthz')).status).toBe(200);
  await expect
    .poll(() => later.cloud.parts.storage.sqs.queue('tidemark-local-fileEvents').counts().visible, {
      timeout: 30_000,
    })
    .toBe(0);
}, 200_000);
