import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { SharedIds } from '../../shared/imports/guards/shared-ids.ts';
import { dryRun, openDryRun } from './dry-run-scenes.ts';
import { map } from './guard-scenes.ts';
import { definitionOf } from '../support/field-map.ts';
import { begin, importHarness, withDefinition, ranFile } from './import-harness.ts';

/** The definition without a column that makes segments: no other guard reads its files. */
const plain = definitionOf(['unique_id', 'email']);

/** A file in which one id comes with so many different addresses, between rows of other people. */
const fileWith = (id: string, addresses: number, others = 0): string =>
  [
    'unique_id,email',
    ...Array.from({ length: addresses }, (_, index) => `${id},shared${index}@x.org`),
    ...Array.from({ length: others }, (_, index) => `K${index},p${index}@x.org`),
    '',
  ].join('\n');

describe('a file in which many addresses come with one id', () => {
  it('fails with the value and its rows, before one row is stored', async () => {
    const { harness, job } = await ranFile(`${fileWith('LEGACY-0', 21, 30)}LEGACY-0,late@x.org\n`, plain);
    expect(job).toMatchObject({ counts: { status: 'failed', ingested: 0 }, failure: { code: 'shared_id' } });
    expect(job.failure?.message).toBe(
      'More than 20 different e-mail addresses come with the unique_id "LEGACY-0" in 22 rows. ' +
        "It would make one person of many. List what is nobody's id in `not_identities`, or raise `max_addresses_per_id`.",
    );
    expect(await harness.people()).toEqual([]);
  });

  it('is imported up to the guard, without it, with a higher one, and with the value in the list', async () => {
    for (const [addresses, change] of [
      [20, {}],
      [30, { max_addresses_per_id: null }],
      [30, { max_addresses_per_id: 30 }],
      [30, { not_identities: ['legacy-*'] }],
    ] as const) {
      const { job } = await ranFile(fileWith('LEGACY-0', addresses), { ...plain, ...change });
      expect(job.counts).toMatchObject({ status: 'complete', completed: addresses });
    }
  });

  it('is stopped also by a guard of its own, by a social_id, and beside the guard of segments', async () => {
    const social = [map('unique_id', 'social_id'), map('email')];
    for (const [body, addresses] of [
      [{ ...plain, max_addresses_per_id: 1 }, 2],
      [definitionOf(social), 21],
      [definitionOf([...social, map('email', 'city')], { max_new_segments: null, max_refused_share: 1 }), 21],
    ] as const) {
      const { harness, id } = await withDefinition(body);
      expect(await harness.runFile(id, fileWith('n', addresses))).toMatchObject({
        failure: { code: 'shared_id' },
      });
    }
  });

  it('counts what the columns mean: neither cells that the mapping empties nor the same address in another case', async () => {
    const harness = importHarness();
    const emptied = {
      ...map('unique_id'),
      transformations: [{ name: 'map', values: { NULL: '' } }],
    };
    const { id } = await harness.define(definitionOf([emptied, 'email']));
    const cases = Array.from({ length: 30 }, (_, index) => `K1,${'A'.repeat(index % 2)}nn@x.org`).join('\n');
    const { counts } = await harness.runFile(id, `${fileWith('NULL', 30)}${cases}\n`);
    expect(counts).toMatchObject({ status: 'complete', completed: 60 });
  });

  it('is judged across the calls of one step', async () => {
    const harness = importHarness();
    harness.uploads.pieceBytes = 2_000;
    const { id } = await harness.define(plain);
    const { reference, job } = await harness.uploadInspected(id, fileWith('NULL', 400));
    while (!(await harness.splitHurriedly(reference)).done);
    expect(await harness.readJob(id, job)).toMatchObject({ failure: { code: 'shared_id' } });
    expect(await harness.people()).toEqual([]);
  });

  it('is named by the result of a dry run, of a file and of batches', async () => {
    const { harness, id } = await withDefinition(plain);
    const file = await dryRun(harness, id, fileWith('NULL', 21));
    expect(file).toMatchObject({
      counts: { status: 'complete', completed: 21 },
      dry_run_result: { stopped_by: { code: 'shared_id' } },
    });
    const job = await openDryRun(harness, id);
    await harness.store(job, recordsWith(21));
    expect(await harness.readJob(id, job)).toMatchObject({
      dry_run_result: { stopped_by: { code: 'shared_id' } },
    });
    expect((await dryRun(harness, id, fileWith('NULL', 20))).dry_run_result?.stopped_by).toBe(null);
  });
});

const recordsWith = (addresses: number) =>
  Array.from({ length: addresses }, (_, index) => ({ unique_id: 'None', email: `s${index}@x.org` }));

describe('a batch in which many addresses come with one id', () => {
  it('is refused as a whole, and stops its job', async () => {
    const { harness, importId, job } = await begin(plain);
    await harness.store(job, recordsWith(20));
    await harness.store(job, [...recordsWith(21), { unique_id: 'K1', email: 'k@x.org' }]);
    expect(await harness.readJob(importId, job)).toMatchObject({
      counts: { status: 'failed', completed: 20, unserializable: 22 },
      failure: { code: 'shared_id' },
    });
    const { errors } = await harness.readErrors(importId, job);
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['shared_id']));
    expect(await harness.people()).toHaveLength(1);
  });

  it('passes without the guard', async () => {
    const { harness, importId, job } = await begin({ ...plain, max_addresses_per_id: null });
    await harness.store(job, recordsWith(30));
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ completed: 30 });
  });
});

describe('the count of the addresses of ids', () => {
  it('remembers an id that many rows share, however many other ids come between', () => {
    const ids = new SharedIds(20);
    const between = limits.imports.guardedIds / 50;
    for (let round = 0; round < 21; round += 1) {
      ids.note('unique_id', 'NULL', `a${round}@x.org`);
      for (let other = 0; other < between; other += 1)
        ids.note('unique_id', `K${round * between + other}`, 'p@x.org');
    }
    expect(ids.shared).toEqual([{ kind: 'unique_id', value: 'NULL', rows: 21 }]);
  });

  it('takes an id and a social id of the same text for two', () => {
    const ids = new SharedIds(1);
    ids.note('unique_id', 'a', 'one@x.org');
    ids.note('social_id', 'a', 'two@x.org');
    expect(ids.shared).toEqual([]);
  });
});
