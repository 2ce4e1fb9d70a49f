import { expect, it } from 'vitest';
import { writePart } from '../../shared/exports/parts/write-part.ts';
import { limits } from '../../shared/config/limits.ts';
import { exportsHarness, profile, segment } from './harness.ts';
import { ref } from './steps.ts';

const PEOPLE = 100;
/** Rows are read and printed one by one; a few more are on their way through the streams. */
const FEW = 10;

it.each(['csv', 'jsonl'] as const)(
  'a part in %s prints one large profile after the other',
  async (data_format) => {
    const harness = exportsHarness();
    const ordinals = Array.from({ length: PEOPLE }, (_, index) => index);
    harness.fakes.members.set(segment(1), ordinals);
    await harness.create({ segment: [segment(1)], data_format });
    const { shards } = await harness.plan(ref);
    const large = profile(0, { extra: { key: 'x'.repeat(limits.profiles.itemBytes - 1_000) } });
    const [read, stored] = [{ profiles: 0 }, { bytes: 0 }];
    let most = 0;
    const store = harness.work.putStream.bind(harness.work);
    harness.work.putStream = (key, body) => {
      async function* watched() {
        for await (const piece of body) {
          stored.bytes += piece.length;
          most = Math.max(most, read.profiles - Math.floor(stored.bytes / limits.profiles.itemBytes));
          yield piece;
        }
      }
      return store(key, watched());
    };
    function* profiles(wanted: Iterable<number>) {
      for (const ordinal of wanted) {
        read.profiles += 1;
        yield { ...large, ordinal };
      }
    }
    async function* readProfiles(_: number, wanted: Iterable<number>) {
      await Promise.resolve();
      yield profiles(wanted);
    }
    await writePart({ ...harness, readProfiles }, ref, shards[0]?.shard ?? 0);
    expect(read.profiles).toBe(PEOPLE);
    expect(stored.bytes).toBeGreaterThan(PEOPLE * (limits.profiles.itemBytes - 2_000));
    expect(most).toBeLessThan(FEW);
    expect((await harness.exports.part(ref, shards[0]?.shard ?? 0))?.rows).toBe(PEOPLE);
  },
);
