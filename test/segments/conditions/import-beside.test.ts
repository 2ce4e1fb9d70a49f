import { expect, it } from 'vitest';
import type { Where } from '../../../shared/catalogue/conditions/shape.ts';
import { everyoneId } from '../../../shared/catalogue/identity.ts';
import { applyRecords } from '../../../shared/ingest/apply-records.ts';
import { membersFrom } from '../../../shared/membership/walk-members.ts';
import { keys, ORDINALS_PER_GROUP } from '../../../shared/table/keys.ts';
import { pick, seeded } from '../../ingest/interleave.ts';
import { accepted, scope } from '../../profiles/harness.ts';
import { casesOf } from '../../support/scale.ts';
import { ConditionHarness, where } from './harness.ts';

/** People, of whom the first are stored before; rows of the import, and those of one batch. */
const [CROWD, BEFORE, ROWS, PER_BATCH] = [4_000, 2_000, 6_000, 100];

const rules: readonly (readonly [where: Where, isMet: (spend: number) => boolean])[] = [
  [where, (spend) => spend >= 500],
  [{ field: 'extra_data.spend', op: 'lt', value: 20 }, (spend) => spend < 20],
  [{ field: 'extra_data.spend', op: 'between', value: [300, 600] }, (spend) => spend >= 300 && spend <= 600],
];

const nameOf = (who: number): string => `u${who}`;

/** Plays an import of random rows by three writers, while conditions are announced, filled and made ready. */
const play = async (seed: number): Promise<void> => {
  const choose = seeded(seed);
  const harness = new ConditionHarness();
  const spent = new Map<number, number>();
  const row = (who: number) => {
    const spend = choose(1_000);
    spent.set(who, spend);
    return accepted({ unique_id: nameOf(who), extra_data: { spend } }, (orders += 1));
  };
  let orders = 0;
  const writers = [harness.process(), harness.process(), harness.process()];
  const store = async (batch: ReturnType<typeof row>[], attemptId: string): Promise<void> => {
    const [index, writer] = [choose(8) === 0 ? 'now' : 'later', pick(writers, choose)] as const;
    const outcomes = await applyRecords(writer, scope, batch, { attemptId, index });
    expect(outcomes).toHaveLength(batch.length);
  };
  await store(
    Array.from({ length: BEFORE / 2 }, (_, who) => row(who)),
    'first',
  );
  // The rest is in another group of ordinals.
  await harness.table.increment(keys.counter(scope.id, 'ordinal'), ORDINALS_PER_GROUP);
  writers.splice(0, 3, harness.process(), harness.process(), harness.process());
  await store(
    Array.from({ length: BEFORE / 2 }, (_, at) => row(BEFORE / 2 + at)),
    'second',
  );
  await harness.sweep();

  const ids: number[] = [];
  let batches = 0;
  const batch = (): Promise<void> => {
    const rows = Array.from({ length: PER_BATCH }, () => row(choose(CROWD)));
    return store(rows, `batch-${(batches += 1)}`);
  };
  let besideFill = 0;
  const imports = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= 4) {
      await Promise.all([batch(), batch(), batch(), batch()]);
      if (harness.tasks().some(({ state }) => state['fill'])) besideFill += 4;
    }
  };
  const all = ROWS / PER_BATCH;
  for (const [rule] of rules) ids.push(await harness.create(rule, JSON.stringify(rule)));
  await imports(all / 5);
  await harness.look();
  harness.now += 4_000;
  await imports(all / 5);
  harness.now += 150_000;
  // The rest of the import goes on beside the fill and its drains.
  await Promise.all([imports((all * 3) / 5), harness.look()]);
  await harness.settle();
  await harness.sweep();
  for (const [at, [, isMet]] of rules.entries()) {
    const id = ids[at] ?? 0;
    expect(await harness.isReady(id)).toBe(true);
    const wanted = [...spent].flatMap(([who, spend]) => (isMet(spend) ? [nameOf(who)] : []));
    expect((await harness.members(id)).toSorted()).toEqual(wanted.toSorted());
  }
  const everybody = membersFrom(harness.table, { property: scope.id, expression: everyoneId(scope.id) });
  expect(await Array.fromAsync(everybody)).toHaveLength(spent.size);
  expect(harness.tasks()).toEqual([]);
  expect(besideFill).toBeGreaterThan(0);
};

it.each(Array.from({ length: casesOf('IMPORTS', { full: 20, sample: 2 }) }, (_, seed) => seed))(
  'an import of thousands of rows beside a fill loses nobody: conditions have exactly their members (seed %i)',
  play,
  600_000,
);
