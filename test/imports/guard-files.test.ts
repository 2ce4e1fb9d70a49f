import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { noRules } from '../../shared/properties/rules.ts';
import { keys } from '../../shared/table/keys.ts';
import { scope } from '../profiles/harness.ts';
import { dyingAnywhere } from '../support/death.ts';
import { fileOf, segmentsOf, tagged, tagsFrom } from './guard-scenes.ts';
import { begin, importHarness, withDefinition, ranFile, tickingHarness } from './import-harness.ts';
import { definitionOf } from '../support/field-map.ts';

const junk = Array.from({ length: 712 }, (_, index) => `Press|No ${index}`);

describe('a file that would make more new segments than its definition allows', () => {
  it('fails with the number and the first names, before one segment or profile is stored', async () => {
    const { harness, job } = await ranFile(fileOf(junk), tagged);
    expect(job).toMatchObject({
      counts: { status: 'failed', ingested: 0 },
      failure: { code: 'too_many_new_segments' },
    });
    expect(job.failure?.message).toContain('its definition allows 200: tag "Press|No 0", tag "Press|No 1"');
    expect([harness.ids.size, await harness.people(), await harness.deps.imports.batches(7, job.id)]).toEqual(
      [0, [], []],
    );
  });

  it('is imported by a definition that allows the number, or any', async () => {
    for (const max_new_segments of [712, null]) {
      const { harness, job } = await ranFile(fileOf(junk), { ...tagged, max_new_segments });
      expect(job.counts).toMatchObject({ status: 'complete', completed: 712 });
      expect(segmentsOf(harness)).toBe(712);
    }
  });

  it('is stopped at the last row of many batches as at the first', async () => {
    const { harness, id } = await withDefinition({ ...tagged, max_new_segments: 10 });
    const rows = Array.from({ length: 9_000 }, (_, index) => (index < 8_989 ? 'jazz' : `late ${index}`));
    expect(await harness.runFile(id, fileOf(rows))).toMatchObject({
      failure: { code: 'too_many_new_segments' },
    });
    expect(harness.ids.size).toBe(0);
    expect(await harness.runFile(id, fileOf(rows.slice(0, -2)))).toMatchObject({
      counts: { status: 'complete', completed: 8_998 },
    });
    expect(segmentsOf(harness)).toBe(10);
  });

  it('counts neither segments that exist, nor rows that are refused, nor values that are not taken', async () => {
    const { harness, id } = await withDefinition({ ...tagged, max_new_segments: null });
    await harness.runFile(id, fileOf(Array.from({ length: 300 }, (_, index) => `known ${index}`)));
    const strict = await harness.define({ ...tagged, max_new_segments: 1 });
    const known = fileOf(Array.from({ length: 300 }, (_, index) => `known ${index}`));
    const bad = Array.from({ length: 50 }, (_, index) => `bad ${index},bad ${index}\n`).join('');
    const job = await harness.runFile(strict.id, `${known}${bad}new@x.org,fresh\n`);
    expect(job).toMatchObject({ failure: null, counts: { completed: 301, unserializable: 50 } });
    const skipping = await harness.define({
      ...tagged,
      max_new_segments: 1,
      attribute_source: 'third_party',
      skip_appends: true,
    });
    expect(await harness.runFile(skipping.id, fileOf(junk))).toMatchObject({
      failure: null,
      counts: { completed: 712 },
    });
    expect(segmentsOf(harness)).toBe(301);
  });

  it('counts a value of a refused row once a valid row has it', async () => {
    const { harness, id } = await withDefinition({ ...tagged, max_new_segments: 0 });
    expect(await harness.runFile(id, 'email,tags\nbad,jazz\na@x.org,jazz\n')).toMatchObject({
      failure: { code: 'too_many_new_segments' },
    });
  });

  it('counts places, demographics and sources like tags', async () => {
    const columns = ['city', 'state', 'country', 'gender', 'source', 'birthday'];
    const body = definitionOf(['email', ...columns]);
    const rows = `email,${columns.join(',')}\na@x.org,Austin,TX,US,f,fair,1980-01-01\nb@x.org,Austin,NY,US,f,fair,1980-05-01\n`;
    // US, TX, NY, two cities, one gender, one source, one age band.
    for (const [max_new_segments, status] of [
      [7, 'failed'],
      [8, 'complete'],
    ] as const) {
      const { harness, id } = await withDefinition({ ...body, max_new_segments });
      expect((await harness.runFile(id, rows)).counts.status).toBe(status);
    }
  });

  it('counts no special values that the property does not use', async () => {
    const body = definitionOf(['email', 'ethnicity', 'age'], { max_new_segments: 0 });
    for (const [special_categories, status] of [
      [true, 'failed'],
      [false, 'complete'],
    ] as const) {
      const harness = importHarness();
      await harness.table.put(keys.rules(scope.id), { ...noRules, special_categories });
      const { id } = await harness.define(body);
      expect((await harness.runFile(id, 'email,ethnicity,age\na@x.org,Elf,12\n')).counts.status).toBe(status);
    }
  });

  it('continues in another call when the time of one call is over, and counts each segment once', async () => {
    const harness = importHarness();
    harness.uploads.pieceBytes = 1_000;
    const { id } = await harness.define(tagged);
    const rows = Array.from({ length: 400 }, (_, index) => `t${index % 200}`);
    const { reference, job } = await harness.uploadInspected(id, fileOf(rows));
    let calls = 1;
    while (!(await harness.splitHurriedly(reference)).done) calls += 1;
    expect(calls).toBeGreaterThan(5);
    await harness.workOff();
    expect((await harness.readJob(id, job)).counts).toMatchObject({ completed: 400 });
  });

  it('is not stopped by a dry run, which stores nothing', async () => {
    const { harness, id } = await withDefinition({ ...tagged, test_mode: true });
    expect((await harness.runFile(id, fileOf(junk))).counts).toMatchObject({ completed: 712 });
  });
});

