import * as v from 'valibot';
import { expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { overLimit, resolveProfile } from '../../shared/profiles/resolve-profile.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { encodeState, profileItem, parseEntry } from '../../shared/profiles/stored-profile.ts';
import { decodeIds, encodeIds, tombstoneItem } from '../../shared/profiles/tombstone.ts';
import { keys } from '../../shared/table/keys.ts';
import { SideTime } from '../support/side-time.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { indexedHarness } from './indexed-harness.ts';
import { openCloud } from './slow-cloud.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { storedAt } from '../support/stored-at.ts';

const list = v.pipe(v.string(), v.parseJson(), v.array(v.unknown()));
const { identities, itemBytes } = limits.profiles;
const at = keys.profile(scope.id, 0);

/** Rows with one `unique_id`, each with an e-mail address of its own. */
const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => accepted({ unique_id: 'N/A', email: `p${n}@example.org` }, n));

it('a profile accepts only as many identities as a forgetting can remove, and a refused record leaves it unchanged', async () => {
  const table = new MemoryTable();
  const harness = indexedHarness(table);
  await harness.apply(rows(identities - 1));
  const before = await table.get(at);
  const [refused] = await harness.apply([
    accepted({ unique_id: 'N/A', email: 'more@example.org', city: 'Rome' }, 5_000),
  ]);
  expect(refused).toMatchObject({ kind: 'refused', refusal: { code: 'too_many', field: null } });
  expect((await table.get(at))?.['state']).toEqual(before?.['state']);
  expect(await harness.find({ kind: 'email', value: 'more@example.org' })).toBeUndefined();
  const [known] = await harness.apply([accepted({ unique_id: 'N/A', city: 'Rome' }, 5_001)]);
  expect(known).toMatchObject({ kind: 'updated' });
});

it('the largest profile that can be stored can be forgotten', async () => {
  const time = new SideTime();
  const { tableOf, close } = await openCloud(time);
  const table = tableOf();
  const harness = indexedHarness(table);
  const told: unknown[] = [];
  await time.run([
    async () => {
      await harness.apply([accepted({ unique_id: 'N/A', email: 'a@b.co' })]);
      // The largest possible profile: the maximum number of identities, of the longest form that fits.
      const before = parseEntry(await table.get(at));
      if (before.kind !== 'profile') throw new Error('not stored');
      const length = Math.floor((itemBytes * 0.95) / identities) - 115;
      const groups = Array.from({ length: identities - 2 }, (_, n) => ({
        tier: 1,
        stamp: stampOf(NOW, n + 1),
        origin: 'import:1001000000001',
        identities: [`email:p${n}@${'x'.repeat(length)}.co`],
      }));
      const stored = parseEntry({
        ...at,
        w: 'w',
        ...profileItem(JSON.stringify([...v.parse(list, encodeState(before.state)), ...groups]), NOW),
      });
      if (stored.kind !== 'profile') throw new Error('no profile');
      const { state } = stored;
      const encoded = encodeState(state);
      expect(Buffer.byteLength(encoded)).toBeGreaterThan(itemBytes * 0.9);
      expect(overLimit({ profile: resolveProfile(state, 0, storedAt(NOW)), state, encoded })).toBeUndefined();
      const set = profileItem(encoded, NOW);
      expect(await table.write({ kind: 'update', key: at, set, expect: { w: before.w } })).toBe('applied');
      told.push(await harness.forget(0));
    },
  ]);
  expect(told).toMatchObject([{ identities }]);
  expect(parseEntry(await atOnce(time, () => table.get(at)))).toMatchObject({
    kind: 'forgotten',
    unfinished: null,
  });
  await close();
}, 120_000);

it('a tombstone can hold every segment that likes lead to, beside all claims', async () => {
  const time = new SideTime();
  const { tableOf, close } = await openCloud(time);
  // Sparse ids of 16 digits: more segments than 5,000 likes with eight categories each lead to.
  const segments = Array.from({ length: 50_000 }, (_, n) => 9_000_000_000_000_000 + n * 20);
  const claims = Array.from({ length: identities }, (_, n) =>
    keys.claim(scope.id, 'email', `${n}`.padStart(43, 'h')),
  );
  const none = {
    attributes: 0,
    identities: 0,
    extra_data: 0,
    tags: 0,
    social_likes: 0,
    sources: 0,
    consent: 0,
    segments: 0,
    moments: 0,
  };
  const rest = {
    claims: [...claims],
    phones: [],
    segments: encodeIds(segments),
    removed: none,
    withdrawn: [],
  };
  const set = tombstoneItem(stampOf(NOW), rest);
  expect(await atOnce(time, () => tableOf().write({ kind: 'insert', key: at, set }))).toBe('applied');
  const slot = parseEntry(await atOnce(time, () => tableOf().get(at)));
  if (slot.kind !== 'forgotten' || !slot.unfinished) throw new Error('no tombstone');
  expect(decodeIds(slot.unfinished.segments)).toEqual(segments);
  await close();
});

const atOnce = async <T>(time: SideTime, work: () => Promise<T>): Promise<T> => {
  const results: T[] = [];
  await time.run([
    async () => {
      results.push(await work());
    },
  ]);
  const [result] = results;
  if (result === undefined) throw new Error('there is no result');
  return result;
};
