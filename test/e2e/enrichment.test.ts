import * as v from 'valibot';
import { afterAll, describe, expect, it } from 'vitest';
import { finalCounts } from '../support/api-client.ts';
import { operate } from '../support/operate.ts';
import { openReferenceEnricher, type ReferenceEnricher } from '../support/reference-enricher.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { until } from '../support/until.ts';
import { tableNames } from '../support/table-names.ts';
import { defineImport, importFile, openJob } from '../support/running.ts';
import { definitionOf } from '../support/field-map.ts';

const createdSchema = v.looseObject({ profile_uuid: v.string() });
const provenance = v.looseObject({ value: v.unknown(), tier: v.string(), source: v.string() });
const explainedSchema = v.object({
  profile: v.record(v.string(), v.nullable(v.string())),
  provenance: v.looseObject({ fields: v.record(v.string(), v.array(provenance)) }),
});
const errorsSchema = v.looseObject({ errors: v.array(v.looseObject({ record: v.string() })) });
const secretSchema = v.looseObject({ ok: v.literal(true), secret: v.string() });
const segmentsSchema = v.array(v.object({ id: v.number(), name: v.string(), type: v.string() }));

/** A part of every token of these tests that occurs nowhere else. */
const canary = 'canary7d31f0';
const definition = definitionOf(['email', 'first_name', 'social_token']);

describe('a social token', () => {
  let service: Service;
  let enricher: ReferenceEnricher;
  const logged: string[] = [];

  shared.beforeAll(async ({ service: own }) => {
    service = own;
    service.cloud.logs.observe((_, text) => void logged.push(text));
    enricher = await openReferenceEnricher();
    const command = {
      command: 'enricher.set',
      property: service.property,
      name: 'network',
      url: enricher.url,
      asks: 'social_token',
      tiers: ['social_network'],
    };
    enricher.useSecret(v.parse(secretSchema, await operate(service, command)).secret);
  });
  afterAll(() => enricher[Symbol.asyncDispose]());

  /** The profile with the social id that only the enricher knows. */
  const foundBySocialId = (person: string) =>
    until(`${person} is found by a social id`, async () => {
      const path = `/v1/${service.property}/profile?social_id=network/${person}&explain=true`;
      const answer = await service.call('GET', path);
      return answer.status === 200 ? v.parse(explainedSchema, JSON.parse(answer.text)) : undefined;
    });

  it('a social token sent with a profile brings a social id and values of the granted trust', async () => {
    const { client, property } = service;
    const record = { email: 'ann@example.org', full_name: 'Ann', social_token: `ann-${canary}` };
    const { profile_uuid } = await client.post(`/v1/${property}/profiles`, record, createdSchema);
    const { profile, provenance: origins } = await foundBySocialId('ann');
    expect(profile).toMatchObject({
      profile_uuid,
      email: 'ann@example.org',
      social_id: 'network/ann',
      full_name: 'Ann',
      gender: 'f',
    });
    expect(origins.fields['full_name']).toMatchObject([
      { value: 'Ann', tier: 'stated', source: 'api', won: true },
      { value: 'ann of the network', tier: 'social_network', source: 'enricher:network', won: false },
    ]);
    expect(origins.fields['email']).toMatchObject([{ tier: 'stated', source: 'api' }]);
    expect(origins.fields['social_id']).toMatchObject([{ tier: 'stated', source: 'enricher:network' }]);
    expect(enricher.requests.at(-1)).toMatchObject({
      property_id: property,
      social_token: `ann-${canary}`,
      identities: { email: 'ann@example.org' },
    });
  });

  it('a social token moves its person between segments', async () => {
    const { client, property } = service;
    await until('the segment of the enriched values', async () => {
      const found = await client.get(`/v1/${property}/segments?name=Gender%3A%20f`, segmentsSchema);
      const page = v.looseObject({ profiles: v.array(v.looseObject({ email: v.nullable(v.string()) })) });
      const path = `/v2/properties/${property}/segments/${found[0]?.id}/profiles`;
      const members = found[0] ? (await client.get(path, page)).profiles : [];
      return members.some(({ email }) => email === 'ann@example.org') ? true : undefined;
    });
  });

  it('a social token in a batch is enriched too, and the report of a refused record hides it', async () => {
    const { client, property } = service;
    const { id, job } = await openJob(service, await defineImport(service, definition));
    const records = [
      { email: 'ben@example.org', social_token: `ben-${canary}` },
      { email: 'wrong', social_token: `wrong-${canary}` },
      { email: 'long@example.org', social_token: canary.repeat(1_000) },
      { email: 'odd@example.org', social_token: [canary] },
    ];
    await client.post(
      `/v1/${property}/import-data`,
      { name: 'b', import_job: id, skip_appends: false, records },
      v.unknown(),
    );
    expect(await finalCounts(client, job)).toMatchObject({ completed: 1, unserializable: 3 });
    const { profile } = await foundBySocialId('ben');
    expect(profile).toMatchObject({ email: 'ben@example.org', full_name: 'ben of the network' });
    const { errors } = await client.get(`${job}/errors`, errorsSchema);
    expect(errors).toMatchObject([
      { field: 'email', record: JSON.stringify({ email: 'wrong', social_token: '[hidden]' }) },
      { field: 'social_token', code: 'too_long' },
      { field: 'social_token', code: 'wrong_type' },
    ]);
  });

  it('a social token in a column of a file is enriched too', async () => {
    const lines = ['email,first_name,social_token', `cy@example.org,Cy,cy-${canary}`, `wrong,W,w-${canary}`];
    const path = await defineImport(service, definition);
    const { job, counts } = await importFile(service, path, lines.join('\r\n'));
    expect(counts).toMatchObject({ completed: 1, unserializable: 1 });
    expect((await foundBySocialId('cy')).profile).toMatchObject({ first_name: 'Cy', gender: 'f' });
    const { errors } = await service.client.get(`${job}/errors`, errorsSchema);
    expect(errors.map(({ record }) => record)).toEqual(['wrong,W,[hidden]']);
  });

  it('no item of the table, no object of the work bucket and no log line holds a social token', async () => {
    const { cloud } = service;
    // Not until the cloud is idle: workflows of other files may wait on it for hours.
    await until('the end of the three questions', () =>
      logged.join('').split('"enrichment.done"').length > 3 ? true : undefined,
    );
    const { table, s3 } = cloud.parts.storage;
    const { body } = await table.call('Scan', { TableName: tableNames.table });
    expect(JSON.stringify(body)).toContain('ann@example.org');
    expect(traces(JSON.stringify(body))).toEqual([]);
    const [work = ''] = cloud.deployment.buckets.map((one) => one.name).filter((one) => /-work-/.test(one));
    const objects = s3.list(work);
    expect(objects.length).toBeGreaterThan(2);
    for (const key of objects) {
      const text = (await s3.get(work, key))?.toString('utf8') ?? '';
      expect([key, traces(text)]).toEqual([key, []]);
    }
    expect(traces(logged.join(''))).toEqual([]);
  });
});

/** The places of the canary in a text: in clear, or inside an encoded part. */
const traces = (text: string): readonly string[] => {
  const encoded = text.match(/[\w+/=-]{12,}/g) ?? [];
  return [text, ...encoded.map((word) => Buffer.from(word, 'base64').toString('latin1'))]
    .filter((one) => one.includes(canary))
    .map((one) => one.slice(0, 100));
};
