import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sealOrdinal } from '../../shared/profiles/profile-uuid.ts';
import { begun, columnsOf, fileOf, locationParts, path, ran, ref, runAll, withPeople } from './steps.ts';
import { sampleOf } from '../support/scale.ts';
import { type Before, bodyOf, exportsHarness, type ExportsHarness, profile, segment } from './harness.ts';

describe('an export', () => {
  it('holds each member of several segments once, with all attributes', async () => {
    const harness = withPeople({ count: 300, members: [1, 2, 3, 200] });
    harness.fakes.members.set(segment(3), [3, 2, 250]);
    bodyOf(await harness.create({ segment: [segment(2), segment(3), segment(2)] }));
    await runAll(harness);
    const { bytes, rows } = await fileOf(harness);
    const [header = [], ...lines] = rows;
    expect(header.slice(-6)).toEqual([
      'social_likes',
      'extra_data.k1',
      'extra_data.k3',
      'extra_data.note',
      'extra_data.plan',
      'extra_data.score',
    ]);
    const uuids = [1, 2, 3, 200, 250].map((ordinal) => sealOrdinal(harness.keys.uuid, ordinal));
    expect(lines.map((line) => line[header.indexOf('profile_uuid')])).toEqual(uuids);
    const second = Object.fromEntries(header.map((name, index) => [name, lines[1]?.[index]]));
    expect(second).toMatchObject({
      email: 'p2@example.test',
      first_name: 'Zoë 2',
      last_name: `'=HYPERLINK("x")`,
      age: '2',
      'extra_data.plan': 'gold',
      'extra_data.score': '2',
      'extra_data.note': '',
      'extra_data.k1': '',
    });
    const job = bodyOf(await harness.readJob(path));
    expect(job).toMatchObject({
      status: 'complete',
      rows: 5,
      rows_skipped: 0,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      progress: 1,
      started: '2026-06-01T00:00:00.000Z',
      finished: '2026-06-01T00:00:00.000Z',
      error: null,
      deliveries: [],
    });
  });

  it('of no members is a header', async () => {
    const harness = await begun({ field_set: 'email' }, { members: [] });
    expect((await harness.plan(ref)).shards).toEqual([]);
    expect(bodyOf(await harness.readJob(path))).toMatchObject({ status: 'running', progress: 0.9 });
    await harness.assemble(ref);
    expect((await fileOf(harness)).bytes.toString()).toBe('email\r\n');
  });

  it('of field set email leaves out who has none, and who was forgotten, and counts them', async () => {
    const harness = await begun({ field_set: 'email' }, { count: 20, members: [1, 2, 3, 13, 19] });
    const { shards } = await harness.plan(ref);
    harness.fakes.profiles.delete(19);
    for (const { shard } of shards) await harness.part(ref, shard);
    await harness.assemble(ref);
    const text = (await fileOf(harness)).bytes.toString();
    expect(text).toBe('email\r\np1@example.test\r\np2@example.test\r\n');
    expect(bodyOf(await harness.readJob(path))).toMatchObject({ rows: 2, rows_skipped: 3 });
  });

  it('of a custom format has its columns, in txt, with the date range', async () => {
    const harness = withPeople({ members: [3, 4, 5, 6] });
    const at = (day: string) => Date.parse(day);
    harness.fakes.profiles.set(
      3,
      profile(3, { updatedAt: at('2026-02-01T00:00:00Z'), extra: { a: 'x\ty' } }),
    );
    harness.fakes.profiles.set(4, profile(4, { updatedAt: at('2026-02-03T23:59:59.999Z'), country: 'DE' }));
    harness.fakes.profiles.set(5, profile(5, { updatedAt: at('2026-02-04T00:00:00Z') }));
    harness.fakes.profiles.set(6, profile(6, { updatedAt: at('2026-01-31T23:59:59.999Z') }));
    const custom_result_format = [
      { umbel_field_name: 'extra_data.a', destination_field_name: '=a "quoted"' },
      { umbel_field_name: 'country', destination_field_name: 'Land' },
    ];
    bodyOf(
      await harness.create({
        segment: [segment(2)],
        field_set: 'custom',
        custom_result_format,
        data_format: 'txt',
        start_date: '2026-02-01',
        end_date: '2026-02-03',
      }),
    );
    await runAll(harness);
    expect((await fileOf(harness, '\t')).bytes.toString()).toBe(
      `"'=a ""quoted"""\tLand\r\n"x\ty"\t\r\n\tDE\r\n`,
    );
    expect(bodyOf(await harness.readJob(path))).toMatchObject({ rows: 2, rows_skipped: 0 });
  });

  it('keeps formulas as they are when the guard is off', async () => {
    const harness = await ran({ ...columnsOf('last_name'), formula_guard: false }, { members: [1] });
    expect((await fileOf(harness)).rows).toEqual([['last_name'], ['=HYPERLINK("x")']]);
  });

  it('works on the members frozen at its plan, in shards of equal size', async () => {
    const harness = withPeople({ count: 10_500 });
    harness.fakes.members.set(segment(2), [...harness.fakes.profiles.keys()]);
    bodyOf(await harness.create({ segment: [segment(2)], field_set: 'email' }));
    const { shards } = await harness.plan(ref);
    expect(shards).toEqual([{ shard: 0 }, { shard: 1 }]);
    harness.fakes.members.set(segment(2), []);
    expect((await harness.plan(ref)).shards).toEqual(shards);
    await harness.part(ref, 1);
    expect(bodyOf(await harness.readJob(path))).toMatchObject({ status: 'running', progress: 0.45 });
    await harness.part(ref, 0);
    expect((await harness.exports.parts(ref)).map(({ rows, skipped }) => rows + skipped)).toEqual([
      5_250, 5_250,
    ]);
    await harness.assemble(ref);
    const { rows } = await fileOf(harness);
    const expected = [...harness.fakes.profiles.values()].flatMap(({ fields }) => fields.email ?? []);
    expect(rows.slice(1).flat()).toEqual(expected);
  });

  it('is not assembled while a part is missing', async () => {
    const harness = await begun();
    await expect(harness.assemble(ref)).rejects.toThrow('not ready to be assembled');
    await harness.plan(ref);
    await expect(harness.assemble(ref)).rejects.toThrow('1 parts are missing');
  });

  it('keeps no plain text in between', async () => {
    const harness = exportsHarness();
    harness.fakes.profiles.set(
      1,
      profile(1, { fields: { email: 'canary@x.test' }, extra: { canarykey: 'canaryvalue' } }),
    );
    harness.fakes.members.set(segment(2), [1]);
    bodyOf(await harness.create({ segment: [segment(2)] }));
    await runAll(harness);
    expect(harness.work.keys()).toHaveLength(4);
    for (const key of harness.work.keys())
      expect(Buffer.from((await harness.work.get(key)) ?? []).includes('canary')).toBe(false);
    expect(JSON.stringify(harness.table.items())).not.toContain('canary');
  });
});

