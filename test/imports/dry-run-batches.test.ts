import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { importData } from '../../shared/imports/batches/import-data.ts';
import { seeded } from '../ingest/interleave.ts';
import { dyingAnywhere } from '../support/death.ts';
import { dataIn, definition, openDryRun } from './dry-run-scenes.ts';
import { tagsFrom } from './guard-scenes.ts';
import { request, tickingHarness, withDefinition } from './import-harness.ts';

/** The name in the key of a segment. */
const nameIn = (key: string): string =>
  v.parse(v.tuple([v.string(), v.unknown(), v.string()]), JSON.parse(key))[2];

describe('a dry run of batches', () => {
  it('has a result whenever all its batches are done', async () => {
    const { harness, id } = await withDefinition(definition);
    const job = await openDryRun(harness, id);
    expect((await harness.readJob(id, job)).dry_run_result).toBeNull();
    for (const batch of [1, 2]) {
      await harness.store(job, tagsFrom(0, batch));
      expect(await harness.readJob(id, job)).toMatchObject({
        counts: { status: 'complete' },
        dry_run_result: { people: { new: batch }, new_segments: { count: batch } },
      });
    }
    expect(dataIn(harness)).toEqual([]);
    expect(harness.enrichments.take()).toEqual([]);
  });

  it('takes no more batches than its result can add up', async () => {
    const { harness, id } = await withDefinition(definition);
    const job = await openDryRun(harness, id);
    for (let batch = 0; batch < limits.imports.dryRunBatches; batch += 1) await harness.send(job, [{}]);
    const body = { name: 'b', import_job: job, records: [{}] };
    expect(await importData(harness.deps, request({}, {}, body))).toMatchObject({
      error: { status: 409, code: 'dry_run_full' },
    });
  });

  it('tells what the same batches then do', async () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const pick = seeded(seed);
      const record = () => ({
        ...(pick(2) === 0 ? { unique_id: `u${pick(4)}` } : {}),
        ...(pick(3) > 0 ? { email: `e${pick(5)}@x.org` } : { social_id: `s${pick(3)}` }),
        first_name: `N${pick(3)}`,
        tags: [{ datetime: '2026-01-01 00:00:00', tag: [`t${pick(9)}`] }],
      });
      const batches = Array.from({ length: 1 + pick(4) }, () => Array.from({ length: 1 + pick(4) }, record));
      const { harness, id } = await withDefinition(definition);
      const before = await harness.openJob(id);
      await harness.store(before.id, [record(), record()]);
      const segments = new Set(harness.ids.keys());
      const count = (await harness.stored()).length;
      const dry = await openDryRun(harness, id);
      for (const records of batches) await harness.send(dry, records);
      await harness.workOff();
      const told = (await harness.readJob(id, dry)).dry_run_result;
      const real = await harness.openJob(id);
      for (const records of batches) {
        await harness.store(real.id, records);
      }
      const made = [...harness.ids.keys()].filter((key) => !segments.has(key)).map(nameIn);
      const everybody = await harness.stored();
      const members = made.toSorted().map((name) => ({
        type: 'tag',
        name,
        members: everybody.filter(({ tags }) => tags.some(({ tag }) => tag === name)).length,
      }));
      expect([told?.people.new, told?.new_segments.segments], `seed ${seed}`).toEqual([
        everybody.length - count,
        members,
      ]);
    }
  });
});

it('a dry run of many neighbours knows them, and changes of the run itself', async () => {
  const { harness, id } = await withDefinition(definition);
  const known = Array.from({ length: 100 }, (_, index) => ({ email: `e${index}@x.org`, first_name: 'A' }));
  await harness.store((await harness.openJob(id)).id, known);
  const dry = await openDryRun(harness, id);
  // Two records of each person: the first changes the name, the second changes it back.
  const renamed = known.map((record) => ({ ...record, first_name: 'B' }));
  await harness.store(dry, [...renamed, ...known, { email: 'new@x.org' }]);
  expect((await harness.readJob(id, dry)).dry_run_result?.people).toMatchObject({ new: 1 });
});

it('a dry run has the same result wherever its workers die', async () => {
  const results = new Set<string>();
  const kills = await dyingAnywhere({
    begin: async (tick) => {
      const harness = tickingHarness(tick);
      const { id } = await harness.define(definition);
      const job = await openDryRun(harness, id);
      await harness.send(job, tagsFrom(0, 3));
      await harness.send(job, tagsFrom(2, 3));
      return { harness, id, job };
    },
    run: ({ harness }, through) => harness.workOff(through),
    check: async ({ harness, id, job }) => {
      results.add(JSON.stringify((await harness.readJob(id, job)).dry_run_result));
    },
  });
  expect(kills).toBeGreaterThan(20);
  expect(
    [...results].map((result) => v.parse(v.looseObject({ people: v.unknown() }), JSON.parse(result)).people),
  ).toEqual([{ new: 5, changed: 0, unchanged: 0 }]);
});
