import * as v from 'valibot';
import { expect, it } from 'vitest';
import { path, ran } from './steps.ts';
import { bodyOf } from './harness.ts';

const listed = v.array(v.looseObject({ id: v.string(), status: v.string() }));

it('exports and their jobs are listed by status, the oldest first or the newest', async () => {
  const harness = await ran();
  await harness.runAgain(path);
  const jobs = async (query: Parameters<typeof harness.listJobs>[1]) =>
    v.parse(listed, bodyOf(await harness.listJobs(path, query))['jobs']).map(({ status }) => status);
  expect(await jobs({})).toEqual(['pending', 'complete']);
  expect(await jobs({ order: 'oldest' })).toEqual(['complete', 'pending']);
  expect(await jobs({ status: 'complete' })).toEqual(['complete']);
  expect(await jobs({ status: 'failed' })).toEqual([]);
  const exportsOf = async (status: string) =>
    v.parse(listed, bodyOf(await harness.list({ status }))['exports']).map(({ id }) => id);
  expect(await exportsOf('pending')).toEqual([path.export_id]);
  expect(await exportsOf('complete')).toEqual([]);
});