describe('a run killed at any call', () => {
  class Killed extends Error {}

  /** Runs until the end, starting a step over whenever it is killed; kills at the `at`-th call and the one after. */
  const runWithKill = async (at: number): Promise<{ harness: ExportsHarness; calls: number }> => {
    let calls = 0;
    let armed = false;
    const before: Before = () => {
      if (!armed) return;
      calls += 1;
      if (calls === at || calls === at + 1) throw new Killed();
    };
    const harness = await begun({}, { before, count: 40, members: [1, 5, 9, 30] });
    armed = true;
    const step = async <T>(work: () => Promise<T>): Promise<T> => {
      for (let attempt = 0; attempt < 3; attempt += 1)
        try {
          return await work();
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
        }
      throw new Error('three attempts were not enough');
    };
    const { shards } = await step(() => harness.plan(ref));
    for (const { shard } of shards) await step(() => harness.part(ref, shard));
    await step(() => harness.assemble(ref));
    armed = false;
    // A repeated step changes nothing in an ended job.
    const end = await harness.exports.job(ref);
    await harness.plan(ref);
    for (const { shard } of shards) await harness.part(ref, shard);
    expect(await harness.assemble(ref)).toEqual({ status: 'complete' });
    expect(await harness.exports.job(ref)).toEqual(end);
    return { harness, calls };
  };

  it('ends complete, with each row once and the right hash', async () => {
    const { calls, harness: undisturbed } = await runWithKill(-1);
    const { bytes: expected } = await fileOf(undisturbed);
    expect(calls).toBeGreaterThan(20);
    // Each run dies at two calls, so that the sample dies at every call, too.
    const all = Array.from({ length: calls }, (_, index) => index + 1);
    for (const at of sampleOf(all, 2)) {
      const { harness } = await runWithKill(at);
      const { bytes, rows } = await fileOf(harness);
      expect(rows).toHaveLength(5);
      const job = bodyOf(await harness.readJob(path));
      expect(job).toMatchObject({
        status: 'complete',
        rows: 4,
        bytes: expected.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      });
      const opened = await harness.open(locationParts(job['location']));
      expect(opened).toMatchObject({ ok: true, value: { status: 303 } });
    }
  });
});
