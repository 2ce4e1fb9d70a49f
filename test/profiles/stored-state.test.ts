import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { writeUnits } from '../../local/services/dynamodb/sizes.ts';
import { limits } from '../../shared/config/limits.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { parseEntry } from '../../shared/profiles/stored-profile.ts';
import { encodedStateIn, isStoredState, storedStateOf } from '../../shared/profiles/stored-state.ts';
import { workBudget } from '../../shared/runtime/work-budget.ts';
import { keys } from '../../shared/table/keys.ts';
import { bytesOf } from '../support/slow-table.ts';
import { accepted, harnessOn, scope } from './harness.ts';

const { deflateFrom, itemBytes } = limits.profiles;

/** A person with so many tags, such as a shop gives them. */
const withTags = (count: number) => ({
  email: 'clara@example.org',
  first_name: 'Clara',
  city: 'München',
  tags: Array.from({ length: count }, (_, index) => ({
    datetime: `2025-0${1 + (index % 9)}-1${index % 7} 12:00:00`,
    tag: [`${['bought', 'saw', 'left'][index % 3]} shoes ${index * 7}`],
  })),
});

/** The item of a person with so many tags after an update, and its write units. */
const updatedWith = async (count: number, from: number) => {
  const harness = harnessOn(undefined, { deflateFrom: from });
  await harness.apply([accepted(withTags(count), 0)]);
  await harness.apply([accepted({ email: 'clara@example.org', city: 'Ulm' }, 1)]);
  const item = await harness.table.get(keys.profile(scope.id, 0));
  return { ...harness, item, units: writeUnits(bytesOf(item)) };
};

describe('a stored state', () => {
  it('is deflated from 900 bytes on, if its stage does so', () => {
    const [small, large] = [9, 10].map((hundreds) => 'x'.repeat(hundreds * 100 - 1));
    expect(storedStateOf(small ?? '', deflateFrom)).toBe(small);
    expect(storedStateOf('ü'.repeat(450), deflateFrom)).toBeInstanceOf(Uint8Array);
    expect(storedStateOf(large ?? '', deflateFrom)).toBeInstanceOf(Uint8Array);
    expect(storedStateOf(large ?? '', Number.POSITIVE_INFINITY)).toBe(large);
  });

  it.each(['', 'Å ß 𝄞 \u0000', 'x'.repeat(itemBytes)])('is the same text when it is read', (text) => {
    expect(encodedStateIn(storedStateOf(text, 0))).toBe(text);
    expect(storedStateOf(text, 0)).toEqual(storedStateOf(text, 0));
  });

  it('never fills the memory of its reader', () => {
    expect(() => encodedStateIn(deflateRawSync('x'.repeat(100 * itemBytes)))).toThrow('larger than');
    expect(() => encodedStateIn(new Uint8Array([1, 2, 3]))).toThrow();
  });

  it.each([
    [5, 1, 1],
    [60, 3, 1],
    [200, 8, 2],
    [500, 19, 3],
  ])('of %i tags costs %i write units as text, and %i deflated', async (count, text, deflated) => {
    const plain = await updatedWith(count, Number.POSITIVE_INFINITY);
    const small = await updatedWith(count, deflateFrom);
    expect([plain.units, small.units]).toEqual([text, deflated]);
    const [one, other] = [plain, small].map(({ item }) => parseEntry(item));
    const state = small.item?.['state'];
    const bytes = isStoredState(state) ? Buffer.byteLength(state) : 0;
    expect(other).toEqual({ ...one, w: small.item?.w, bytes });
  });

  it('counts by its characters in the work of a page, however it is stored', async () => {
    for (const from of [Number.POSITIVE_INFINITY, 1]) {
      const { table, item } = await updatedWith(200, from);
      const state = item?.['state'];
      const characters = isStoredState(state) ? encodedStateIn(state).length : 0;
      const { readEach } = profileRepository({ table });
      const read = async (work: number) => {
        const found: number[] = [];
        for await (const { ordinal } of readEach(scope.id, [0], workBudget(work))) found.push(ordinal);
        return found;
      };
      expect([await read(characters - 1), await read(characters)]).toEqual([[], [0]]);
    }
  });

  it.each([Number.POSITIVE_INFINITY, 1])('has the same limits, deflated from %d bytes on', async (from) => {
    const { apply } = harnessOn(undefined, { deflateFrom: from });
    const filled = (bytes: number) => ({
      email: 'clara@example.org',
      extra_data: { much: 'x'.repeat(bytes) },
    });
    const [whole] = await apply([accepted(filled(itemBytes - 500), 0)]);
    const [more] = await apply([accepted(filled(itemBytes), 1)]);
    expect(whole).toMatchObject({ kind: 'created' });
    expect(more).toMatchObject({ kind: 'refused', refusal: { code: 'profile_too_large' } });
  });
});
