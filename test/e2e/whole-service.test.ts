import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { makeSample, sampleDefinition } from '../../cli/sample.ts';
import { forgottenAnswer } from '../../shared/profiles/schemas.ts';
import { returnedFields } from '../../shared/profiles/fields.ts';
import { finalCounts, identified, jobSchema, uploadFile } from '../support/api-client.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { openReceiver } from '../support/webhook-receiver.ts';

const profileSchema = v.object({ profile: v.record(v.string(), v.nullable(v.string())) });
const segmentsSchema = v.array(v.object({ id: v.number(), name: v.string(), type: v.string() }));
const pageSchema = v.object({
  paging: v.looseObject({
    next_page: v.nullable(v.string()),
    previous_page: v.nullable(v.string()),
    count: v.number(),
  }),
  profiles: v.array(v.looseObject({ profile_uuid: v.string(), email: v.nullable(v.string()) })),
});
const profileUuidSchema = v.looseObject({ profile_uuid: v.string() });
const errorsSchema = v.looseObject({
  errors: v.array(
    v.looseObject({
      row: v.number(),
      line: v.nullable(v.number()),
      field: v.nullable(v.string()),
      code: v.string(),
      message: v.string(),
    }),
  ),
  paging: v.looseObject({ next_page: v.nullable(v.string()) }),
});
const exportSchema = v.looseObject({ id: v.string(), status: v.string(), webhook_secret: v.string() });
const exportJobsSchema = v.looseObject({ jobs: v.array(v.looseObject({ id: v.string() })) });
const exportJobSchema = v.looseObject({
  status: v.string(),
  rows: v.nullable(v.number()),
  location: v.nullable(v.string()),
});

