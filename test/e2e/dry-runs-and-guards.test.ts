import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { jobDetailAnswer } from '../../shared/imports/schemas/job-schemas.ts';
import { finalCounts, uploadSchema } from '../support/api-client.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { defineImport, firstNameOf } from '../support/running.ts';
import { definitionOf } from '../support/field-map.ts';

const definition = definitionOf(['email', 'tags']);
const flood = `email,tags\n${Array.from({ length: 712 }, (_, n) => `p${n}@example.org,Press|No ${n}\n`).join('')}`;

let service: Service;
shared.beforeAll(({ service: own }) => {
  service = own;
});

/** Uploads a file and waits for the end of its job. */
const run = async (body: object, file: string, more: object = {}) => {
  const { client } = service;
  const path = await defineImport(service, { ...definition, ...body });
  const about = { file_name: 'a.csv', size: Buffer.byteLength(file), ...more };
  const { job_id, url, headers } = await client.post(`${path}/uploads`, about, uploadSchema);
  await (await fetch(url, { method: 'PUT', headers, body: file })).arrayBuffer();
  const job = `${path}/jobs/${job_id}`;
  await finalCounts(client, job);
  return client.get(job, jobDetailAnswer);
};

const tagSegments = async (): Promise<number> => {
  const listed = await service.client.get(
    `/v1/${service.property}/segments?limit=1000`,
    v.array(v.looseObject({ type: v.string() })),
  );
  return listed.filter(({ type }) => type === 'tag').length;
};

describe('a file with 712 junk tags', () => {
  it('as a dry run names the segments that it would make, and makes none', async () => {
    const job = await run({}, flood, { dry_run: true });
    expect(job).toMatchObject({
      dry_run: true,
      counts: { status: 'complete', completed: 712 },
      dry_run_result: {
        people: { new: 712, changed: 0, unchanged: 0 },
        new_segments: { count: 712 },
        stopped_by: { code: 'too_many_new_segments' },
      },
    });
    expect(await tagSegments()).toBe(0);
  });

  it('is stopped by the guard before one segment is made', async () => {
    const job = await run({}, flood);
    expect(job).toMatchObject({ counts: { status: 'failed' }, failure: { code: 'too_many_new_segments' } });
    expect(await tagSegments()).toBe(0);
    expect(await firstNameOf(service, 'p0@example.org')).toBeUndefined();
  });

  it('is imported once the guard allows it', async () => {
    const job = await run({ max_new_segments: 712 }, flood);
    expect(job).toMatchObject({ counts: { status: 'complete', completed: 712 }, failure: null });
    expect(await tagSegments()).toBe(712);
  });
});
