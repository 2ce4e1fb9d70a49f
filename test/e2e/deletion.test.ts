import * as v from 'valibot';
import { expect, it } from 'vitest';
import { finalCounts } from '../support/api-client.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { completeJobs, defineExport, defineImport, openJob, segmentId } from '../support/running.ts';
import { definitionOf } from '../support/field-map.ts';
import { keptNames } from '../support/items.ts';

const progress = v.looseObject({ ok: v.literal(true), state: v.string(), items: v.number() });

it('a property with profiles, an access request, segments, an import and a scheduled export is removed from the table and the buckets', async () => {
  await using service = await startService();
  const { client, property, cloud } = service;
  const { id, job } = await openJob(service, await defineImport(service, definitionOf(['email'])));
  const records = Array.from({ length: 50 }, (_, index) => ({ email: `gone${index}@example.org` }));
  const batch = { name: 'b', import_job: id, skip_appends: false, records: [...records, { email: 'x' }] };
  await client.post(`/v1/${property}/import-data`, batch, v.unknown());
  await finalCounts(client, job);
  const segment = [await segmentId(service)];
  const exportId = await defineExport(service, { segment, schedule: { hour: '3', minute: '0' } });
  await client.post(`/v1/${property}/exports/${exportId}/jobs`, {}, v.unknown());
  await completeJobs(service, exportId);

  const large = { email: 'large@example.org', extra_data: { notes: '"'.repeat(150_000) } };
  await client.post(`/v1/${property}/profiles`, large, v.unknown());
  const file = await service.call('GET', `/v1/${property}/profile/access-request?email=large@example.org`);
  expect(file.status).toBe(303);

  const left = async () => (await keptNames(cloud)).filter((name) => name.includes(String(property)));
  const before = await left();
  expect(before.length).toBeGreaterThan(100);
  for (const folder of ['batches/', 'refused/', 'access-requests/', 'p', 'exports/p'])
    expect(
      before.filter((name) => name.startsWith(`${folder}${property}/`)),
      folder,
    ).not.toEqual([]);
  const call = async () => {
    const payload = { command: 'property.delete', property, confirm: String(property) };
    const outcome = await cloud.invoke('deleteProperty', payload);
    return v.parse(progress, JSON.parse(outcome.ok ? outcome.payload : '{}'));
  };
  await until('the end of a pass', async () => (await call()).state === 'waiting' || undefined);
  // The item of the property goes at the end of the deletion: until then, a restore shows what it brought back.
  expect(await left()).toEqual([`P#${property} PROPERTY`]);
});
