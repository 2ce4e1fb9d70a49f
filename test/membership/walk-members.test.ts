import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { countMembers } from '../../shared/membership/read-members.ts';
import { membersBefore, membersFrom } from '../../shared/membership/walk-members.ts';
import type { SegmentExpression } from '../../shared/catalogue/types.ts';
import { ORDINALS_PER_CHUNK, ORDINALS_PER_GROUP } from '../../shared/table/keys.ts';
import { Fixture, everyone, property } from '../segments/fixture.ts';
import { seeded } from '../ingest/interleave.ts';

const tags = ['a', 'b', 'c'];
const fixture = new Fixture();
const ids = new Map<number, string>();

/** Ordinals around the borders of chunks and groups, and some scattered ordinals. */
const ordinals = [0, 1, 5, 1, 2, 40, 63].flatMap((chunk) =>
  [0, 1, 2, 9].flatMap((group) =>
    [0, 1, 31, 32, 500, 4095].map((at) => group * ORDINALS_PER_GROUP + chunk * ORDINALS_PER_CHUNK + at),
  ),
);

beforeAll(async () => {
  const choose = seeded(1);
  const sketches = ordinals.map(
    (ordinal) => [ordinal, { tags: tags.filter((_, index) => choose(index + 2) === 0) }] as const,
  );
  await fixture.put(sketches, tags);
  for (const name of tags) ids.set(await fixture.tag(name), name);
});

const { target } = fc.letrec<{ target: SegmentExpression; leaf: SegmentExpression }>((tie) => ({
  leaf: fc
    .nat({ max: 4 })
    .map((index): SegmentExpression => [...ids.keys(), everyone, 7_000_009_999][index] ?? everyone),
  target: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('leaf'),
    fc.array(tie('target'), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('target'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    tie('target').map((not) => ({ not })),
  ),
}));

const isMember = (wanted: SegmentExpression, ordinal: number): boolean => {
  if (typeof wanted === 'number') {
    const name = ids.get(wanted);
    const has = fixture.profiles.get(ordinal)?.tags.some(({ tag }) => tag === name);
    return wanted === everyone || has === true;
  }
  if ('all' in wanted) return wanted.all.every((part) => isMember(part, ordinal));
  if ('any' in wanted) return wanted.any.some((part) => isMember(part, ordinal));
  return !isMember(wanted.not, ordinal);
};

const modelled = (wanted: SegmentExpression): readonly number[] =>
  [...new Set(ordinals)].sort((a, b) => a - b).filter((ordinal) => isMember(wanted, ordinal));

const collected = async (walk: AsyncIterable<number>): Promise<readonly number[]> => {
  const found: number[] = [];
  for await (const ordinal of walk) found.push(ordinal);
  return found;
};

describe('a walk over the members of a combination', () => {
  it('returns the members of the model, from any ordinal, in both directions', async () => {
    await fc.assert(
      fc.asyncProperty(target, fc.constantFrom(...ordinals, 77, 10_000_000), async (wanted, at) => {
        const members = { property, expression: wanted };
        const expected = modelled(wanted);
        const above = await collected(membersFrom(fixture.table, members, at));
        const below = await collected(membersBefore(fixture.table, members, { before: at }));
        expect(above).toEqual(expected.filter((ordinal) => ordinal >= at));
        expect(below).toEqual(expected.filter((ordinal) => ordinal < at).reverse());
        expect(await countMembers(fixture.table, members)).toBe(expected.length);
      }),
      { numRuns: 150 },
    );
  });

  it('reads only the chunks on its way', async () => {
    fixture.operations.length = 0;
    const walk = membersFrom(fixture.table, { property, expression: everyone }, ORDINALS_PER_GROUP);
    await walk.next();
    expect(fixture.operations.map(({ name, keys }) => `${name} ${keys[0]?.pk}`)).toEqual([
      `getMany P#7#M#${everyone}`,
      `query P#7#M#${everyone}#1`,
    ]);
  });
});
