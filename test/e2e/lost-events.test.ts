import { expect, it } from 'vitest';
import { answered, done } from '../../local/test/support/sftp-client.ts';
import { until } from '../support/until.ts';
import { reconcileInAnHour, storeUnannounced } from '../support/file-events.ts';
import { counted, rows, sftpHarness } from './sftp-harness.ts';

it('the reconciliation imports a file whose event was lost, and leaves a broken file alone', async () => {
  await using harness = await sftpHarness();
  const definition = await harness.define();
  const client = await harness.login();
  const path = `/imports/${definition}/broken.csv`;
  const handle = await answered<Buffer>((callback) => client.raw.open(path, 'w', callback));
  await done((callback) => client.raw.write(handle, Buffer.from(rows('cut')), 0, 40, 0, callback));
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
