import { describe, expect, it } from 'vitest';
import { readFrozen } from '../../shared/exports/parts/candidates.ts';
import { ordinalsBetween } from '../../shared/exports/model/frozen-set.ts';
import { sealOrdinal } from '../../shared/profiles/profile-uuid.ts';
import { randomSource } from '../schedules/random.ts';
import { columnsOf, fileOf, ref, withPeople } from './steps.ts';
import { type Before, bodyOf, type ExportsHarness, segment } from './harness.ts';

/** Two thirds of them are members: more than one shard. */
const PEOPLE = 16_000;

/** One call of a port in so many is the last one of its worker. */
const CALLS_PER_KILL = 12;

class Killed extends Error {}

describe('an export under churn, its workers killed', () => {
  it.each([1, 2])('holds each member of its plan exactly once (seed %i)', async (seed) => {
    const random = randomSource(seed);
    let armed = false;
    const before: Before = () => {
      if (armed && random.below(CALLS_PER_KILL) === 0) throw new Killed();
    };
    const harness = withPeople({ before, count: PEOPLE });
    const isIn = () => random.below(3) > 0;
    harness.fakes.members.set(segment(2), [...harness.fakes.profiles.keys()].filter(isIn));
    bodyOf(await harness.create({ segment: [segment(2)], ...columnsOf('profile_uuid') }));
    armed = true;
    let kills = 0;
    /** Tries a step until it is through; between tries, and after it, people join and leave. */
    const step = async <T>(work: () => Promise<T>): Promise<T> => {
      for (let attempt = 0; attempt < 200; attempt += 1)
        try {
          return await work();
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
          kills += 1;
        } finally {
          harness.fakes.members.set(segment(2), [...harness.fakes.profiles.keys()].filter(isIn));
        }
      throw new Error('200 attempts were not enough');
    };
    const { shards } = await step(() => harness.plan(ref));
    armed = false;
    const frozen = [...(await frozenMembers(harness))];
    armed = true;
    // Workers of one shard run at once, as after a time-out that was none.
    await Promise.all([...shards, ...shards].map(({ shard }) => step(() => harness.part(ref, shard))));
    await Promise.all([step(() => harness.assemble(ref)), step(() => harness.assemble(ref))]);
    armed = false;
    const seen = (await fileOf(harness)).rows.slice(1).flat();
    const expected = frozen.map((ordinal) => sealOrdinal(harness.keys.uuid, ordinal));
    expect([shards.length, kills > 0]).toEqual([2, true]);
    expect(seen.toSorted()).toEqual(expected.toSorted());
  });

  /** The members that the plan stored. */
  const frozenMembers = async (harness: ExportsHarness): Promise<Iterable<number>> => {
    const plan = (await harness.exports.job(ref))?.value.plan;
    return ordinalsBetween(await readFrozen(harness.files, plan?.members_key ?? ''), 0, plan?.members ?? 0);
  };
});
