import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { segmentsOf } from '../../shared/catalogue/derive.ts';
import { treeOf, type Tree } from '../../shared/catalogue/tree.ts';
import type { SegmentIdentity } from '../../shared/catalogue/types.ts';
import { unloadedIn } from '../support/brands.ts';
import { surfaced } from '../segments/profiles.ts';

const now = Date.UTC(2026, 10, 21);
const leaf = (...segments: readonly string[]) => ({ count: segments.length, segments, subcategories: {} });

describe('the tree of a profile', () => {
  it('is empty for a person without known data', () => {
    expect(treeOf(segmentsOf(surfaced(1), now, unloadedIn(1)).values())).toEqual({});
  });

  it('shows every kind of segment in its node, with counts of the node and below', () => {
    const profile = surfaced(1, {
      tags: ['vip', 'jazz'],
      sources: ['Shop'],
      likes: ['4711'],
      country: 'US',
      fields: { state: 'TX', city: 'Austin', gender: 'f', birthday: '1990-01-01' },
    });
    expect(treeOf(segmentsOf(profile, now, unloadedIn(1)).values())).toEqual({
      Brands: { count: 1, segments: [], subcategories: { Uncategorised: leaf('4711') } },
      Demographics: {
        count: 2,
        segments: [],
        subcategories: { Age: leaf('Age: 35-44'), Gender: leaf('Gender: f') },
      },
      Location: {
        count: 3,
        segments: ['US'],
        subcategories: {
          US: { count: 2, segments: ['TX, US'], subcategories: { TX: leaf('Austin, TX, US') } },
        },
      },
      Sources: leaf('Shop'),
      Tags: leaf('jazz', 'vip'),
    });
  });

  it('accepts any text of a user as a name, even the name of an object property', () => {
    const profile = surfaced(1, { country: '__proto__', fields: { state: 'constructor' } });
    const tree = treeOf(segmentsOf(profile, now, unloadedIn(1)).values());
    expect(JSON.stringify(tree['Location'])).toBe(
      '{"count":2,"segments":["__proto__"],"subcategories":{"__proto__":' +
        '{"count":1,"segments":["constructor, __proto__"],"subcategories":{}}}}',
    );
  });

  it('counts each segment once in every node above it', () => {
    const word = fc.constantFrom('a', 'b', 'c');
    const identities = fc.uniqueArray(
      fc.record({
        type: fc.constant('tag' as const),
        path: fc.array(word, { minLength: 1, maxLength: 3 }),
        name: word,
      }),
      { selector: (one) => JSON.stringify(one) },
    );
    fc.assert(
      fc.property(identities, (segments: readonly SegmentIdentity[]) => {
        const check = (tree: Tree, above: readonly string[]): void => {
          for (const [category, node] of Object.entries(tree)) {
            const path = [...above, category];
            const inside = segments.filter((one) => path.every((step, at) => one.path[at] === step));
            expect(node.count).toBe(inside.length);
            const direct = inside.filter((one) => one.path.length === path.length).map(({ name }) => name);
            expect(node.segments).toEqual(direct.sort());
            check(node.subcategories, path);
          }
        };
        const tree = treeOf(segments);
        expect(Object.values(tree).reduce((sum, { count }) => sum + count, 0)).toBe(segments.length);
        check(tree, []);
      }),
    );
  });
});