it('a flood in a file makes no segment wherever its workers die', async () => {
  const kills = await dyingAnywhere({
    begin: async (tick) => {
      const harness = tickingHarness(tick);
      harness.uploads.pieceBytes = 300;
      const { id } = await harness.define({ ...tagged, max_new_segments: 20 });
      return { harness, id, ...(await harness.uploadInspected(id, fileOf(junk.slice(0, 30)))) };
    },
    run: async ({ harness, reference }, through) => {
      for (let done = false; !done;) ({ done } = await through(() => harness.splitHurriedly(reference)));
    },
    check: async ({ harness, id, job }) => {
      await harness.workOff();
      expect(await harness.readJob(id, job)).toMatchObject({ failure: { code: 'too_many_new_segments' } });
      expect([harness.ids.size, harness.batches.take()]).toEqual([0, []]);
    },
  });
  expect(kills).toBeGreaterThan(8);
});

describe('a share of refused rows beyond the guard', () => {
  const half = { ...tagged, max_refused_share: 0.5 };
  const rows = (good: number, bad: number): string =>
    `email,tags\n${'bad,jazz\n'.repeat(bad)}${Array.from({ length: good }, (_, n) => `p${n}@x.org,jazz\n`).join('')}`;

  it('fails a file before one row is stored', async () => {
    const { harness, id, job } = await ranFile(rows(99, 101), half);
    expect(job).toMatchObject({ counts: { status: 'failed' }, failure: { code: 'too_many_refused' } });
    expect(job.failure?.message).toContain('101 of 200 rows are refused');
    expect(await harness.people()).toEqual([]);
    expect((await harness.runFile(id, rows(100, 100))).counts).toMatchObject({ completed: 100 });
  });

  it('is looked at from 100 rows on', async () => {
    const { harness, id } = await withDefinition(half);
    const few = limits.imports.judgedRowsLeast - 1;
    expect((await harness.runFile(id, rows(0, few))).counts).toMatchObject({ unserializable: few });
    expect((await harness.runFile(id, rows(0, few + 1))).counts).toMatchObject({ status: 'failed' });
  });

  it('stops a job for batches at the batch that exceeds it', async () => {
    const { harness, importId, job } = await begin(half);
    const bad = (count: number) => Array.from({ length: count }, () => ({ email: 'bad' }));
    await harness.store(job, [...tagsFrom(0, 60), ...bad(50)]);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ completed: 60 });
    await harness.store(job, [...tagsFrom(100, 1), ...bad(20)]);
    expect(await harness.readJob(importId, job)).toMatchObject({
      counts: { status: 'failed', completed: 60, unserializable: 71 },
      failure: { code: 'too_many_refused' },
    });
    expect(await harness.people()).toHaveLength(60);
  });
});
