import { expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { reconcileInAnHour, storeUnannounced } from '../support/file-events.ts';
import { counted, rows, sftpHarness } from './sftp-harness.ts';

it('the reconciliation imports a file whose event was lost, and leaves a broken file alone', async () => {
  await using harness = await sftpHarness();
  const definition = await harness.define();
  const client = await harness.login();
  const path = `/imports/${definition}/broken.csv`;
  const handle = await client.open(path);
  await client.write(handle, rows('cut').slice(0, 40));
  client.cut();
  using again = await harness.login();
  await until('the part', async () =>
    (await again.list(`/imports/${definition}`)).length > 0 ? true : undefined,
  );
  await harness.service.cloud.idle();
  await storeUnannounced(harness.service, `${definition}/lost.csv`, rows('lost'));
  await reconcileInAnHour(harness.service);
  expect(await harness.countsOf(definition, 'lost.csv')).toMatchObject(counted);
  await reconcileInAnHour(harness.service);
  expect(await harness.jobsOf(definition)).toHaveLength(1);
}, 240_000);
