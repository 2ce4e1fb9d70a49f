import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as v from 'valibot';
import { isIn } from '../../shared/catalogue/definition.ts';
import type { Where } from '../../shared/catalogue/conditions/shape.ts';
import type { SegmentExpression } from '../../shared/catalogue/types.ts';
import { limits } from '../../shared/config/limits.ts';
import { previewAnswer } from '../../shared/segments/people-schemas.ts';
import { populationOf, type PreviewDefinition } from '../../shared/segments/preview-definition.ts';
import { previewSegment } from '../../shared/segments/preview-segment.ts';
import { openUuid } from '../../shared/profiles/profile-uuid.ts';
import { request } from '../references/harness.ts';
import { randomOf } from '../support/random.ts';
import { answered } from '../support/requests.ts';
import { everyone, Fixture, property, scopeOf } from './fixture.ts';
import type { ProfileSketch } from './profiles.ts';

const spent: Where = { field: 'extra_data.spend', op: 'gte', value: 500 };
const inBerlin: Where = { field: 'city', op: 'eq', value: 'berlin' };

/** People by their ordinals, in the index. */
const propertyOf = async (people: readonly (ProfileSketch | undefined)[], tags: readonly string[] = []) => {
  const fixture = new Fixture();
  await fixture.put(
    people.flatMap((sketch, ordinal) => (sketch ? [[ordinal, sketch] as const] : [])),
    tags,
  );
  const deps = { ...fixture.deps, scopeOf, random: randomOf(3) };
  return {
    fixture,
    refused: (body: { definition: PreviewDefinition }) => previewSegment(deps, request(body)),
    preview: (definition: PreviewDefinition) =>
      answered(previewSegment(deps, request({ definition })), previewAnswer),
    previewWhere: (where: Where) => answered(previewSegment(deps, request({ where })), previewAnswer),
  };
};

const ordinalsIn = async ({ sample }: v.InferOutput<typeof previewAnswer>) => {
  const { keys } = await scopeOf(property);
  return sample.map(({ profile_uuid }) => openUuid(keys.uuid, profile_uuid ?? ''));
};

/** Person n spends n and has the tag Jazz if n is even; every third lives in Berlin. */
const sketchOf = (n: number): ProfileSketch => ({
  extra: { spend: n },
  ...(n % 2 === 0 ? { tags: ['Jazz'] } : {}),
  fields: { city: n % 3 === 0 ? 'Berlin' : 'Köln' },
});

