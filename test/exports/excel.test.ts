import { describe, expect, it } from 'vitest';
import { styleOf } from '../../shared/exports/file/layout.ts';
import { tryFile } from '../real-life/try-file.ts';
import { bytesOf, columnsOf, fileOf, ref, runAll } from './steps.ts';
import { bodyOf, exportsHarness, profile, segment } from './harness.ts';

const MARK = Buffer.from('\uFEFF');

/** Columns without an id, which would differ from one property to another. */
const columns = columnsOf('email', 'first_name', 'last_name', 'extra_data.note;x', 'extra_data');

const run = async (body: Record<string, unknown>) => {
  const harness = exportsHarness();
  const fields = { email: 'kaethe@example.org', first_name: 'Käthe', last_name: 'a;b,c' };
  harness.fakes.profiles.set(1, profile(1, { fields, extra: { 'note;x': 'semi;colon', plain: 'x' } }));
  harness.fakes.members.set(segment(2), [1]);
  bodyOf(await harness.create({ segment: [segment(2)], ...columns, ...body }));
  await runAll(harness);
  return harness;
};

describe('a file for Excel', () => {
  it.each([
    ['excel_comma', ','],
    ['excel_semicolon', ';'],
  ])('of %s has a byte order mark, and cells that stay whole', async (data_format, delimiter) => {
    for (const formula_guard of [true, false]) {
      const harness = await run({ data_format, formula_guard });
      const { bytes } = await fileOf(harness, delimiter);
      expect(bytes.subarray(0, 3).equals(MARK)).toBe(true);
      expect(bytes.indexOf(MARK, 3)).toBe(-1);
      const plain = await run({ data_format: 'csv', formula_guard });
      const { rows: expected } = await fileOf(plain);
      const { rows } = await fileOf(harness, delimiter);
      expect([[rows[0]?.[0]?.replace('\uFEFF', ''), ...(rows[0] ?? []).slice(1)], ...rows.slice(1)]).toEqual(
        expected,
      );
      expect((await harness.exports.job(ref))?.value.file?.name).toBe(`${ref.export}-${ref.job}.csv`);
    }
  });

  it.each(['excel_comma', 'excel_semicolon'])('of %s is imported again as it was', async (data_format) => {
    const { bytes } = await fileOf(await run({ data_format }), data_format === 'excel_comma' ? ',' : ';');
    const { job, stored, errors } = await tryFile(bytes);
    expect([job?.counts.status, errors]).toEqual(['complete', []]);
    expect(stored).toMatchObject([
      { fields: { email: 'kaethe@example.org', first_name: 'Käthe', last_name: 'a;b,c' } },
    ]);
  });

  it('of another format has no mark', async () => {
    for (const data_format of ['csv', 'txt', 'jsonl']) {
      expect((await bytesOf(await run({ data_format }))).indexOf(MARK)).toBe(-1);
    }
    expect(styleOf({ data_format: 'jsonl', formula_guard: true })).toBeUndefined();
  });
});