describe('the whole service', () => {
  const sample = makeSample(600, 11);
  let service: Service;

  shared.beforeAll(({ service: own }) => {
    service = own;
  });

  it('an import stores every good row and explains every bad row', async () => {
    const { client, property } = service;
    const { id } = await client.post(`/v1/${property}/imports`, sampleDefinition, identified);
    const job = await uploadFile(client, `/v1/${property}/imports/${id}`, {
      name: 'visitors.csv',
      bytes: Buffer.from(sample.csv),
    });
    const { rows, refused } = sample.planted;
    expect(await finalCounts(client, job)).toEqual({
      status: 'complete-with-errors',
      ingested: rows,
      serialized: rows - refused,
      unserializable: refused,
      processing: 0,
      completed: rows - refused,
      failed: 0,
    });
    const { errors } = await client.get(`${job}/errors`, errorsSchema);
    expect(errors).toHaveLength(refused);
    for (const { row, message, code } of errors) {
      expect(row).toBeGreaterThan(0);
      expect(code).toMatch(/^[a-z_]+$/);
      expect(message).not.toBe('');
    }
  });

  it('a lookup returns all fields', async () => {
    const { client, property } = service;
    const { profile } = await client.get(
      `/v1/${property}/profile?email=${encodeURIComponent(sample.email)}`,
      profileSchema,
    );
    expect(Object.keys(profile).toSorted()).toEqual([...returnedFields].toSorted());
    expect(profile['email']).toBe(sample.email);
  });

  it('the pages of a segment hold each member once, in both directions', async () => {
    const { client, property } = service;
    const segment = await tagSegment(service, sample.planted.tag);
    const path = `/v2/properties/${property}/segments/${segment}/profiles`;
    const whole = await client.get(path, pageSchema);
    const expected = whole.profiles.map(({ profile_uuid }) => profile_uuid);
    expect(expected).toHaveLength(sample.planted.tagged);
    const forward: string[] = [];
    let next: string | null = `${path}?limit=7`;
    let last: string | null = null;
    while (next !== null) {
      const page: v.InferOutput<typeof pageSchema> = await client.get(next, pageSchema);
      forward.push(...page.profiles.map(({ profile_uuid }) => profile_uuid));
      last = page.paging.previous_page;
      next = page.paging.next_page;
    }
    expect(forward).toEqual(expected);
    expect(last).not.toBeNull();
  });

  it('an export holds each member of its segment once and notifies the webhook', async () => {
    const { client, property } = service;
    const segment = await tagSegment(service, sample.planted.tag);
    await using receiver = await openReceiver();
    const definition = { segment: [segment], field_set: 'email', webhook_url: receiver.url };
    const created = await client.post(`/v1/${property}/exports`, definition, exportSchema);
    expect(created.status).toBe('received');
    const call = await receiver.next();
    const notice = v.parse(
      v.looseObject({ type: v.literal('export.completed'), location: v.string(), rows: v.number() }),
      new Webhook(created.webhook_secret).verify(call.body, call.headers),
    );
    const file = await fetch(notice.location);
    const lines = (await file.text()).trimEnd().split('\r\n');
    expect(lines[0]).toBe('email');
    expect(new Set(lines.slice(1)).size).toBe(sample.planted.tagged);
    expect(lines).toHaveLength(1 + sample.planted.tagged);
    const { jobs } = await client.get(`/v1/${property}/exports/${created.id}/jobs`, exportJobsSchema);
    const job = await client.get(
      `/v1/${property}/exports/${created.id}/jobs/${jobs[0]?.id}`,
      exportJobSchema,
    );
    expect(job).toMatchObject({ status: 'complete', rows: sample.planted.tagged, location: notice.location });
  });

  it('one job takes batches of records and is reopened', async () => {
    const { client, property } = service;
    const { id } = await client.post(
      `/v1/${property}/imports`,
      { ...sampleDefinition, name: 'Batches' },
      identified,
    );
    const jobs = `/v1/${property}/imports/${id}/jobs`;
    const job = await client.post(
      jobs,
      { name: 'first' },
      v.looseObject({ id: v.number(), counts: v.looseObject({ status: v.string() }) }),
    );
    expect(job.counts.status).toBe('unknown');
    const send = (records: readonly unknown[]) =>
      client.post(
        `/v1/${property}/import-data`,
        { name: 'b', import_job: job.id, skip_appends: false, records },
        v.looseObject({ import_job: jobSchema }),
      );
    const first = await send([
      { email: 'batch.1@example.org', unique_id: 'B-1' },
      { email: 'nonsense', unique_id: 'B-2' },
    ]);
    expect(first.import_job.counts).toMatchObject({ status: 'ingestion-complete', ingested: 2 });
    expect(await finalCounts(client, `${jobs}/${job.id}`)).toMatchObject({
      ingested: 2,
      completed: 1,
      unserializable: 1,
    });
    await send([
      {
        email: 'batch.3@example.org',
        unique_id: 'B-3',
        tags: [{ datetime: '2026-01-02 03:04:05', tag: ['batched'] }],
      },
    ]);
    expect(await finalCounts(client, `${jobs}/${job.id}`)).toMatchObject({
      ingested: 3,
      completed: 2,
      unserializable: 1,
    });
    const segment = await tagSegment(service, 'batched');
    const page = await client.get(`/v2/properties/${property}/segments/${segment}/profiles`, pageSchema);
    expect(page.profiles.map(({ email }) => email)).toEqual(['batch.3@example.org']);
  });

  it('a forgotten person disappears from lookups and segments with the answer', async () => {
    const { client, property } = service;
    const members = `/v2/properties/${property}/segments/${await tagSegment(service, sample.planted.tag)}/profiles`;
    const before = await client.get(members, pageSchema);
    const [gone] = before.profiles;
    const query = `profile_uuid=${gone?.profile_uuid}`;
    const answer = await service.call('DELETE', `/v1/${property}/profile?${query}`);
    expect(answer.status).toBe(200);
    const forgotten = v.parse(forgottenAnswer, JSON.parse(answer.text));
    expect(forgotten.profile_uuid).toBe(gone?.profile_uuid);
    expect(forgotten.removed.identities).toBeGreaterThan(0);
    const after = await client.get(members, pageSchema);
    expect(after.profiles).toEqual(before.profiles.slice(1));
    expect((await service.call('GET', `/v1/${property}/profile?${query}`)).status).toBe(404);
    const again = await client.post(`/v1/${property}/profiles`, { email: gone?.email }, profileUuidSchema);
    expect(again.profile_uuid).not.toBe(gone?.profile_uuid);
  });
});

const tagSegment = async ({ client, property }: Service, name: string): Promise<number> => {
  const found = await client.get(`/v1/${property}/segments?name=${encodeURIComponent(name)}`, segmentsSchema);
  const segment = found.find(({ type }) => type === 'tag');
  if (!segment) throw new Error(`no tag segment ${name}`);
  return segment.id;
};