describe('a preview with rules', () => {
  it('is exact where no more people may be meant than it reads', async () => {
    const { fixture, preview, previewWhere } = await propertyOf(
      Array.from({ length: 1_000 }, (_, n) => sketchOf(n)),
      ['Jazz'],
    );
    const jazz = await fixture.tag('Jazz');
    const all = await previewWhere(spent);
    expect(all.estimate).toEqual({ count: 500, low: 500, high: 500, profiles_read: 1_000 });
    expect(all.count).toBeUndefined();
    expect(await ordinalsIn(all)).toEqual(Array.from({ length: 10 }, (_, index) => 500 + index));
    const both = await preview({ all: [jazz, { where: spent }] });
    expect(both.estimate).toEqual({ count: 250, low: 250, high: 250, profiles_read: 500 });
    const either = await preview({ any: [{ named: { type: 'tag', name: 'jazz' } }, { where: spent }] });
    expect(either.estimate).toEqual({ count: 750, low: 750, high: 750, profiles_read: 1_000 });
    const without = await preview({ all: [jazz, { not: { any: [{ where: spent }, { where: inBerlin }] } }] });
    expect(without.estimate).toMatchObject({ count: 166, low: 166, high: 166, profiles_read: 500 });
    expect(await ordinalsIn(without)).toEqual([2, 4, 8, 10, 14, 16, 20, 22, 26, 28]);
    // A preview without a rule is as before.
    expect(await preview(jazz)).toMatchObject({ count: 500, as_of: all.as_of });
    expect(await preview(jazz)).not.toHaveProperty('estimate');
  });

  it('is an estimate for more people, whose bounds have the true number', async () => {
    const { preview } = await propertyOf(Array.from({ length: 9_000 }, (_, n) => sketchOf(n)));
    const { estimate, sample } = await preview({ not: { where: { ...spent, value: 3_000 } } });
    expect(estimate?.profiles_read).toBe(limits.segments.peopleDrawn);
    const { count = 0, low = 0, high = 0 } = estimate ?? {};
    expect(low).toBeLessThan(3_000);
    expect(high).toBeGreaterThan(3_000);
    expect(high - low).toBeLessThan(9_000 * 0.032);
    expect([low <= count, count <= high, sample.length]).toEqual([true, true, 10]);
  });

  it('says of each rule who has a value of its field, and who has one that it cannot read', async () => {
    const { preview } = await propertyOf([
      { extra: { spend: 700 } },
      { extra: { spend: '700' } },
      { extra: { spend: 'much' } },
      { extra: { spend: ' ' } },
      {},
    ]);
    const { estimate, conditions } = await preview({
      any: [{ where: spent }, { where: { ...inBerlin, field: 'extra_data.spent' } }, { where: { ...spent } }],
    });
    expect(estimate).toMatchObject({ count: 2, profiles_read: 5 });
    expect(conditions).toEqual([
      { where: spent, with_value: 3, unreadable: 1 },
      { where: { ...inBerlin, field: 'extra_data.spent' }, with_value: 0, unreadable: 0 },
    ]);
  });

  it('leaves out who objects to every use, and who was forgotten a moment ago', async () => {
    const { fixture, previewWhere } = await propertyOf(
      Array.from({ length: 4 }, () => ({ extra: { spend: 600 } })),
    );
    const [, second] = fixture.profiles.values();
    if (second) fixture.profiles.set(1, { ...second, restricted: true });
    fixture.profiles.delete(2);
    const answer = await previewWhere(spent);
    expect(answer.estimate).toEqual({ count: 2, low: 2, high: 2, profiles_read: 4 });
    expect(await ordinalsIn(answer)).toEqual([0, 3]);
  });

  it('reads a field of a person once, however many rules compare it', async () => {
    const { fixture, preview } = await propertyOf([{ extra: { spend: 'x'.repeat(1_000) } }]);
    const [person] = fixture.profiles.values();
    let read = 0;
    const readsOf = async (rules: number): Promise<number> => {
      read = 0;
      const counting = {
        get spend() {
          read += 1;
          return 'x'.repeat(1_000);
        },
      };
      if (person) fixture.profiles.set(0, { ...person, extra: counting });
      const named = Array.from({ length: rules }, (_, n) => ({
        where: { field: 'extra_data.spend', op: 'contains', value: `y${n}` } as const,
      }));
      expect((await preview({ any: named })).estimate).toMatchObject({ count: 0, profiles_read: 1 });
      return read;
    };
    const once = await readsOf(1);
    expect([once > 0, await readsOf(48)]).toEqual([true, once]);
  });

  it('ends where its rules have compared too much, and says how many people it has read', async () => {
    const long = 'x'.repeat(300_000);
    const { preview } = await propertyOf(
      Array.from({ length: 60 }, (_, n) => ({ extra: { spend: n % 2 === 0 ? `${long}y` : long } })),
    );
    const rules = Array.from({ length: 48 }, (_, n) => ({
      where: { field: 'extra_data.spend', op: 'contains', value: `y${'z'.repeat(n)}` } as const,
    }));
    const { estimate, conditions } = await preview({ any: rules });
    const { count = 0, low = 0, high = 0, profiles_read = 0 } = estimate ?? {};
    expect(profiles_read).toBe(Math.floor(limits.work.previewValues / (3 * 48 * (300_000 + 11))));
    expect(conditions?.map(({ with_value }) => with_value)).toEqual(rules.map(() => profiles_read));
    expect([low < 30, 30 < high, low <= count && count <= high]).toEqual([true, true, true]);
    expect((await preview({ any: rules.slice(0, 2) })).estimate).toMatchObject({
      count: 30,
      profiles_read: 60,
    });
  });

  it('is refused where it names segments that do not exist', async () => {
    const { refused } = await propertyOf([{}, {}]);
    expect(await refused({ definition: { all: [everyone + 77, { where: spent }] } })).toMatchObject({
      error: { status: 422, errors: [{ pointer: '/definition/all/0', code: 'unknown_reference' }] },
    });
    const named = { named: { type: 'tag', name: 'Nobody' } } as const;
    expect(await refused({ definition: { not: { any: [named, { where: spent }] } } })).toMatchObject({
      error: { status: 422, errors: [{ pointer: '/definition/not/any/0/named', code: 'unknown_reference' }] },
    });
  });
});

/** Expressions of two segments and three rules, which have numbers below zero. */
const expression: fc.Arbitrary<SegmentExpression> = fc.letrec<{ node: SegmentExpression }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(1, 2, -1, -2, -3),
    fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    tie('node').map((not) => ({ not })),
  ),
})).node;

/** Every way in which segments and rules may hold for a person. */
const people = Array.from({ length: 32 }, (_, bits) => (leaf: number): boolean => {
  const place = leaf > 0 ? leaf - 1 : 1 - leaf;
  return (bits & (1 << place)) > 0;
});

it('the population of a definition has everybody whom its rules may mean, and no rules', () => {
  fc.assert(
    fc.property(expression, (definition) => {
      const population = populationOf(definition);
      expect(JSON.stringify(population ?? 0)).not.toContain('-');
      for (const holds of people) {
        if (isIn(definition, holds)) expect(population === undefined || isIn(population, holds)).toBe(true);
      }
    }),
  );
});

/** A definition in which each rule stands once. */
const apart = (definition: SegmentExpression): SegmentExpression => {
  let last = 0;
  const part = (one: SegmentExpression): SegmentExpression => {
    if (typeof one === 'number') return one > 0 ? one : (last -= 1);
    if ('not' in one) return { not: part(one.not) };
    return 'all' in one ? { all: one.all.map(part) } : { any: one.any.map(part) };
  };
  return part(definition);
};

it('the population has nobody whom no rule can mean', () => {
  fc.assert(
    fc.property(expression.map(apart), fc.integer({ min: 0, max: 3 }), (definition, held) => {
      const population = populationOf(definition);
      const inSegments = (leaf: number): boolean => (held & leaf) > 0;
      const isMeant = (one: SegmentExpression, wanted: boolean): boolean => {
        if (typeof one === 'number') return one < 0 || inSegments(one) === wanted;
        if ('not' in one) return isMeant(one.not, !wanted);
        const [every, parts] = 'all' in one ? [wanted, one.all] : [!wanted, one.any];
        return every
          ? parts.every((each) => isMeant(each, wanted))
          : parts.some((each) => isMeant(each, wanted));
      };
      expect(population === undefined || isIn(population, inSegments)).toBe(isMeant(definition, true));
    }),
  );
});
