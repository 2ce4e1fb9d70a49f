import { describe, expect, it } from 'vitest';
import { dataFormats } from '../../shared/exports/model/items.ts';
import { RowTooLargeError } from '../../shared/exports/parts/row-budget.ts';
import { exportsHarness, profile, segment } from './harness.ts';
import { ref, runAll } from './steps.ts';

const column = (field: string, index: number) => ({
  umbel_field_name: field,
  destination_field_name: `column ${index}`,
});
const columnsOf = (count: number, field: string) =>
  Array.from({ length: count }, (_, index) => column(field, index));

/** An export of two people whose `extra_data` has so many characters. */
const start = async (characters: number, more: object) => {
  const harness = exportsHarness();
  harness.fakes.members.set(segment(1), [1, 2]);
  for (const ordinal of [1, 2])
    harness.fakes.profiles.set(ordinal, profile(ordinal, { extra: { n: '"'.repeat(characters) } }));
  const created = await harness.create({ segment: [segment(1)], ...more });
  return { harness, created };
};

describe('a custom format', () => {
  it('shows a field in ten columns at most', async () => {
    const format = (field: string, count: number) => ({
      field_set: 'custom',
      custom_result_format: columnsOf(count, field),
    });
    for (const field of ['extra_data', 'extra_data.n', 'email', 'consent.email']) {
      expect((await start(1, format(field, 10))).created).toMatchObject({ ok: true });
      const refused = await start(1, format(field, 1_000));
      expect(refused.created).toMatchObject({
        ok: false,
        error: {
          status: 422,
          errors: [{ pointer: '/custom_result_format/10/umbel_field_name', code: 'too_many' }],
        },
      });
    }
  });
});

describe('the row of the largest profile', () => {
  it.each(dataFormats)('is printed once in %s', async (data_format) => {
    const { harness } = await start(380_000, { data_format });
    await runAll(harness);
    expect((await harness.exports.job(ref))?.value).toMatchObject({ status: 'complete', file: { rows: 2 } });
  });

  it.each(dataFormats)('fails its job if a format in %s shows it too often', async (data_format) => {
    const custom_result_format = columnsOf(10, 'extra_data');
    const { harness } = await start(380_000, { data_format, field_set: 'custom', custom_result_format });
    const { shards } = await harness.plan(ref);
    const part = harness.part(ref, shards[0]?.shard ?? 0);
    await expect(part).rejects.toBeInstanceOf(RowTooLargeError);
    const { name } = await part.then(
      () => new Error(),
      (error: unknown) => (error instanceof Error ? error : new Error()),
    );
    await harness.fail(ref, name);
    expect((await harness.exports.job(ref))?.value).toMatchObject({
      status: 'failed',
      error: { code: 'row_too_large' },
    });
  });
});
