import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { textLike } from '../support/answers.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { completeJobs, defineExport, segmentId } from '../support/running.ts';

const made = v.looseObject({ id: v.string(), segment: v.array(v.number()), name: v.nullable(v.string()) });

describe('definitions of the running service', () => {
  let service: Service;
  shared.beforeAll(async ({ service: own }) => {
    service = own;
    for (const [email, tag] of people) {
      const tags = [{ datetime: '2026-01-02 03:04:05', tag: [tag] }];
      await service.client.post(at('profiles'), { email, tags }, v.unknown());
    }
  });

  const people = [
    ['ada@example.org', 'Jazz'],
    ['bob@example.org', 'Blues'],
  ] as const;
  const jazz = { type: 'tag', name: 'jazz' };
  const at = (rest: string): string => `/v1/${service.property}/${rest}`;

  it('name segments by type and name wherever they take ids, and keep the ids', async () => {
    const id = await segmentId(service, 'Jazz');
    const definition = { not: { named: jazz } };
    const counted = v.looseObject({ count: v.number() });
    expect((await service.client.post(at('segments/preview'), { definition }, counted)).count).toBe(1);
    const custom = v.looseObject({ id: v.number(), definition: v.unknown() });
    const segment = await service.client.post(at('segments'), { name: 'Others', definition }, custom);
    expect(segment.definition).toEqual({ not: id });
    const body = {
      name: 'Jazz and others',
      segments: [segment.id, { type: 'custom', name: 'Others' }, jazz],
    };
    const listed = v.looseObject({ segments: v.array(v.number()) });
    const collection = await service.client.post(at('collections'), body, listed);
    expect(collection.segments).toEqual([segment.id, id]);
    const tracked = v.looseObject({ reference_tile: v.number() });
    const timelines = `/v2/properties/${service.property}/timelines`;
    const timeline = await service.client.post(timelines, { name: 'T', reference_tile: jazz }, tracked);
    expect(timeline.reference_tile).toBe(id);
    const exported = await service.client.post(at('exports'), { name: 'Jazz', segment: [jazz] }, made);
    expect(exported).toMatchObject({ name: 'Jazz', segment: [id] });
  });

  it('refuse a name that no segment of the type has, with the segments that have it', async () => {
    const id = await segmentId(service, 'Jazz');
    const body = JSON.stringify({ segment: [{ type: 'source', name: 'Jazz' }] });
    const answer = await service.call('POST', at('exports'), { body });
    expect(answer.status).toBe(422);
    expect(JSON.parse(answer.text)).toMatchObject({
      errors: [
        { pointer: '/segment/0', code: 'unknown_reference', detail: textLike(new RegExp(`${id} \\(tag`)) },
      ],
    });
  });

  it('ask for JSON Lines and gzip, and every gzip reader opens the download', async () => {
    const body = { segment: [jazz], data_format: 'jsonl', compression: 'gzip', field_set: 'email' };
    const [job] = await completeJobs(service, await defineExport(service, body));
    const file = await fetch(job?.location ?? '');
    expect(file.headers.get('content-type')).toBe('application/gzip');
    const text = gunzipSync(await file.bytes()).toString();
    expect(text).toBe('{"email":"ada@example.org"}\n');
    expect(job?.file_name).toMatch(/\.jsonl\.gz$/);
  });

  it('name the file of a download, and of a schedule in its time zone', async () => {
    const names = { name: 'Gäste/Jazz', file_name: '{name} {date}-{counter}.csv' };
    const [job] = await completeJobs(service, await defineExport(service, { segment: [jazz], ...names }));
    const date = job?.created.slice(0, 10);
    expect(job).toMatchObject({ run: 1, file_name: `Gäste-Jazz ${date}-1.csv` });
    const file = await fetch(job?.location ?? '');
    expect(file.status).toBe(200);
    const utf8 = encodeURIComponent(`Gäste-Jazz ${date}-1.csv`);
    expect(file.headers.get('content-disposition')).toContain(`filename*=UTF-8''${utf8}`);
    expect(await file.text()).toContain('ada@example.org');
    const timezone = 'Asia/Kolkata';
    const schedule = { hour: '3', timezone };
    const planned = v.looseObject({ schedule: v.looseObject({ timezone: v.string() }) });
    const body = { segment: [jazz], schedule };
    expect((await service.client.post(at('exports'), body, planned)).schedule).toEqual(schedule);
    const refused = await service.call('POST', at('exports'), {
      body: JSON.stringify({ ...body, schedule: { hour: '3', timezone: 'Berlin' }, file_name: '../x' }),
    });
    expect(JSON.parse(refused.text)).toMatchObject({
      status: 422,
      errors: [{ pointer: '/schedule/timezone', code: 'not_a_time_zone' }],
    });
  });
});
