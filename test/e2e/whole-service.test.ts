import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { makeSample, sampleDefinition } from '../../cli/sample.ts';
import { forgottenAnswer, storedAnswer } from '../../shared/profiles/schemas.ts';
import { returnedFields } from '../../shared/profiles/fields.ts';
import { finalCounts, jobSchema } from '../support/api-client.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { openReceiver } from '../support/webhook-receiver.ts';
import { completeJobs, defineImport, importFile, segmentId } from '../support/running.ts';
import { createdExportAnswer } from '../../shared/exports/model/answers.ts';
import { errorsAnswer } from '../../shared/imports/schemas/report-schemas.ts';
import { segmentProfilesAnswer } from '../../shared/segments/people-schemas.ts';

const profileSchema = v.object({ profile: v.record(v.string(), v.nullable(v.string())) });

describe('the whole service', () => {
  const sample = makeSample(600, 11);
  let service: Service;

  shared.beforeAll(({ service: own }) => {
    service = own;
  });

  it('an import stores every good row and explains every bad row', async () => {
    const { job, counts } = await importFile(
      service,
      await defineImport(service, sampleDefinition),
      sample.csv,
    );
    const { rows, refused } = sample.planted;
    expect(counts).toEqual({
      status: 'complete-with-errors',
      ingested: rows,
      serialized: rows - refused,
      unserializable: refused,
      processing: 0,
      completed: rows - refused,
      failed: 0,
    });
    const { errors } = await service.client.get(`${job}/errors`, errorsAnswer);
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
    const segment = await segmentId(service, sample.planted.tag, 'tag');
    const path = `/v2/properties/${property}/segments/${segment}/profiles`;
    const whole = await client.get(path, segmentProfilesAnswer);
    const expected = whole.profiles.map(({ profile_uuid }) => profile_uuid);
    expect(expected).toHaveLength(sample.planted.tagged);
    const forward: (string | null)[] = [];
    let next: string | null = `${path}?limit=7`;
    let last: string | null = null;
    while (next !== null) {
      const page: v.InferOutput<typeof segmentProfilesAnswer> = await client.get(next, segmentProfilesAnswer);
      forward.push(...page.profiles.map(({ profile_uuid }) => profile_uuid));
      last = page.paging.previous_page;
      next = page.paging.next_page;
    }
    expect(forward).toEqual(expected);
    expect(last).not.toBeNull();
  });

  it('an export holds each member of its segment once and notifies the webhook', async () => {
    const { client, property } = service;
    const segment = await segmentId(service, sample.planted.tag, 'tag');
    await using receiver = await openReceiver();
    const definition = { segment: [segment], field_set: 'email', webhook_url: receiver.url };
    const created = await client.post(`/v1/${property}/exports`, definition, createdExportAnswer);
    expect(created.status).toBe('received');
    const call = await receiver.next();
    const notice = v.parse(
      v.looseObject({ type: v.literal('export.completed'), location: v.string(), rows: v.number() }),
      new Webhook(created.webhook_secret ?? '').verify(call.body, call.headers),
    );
    const file = await fetch(notice.location);
    const lines = (await file.text()).trimEnd().split('\r\n');
    expect(lines[0]).toBe('email');
    expect(new Set(lines.slice(1)).size).toBe(sample.planted.tagged);
    expect(lines).toHaveLength(1 + sample.planted.tagged);
    const [job] = await completeJobs(service, created.id);
    expect(job).toMatchObject({ status: 'complete', rows: sample.planted.tagged, location: notice.location });
  });

  it('one job takes batches of records and is reopened', async () => {
    const { client, property } = service;
    const jobs = `${await defineImport(service, { ...sampleDefinition, name: 'Batches' })}/jobs`;
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
    const segment = await segmentId(service, 'batched', 'tag');
    const page = await client.get(
      `/v2/properties/${property}/segments/${segment}/profiles`,
      segmentProfilesAnswer,
    );
    expect(page.profiles.map(({ email }) => email)).toEqual(['batch.3@example.org']);
  });

  it('a forgotten person disappears from lookups and segments with the answer', async () => {
    const { client, property } = service;
    const members = `/v2/properties/${property}/segments/${await segmentId(service, sample.planted.tag, 'tag')}/profiles`;
    const before = await client.get(members, segmentProfilesAnswer);
    const [gone] = before.profiles;
    const query = `profile_uuid=${gone?.profile_uuid}`;
    const answer = await service.call('DELETE', `/v1/${property}/profile?${query}`);
    expect(answer.status).toBe(200);
    const forgotten = v.parse(forgottenAnswer, JSON.parse(answer.text));
    expect(forgotten.profile_uuid).toBe(gone?.profile_uuid);
    expect(forgotten.removed.identities).toBeGreaterThan(0);
    const after = await client.get(members, segmentProfilesAnswer);
    expect(after.profiles).toEqual(before.profiles.slice(1));
    expect((await service.call('GET', `/v1/${property}/profile?${query}`)).status).toBe(404);
    const again = await client.post(`/v1/${property}/profiles`, { email: gone?.email }, storedAnswer);
    expect(again.profile_uuid).not.toBe(gone?.profile_uuid);
  });
});
