import * as v from 'valibot';
import { expect, it } from 'vitest';
import { path, people, ref, runJob } from './steps.ts';
import { bodyOf, exportsWorld, segment } from './world.ts';

const listed = v.array(v.looseObject({ id: v.string(), status: v.string() }));

it('exports and their jobs are listed by status, the oldest first or the newest', async () => {
  const world = exportsWorld();
  people(world, 10);
  world.world.members.set(segment(2), [1, 2]);
  bodyOf(await world.create({ segment: [segment(2)], field_set: 'email' }));
  await runJob(world, ref);
  await world.runAgain(path);
  const jobs = async (query: Parameters<typeof world.listJobs>[1]) =>
    v.parse(listed, bodyOf(await world.listJobs(path, query))['jobs']).map(({ status }) => status);
  expect(await jobs({})).toEqual(['pending', 'complete']);
  expect(await jobs({ order: 'oldest' })).toEqual(['complete', 'pending']);
  expect(await jobs({ status: 'complete' })).toEqual(['complete']);
  expect(await jobs({ status: 'failed' })).toEqual([]);
  const exportsOf = async (status: string) =>
    v.parse(listed, bodyOf(await world.list({ status }))['exports']).map(({ id }) => id);
  expect(await exportsOf('pending')).toEqual([path.export_id]);
  expect(await exportsOf('complete')).toEqual([]);
});
