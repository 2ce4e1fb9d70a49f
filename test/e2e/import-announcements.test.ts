import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { storedImportAnswer } from '../../shared/imports/schemas/definition-schemas.ts';
import { importDeliveriesAnswer, importDeliveryAnswer } from '../../shared/imports/schemas/report-schemas.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { openReceiver } from '../support/webhook-receiver.ts';
import { bucketOf } from '../support/buckets.ts';
import { tellOfNewFile } from '../support/file-events.ts';
import { definitionOf } from '../support/field-map.ts';

const event = v.looseObject({ type: v.string(), job_id: v.number(), status: v.string() });

it('the end of a file from SFTP is told by webhook, once more on request, and by mail, and lies beside the file', async () => {
  await using service = await startService();
  await using receiver = await openReceiver();
  const { client, property, userEmail, cloud } = service;
  const definition = definitionOf(['email'], { webhook_url: receiver.url, notification_email: userEmail });
  const made = await client.post(`/v1/${property}/imports`, definition, storedImportAnswer);
  await tellOfNewFile(service, `${made.id}/people.csv`, 'email\na@x.org\nbad\n');
  const { body, headers } = await receiver.next();
  const told = v.parse(event, new Webhook(made.webhook_secret ?? '').verify(body, headers));
  expect(told).toMatchObject({
    type: 'import.completed',
    status: 'complete-with-errors',
    job: { refused_by: [{ field: 'email', code: 'not_an_email', count: 1, example_line: 3 }] },
  });
  const path = `/v1/${property}/imports/${made.id}/jobs/${told.job_id}/deliveries`;
  const deliveries = await until('every delivery', async () => {
    const found = (await client.get(path, importDeliveriesAnswer)).deliveries;
    return found.filter(({ state }) => state === 'delivered').length === 3 ? found : undefined;
  });
  expect(deliveries.map(({ kind, attempts }) => [kind, attempts])).toEqual([
    ['result_files', 1],
    ['webhook', 1],
    ['email', 1],
  ]);
  const replay = `${path}/${told.job_id}-webhook/replay`;
  expect(await client.post(replay, undefined, importDeliveryAnswer)).toMatchObject({ replays: 1 });
  const again = await receiver.next();
  expect(again.headers['webhook-id']).toBe(headers['webhook-id']);
  expect(v.parse(event, JSON.parse(again.body))).toMatchObject({ type: told.type, job_id: told.job_id });
  const bucket = bucketOf(cloud, 'uploads');
  const folder = `sftp/1/${property}/imports/${made.id}/`;
  const names = ['people.csv', 'people.csv.refused.csv', 'people.csv.result.json'];
  expect(cloud.parts.storage.s3.list(bucket, folder)).toEqual(
    expect.arrayContaining(names.map((name) => `${folder}${name}`)),
  );
});
