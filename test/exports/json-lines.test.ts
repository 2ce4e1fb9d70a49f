import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { jsonPrinter } from '../../shared/exports/parts/print-json.ts';
import { deriveKeys } from '../../shared/properties/property-keys.ts';
import { sealOrdinal } from '../../shared/profiles/profile-uuid.ts';
import { bytesOf, path, ref, runAll, jobRef, runNext } from './steps.ts';
import { bodyOf, exportsHarness, type ExportsHarness, profile, segment } from './harness.ts';

const keys = deriveKeys(randomBytes(32)).uuid;
const seal = (ordinal: number): string => sealOrdinal(keys, ordinal);
const record = v.record(v.string(), v.unknown());

/** The objects of the file of a job (the first one), each from a line of its own. */
const objectsOf = async (harness: ExportsHarness, of = ref): Promise<readonly Record<string, unknown>[]> => {
  const text = (await bytesOf(harness, of)).toString();
  expect(text.endsWith('\n')).toBe(text !== '');
  expect(text).not.toContain('\r');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => v.parse(record, JSON.parse(line)));
};

const made = async (body: object): Promise<ExportsHarness> => {
  const harness = exportsHarness();
  const tags = ['Jazz', 'Jazz', 'Abo, neu'].map((tag) => ({ tag, datetime: '2026-01-02 03:04:05' }));
  harness.fakes.profiles.set(
    1,
    profile(1, {
      fields: { email: 'ada@example.org', first_name: '=1+1', street: 'a\r\n"b"', birthday: '1986-01-18' },
      ...{ age: 40, country: 'DE', sources: ['box office', 'web'], likes: ['7'], tags },
      extra: { spend: 12.5, vip: true, list: [1, 'x'], __proto__x: 'y' },
    }),
  );
  harness.fakes.profiles.set(2, profile(2, { fields: { email: 'bob@example.org' } }));
  harness.fakes.members.set(segment(2), [1, 2]);
  bodyOf(await harness.create({ segment: [segment(2)], data_format: 'jsonl', ...body }));
  return harness;
};

describe('a file of JSON Lines', () => {
  it('has an object for each person, with typed values and all of extra_data', async () => {
    const harness = await made({});
    await runAll(harness);
    const [ada, bob] = await objectsOf(harness);
    expect(ada).toMatchObject({
      ...{ email: 'ada@example.org', first_name: '=1+1', street: 'a\r\n"b"', birthday: '1986-01-18' },
      ...{ age: 40, country: 'DE', last_name: null, social_likes: ['7'] },
      ...{ source: ['box office', 'web'], tags: ['Jazz', 'Abo, neu'] },
      extra_data: { spend: 12.5, vip: true, list: [1, 'x'], __proto__x: 'y' },
    });
    expect(bob).toMatchObject({ age: null, tags: [], source: [], extra_data: {} });
    expect(Object.keys(ada ?? {})).toHaveLength(29);
    expect(bodyOf(await harness.readJob(path))).toMatchObject({
      file_name: `${ref.export}-${ref.job}.jsonl`,
      rows: 2,
    });
  });

  it('has the columns of a custom format under their names, without a header', async () => {
    const columns = [
      ['extra_data.spend', 'Spend'],
      ['email', 'E-mail'],
      ['extra_data.missing', '1'],
    ].map(([umbel_field_name, destination_field_name]) => ({ umbel_field_name, destination_field_name }));
    const harness = await made({ field_set: 'custom', custom_result_format: columns });
    await runAll(harness);
    expect(await objectsOf(harness)).toEqual([
      { Spend: 12.5, 'E-mail': 'ada@example.org', '1': null },
      { Spend: null, 'E-mail': 'bob@example.org', '1': null },
    ]);
  });

  it('names the change of a delta, and shows only the identities of a removed person', async () => {
    const harness = await made({ scope: 'delta', field_set: 'all' });
    await runAll(harness);
    expect((await objectsOf(harness)).map(({ change }) => change)).toEqual(['added', 'added']);
    harness.fakes.members.set(segment(2), [1]);
    harness.fakes.now += 86_400_000;
    await runNext(harness, 2);
    const removed = (await objectsOf(harness, jobRef(2))).filter(({ change }) => change === 'removed');
    expect(removed).toMatchObject([{ change: 'removed', email: 'bob@example.org' }]);
    expect(Object.keys(removed[0] ?? {}).sort()).toEqual(
      ['change', 'email', 'profile_uuid', 'social_id', 'unique_id'].sort(),
    );
  });

  it('is empty without people', async () => {
    const harness = await made({ start_date: '2030-01-01' });
    await runAll(harness);
    expect(await objectsOf(harness)).toEqual([]);
    expect(bodyOf(await harness.readJob(path))).toMatchObject({ status: 'complete', rows: 0, bytes: 0 });
  });
});

it('a printed object keeps the order of its members, whatever their names', () => {
  const print = jsonPrinter(
    [
      { name: 'b', field: 'email' },
      { name: '1', field: 'age' },
      { name: '__proto__', field: 'profile_uuid' },
    ],
    { seal, at: 0 },
  );
  expect(print(profile(1, { age: 5 }), 'added')).toBe(
    `{"change":"added","b":null,"1":5,"__proto__":"${seal(1)}"}`,
  );
});
