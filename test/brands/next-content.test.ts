import { describe, expect, it } from 'vitest';
import { brandKey, categoryKey } from '../../shared/catalogue/brand-keys.ts';
import { Brands, noBrands } from '../../shared/catalogue/brands.ts';
import { movedPages } from '../../shared/brands/moved-pages.ts';
import { nextContent } from '../../shared/brands/next-content.ts';

/** Versions from successive files; a row is `page brand category`. */
const versions = (...files: readonly (readonly string[])[]): readonly Brands[] => {
  const made: Brands[] = [noBrands];
  for (const file of files) {
    const rows = file.map((line) => {
      const [page = '', brand = '', path = 'A'] = line.split(' ');
      return { page, brand, category: path.split('/') };
    });
    made.push(new Brands(made.length, nextContent(made.at(-1) ?? noBrands, rows)));
  }
  return made;
};

const after = (...files: readonly (readonly string[])[]): Brands => versions(...files).at(-1) ?? noBrands;
const keysOf = (brands: Brands, page: string) => brands.segmentsOf(page).map(([key]) => key);
const mergedFrom = (brands: Brands, page: string) =>
  brands.segmentsOf(page).map(([, identity]) => identity.mergedFrom)[0];

describe('the keys of brands', () => {
  it('keep the id of a page that becomes a brand of its own', () => {
    expect(after(['1 X']).keyOf('1')).toBe(brandKey('1'));
  });

  it('give a new id to pages that become one brand, and the brand takes over from each page', () => {
    const brands = after(['1 X', '2 X']);
    expect([brands.keyOf('1'), brands.keyOf('2')]).toEqual([brandKey('1', 2), brandKey('1', 2)]);
    expect(['1', '2'].map((page) => mergedFrom(brands, page))).toEqual([brandKey('1'), brandKey('2')]);
  });

  it('keep the id of a renamed or moved brand, so the brand keeps its people', () => {
    const [, first, second, third] = versions(['1 X A', '2 X A'], ['1 Y A', '2 Y A'], ['1 Y B/C', '2 Y B/C']);
    expect(second?.keyOf('2')).toBe(first?.keyOf('2'));
    expect(third?.keyOf('2')).toBe(first?.keyOf('2'));
    if (!first || !second || !third) throw new Error('no versions');
    expect([...movedPages(first, second)]).toEqual([]);
    expect([...movedPages(second, third).values()]).toEqual([['1', '2']]);
  });

  it('keep the id of a page that moves to another category, however many categories the page has', () => {
    const [, first, second] = versions(['1 X A/B', '2 Y A/C'], ['1 X A/C', '2 Y A/C', '3 Z A/B']);
    if (!first || !second) throw new Error('no versions');
    expect([...movedPages(first, second).values()]).toEqual([['1'], ['3']]);
  });

  it('give a new id to a brand whose pages differ from those of a removed brand of the same size', () => {
    const [, first, second] = versions(['1 X', '2 X'], ['1 Y', '3 Y']);
    expect(second?.keyOf('1')).toBe(brandKey('1', 3));
    expect(second?.keyOf('1')).not.toBe(first?.keyOf('1'));
  });

  it('keep the id of a brand that gains or loses a page', () => {
    const [, first, gained, lost] = versions(['1 X', '2 Y'], ['1 X', '2 X'], ['2 X']);
    expect([gained?.keyOf('2'), lost?.keyOf('2')]).toEqual([first?.keyOf('1'), first?.keyOf('1')]);
    // The page that joins leads nowhere: the brand had its id before.
    expect(gained && mergedFrom(gained, '2')).toBeUndefined();
    // The page that left is new: its own key is the key of its brand.
    expect(lost?.keyOf('1')).toBe(brandKey('1', 2));
    expect(lost?.segmentsOf('1').map(([, { name }]) => name)).toEqual(['1']);
    const departed = { page: '1', brand: null, category: [], key: brandKey('1', 2), born: 2 };
    expect(lost?.entryOf('1')).toEqual(departed);
  });

  it('leave the id of a split brand to the part with the first page of the brand', () => {
    const [, whole, parts] = versions(['1 X', '2 X'], ['1 Y', '2 Z']);
    expect([parts?.keyOf('1'), parts?.keyOf('2')]).toEqual([brandKey('1', 3), brandKey('2', 2)]);
    expect(parts && [mergedFrom(parts, '1'), mergedFrom(parts, '2')]).toEqual([whole?.keyOf('1'), undefined]);
  });

  it('keep the id of a page that leaves the catalogue alone', () => {
    const brands = after(['1 X'], []);
    expect(brands.keyOf('1')).toBe(brandKey('1'));
    expect([...brands.pages()]).toEqual([]);
  });

  it.each([
    [
      'joins and leaves',
      [['1 X', '2 X'], ['1 X'], ['1 Y', '2 Y'], [], ['1 X', '2 X'], ['2 X'], ['1 Z', '2 Z']],
    ],
    [
      'goes by its own key again',
      [['1 X', '2 Y'], ['1 X', '2 X'], ['2 X'], ['1 X', '2 X'], ['1 X'], [], ['1 X', '2 X'], ['1 Z'], []],
    ],
  ])('never return, once retired, to a page that %s', (_, files) => {
    const seen = new Set<string>();
    let before = new Set<string>();
    for (const brands of versions(...files)) {
      const live = new Set(['1', '2'].map((page) => brands.keyOf(page)));
      for (const key of live) expect(seen.has(key) && !before.has(key)).toBe(false);
      for (const key of live) seen.add(key);
      before = live;
    }
    expect(seen.size).toBeGreaterThan(6);
  });
});

describe('the keys of categories', () => {
  it('keep the ids of a category that is renamed with all of its pages, and of the categories below it', () => {
    const brands = after(['1 X A/B', '2 Y A/C'], ['1 X Z/B', '2 Y Z/C']);
    expect(brands.categoryKeyOf(['Z'])).toBe(categoryKey(['A']));
    expect(brands.categoryKeyOf(['Z', 'B'])).toBe(categoryKey(['A', 'B']));
  });

  it('give a new id to a category of other pages', () => {
    const brands = after(['1 X A/B', '2 Y A/C'], ['1 X Z/B', '3 Y Z/C']);
    expect(brands.categoryKeyOf(['Z'])).toBe(categoryKey(['Z']));
    expect(brands.categoryKeyOf(['Z', 'B'])).toBe(categoryKey(['A', 'B']));
    expect(brands.categoryKeyOf(['Z', 'C'])).toBe(categoryKey(['Z', 'C']));
  });

  it('do not give the key of a renamed category to a category below it', () => {
    const brands = after(['1 X A'], ['1 X Z/B']);
    expect(brands.categoryKeyOf(['Z'])).toBe(categoryKey(['A']));
    expect(brands.categoryKeyOf(['Z', 'B'])).toBe(categoryKey(['Z', 'B']));
  });

  it('distinguish two paths whose levels look alike when joined', () => {
    const brands = after(['1 X A/BC'], ['1 X Z/BC', '2 Y ZB/C']);
    expect(['1', '2'].map((page) => keysOf(brands, page).slice(1))).toEqual([
      [categoryKey(['A']), categoryKey(['A', 'BC'])],
      [categoryKey(['ZB']), categoryKey(['ZB', 'C'])],
    ]);
  });

  it('are stored only for categories with another path than their key', () => {
    const [before = noBrands] = versions(['1 X A/B']).slice(1);
    const rows = [{ page: '1', brand: 'X', category: ['A', 'C'] }];
    const renamed = { path: ['A', 'C'], key: categoryKey(['A', 'B']) };
    expect(nextContent(before, rows).categories).toEqual([renamed]);
  });

  it('leave the name of a renamed category free for another category, at each depth', () => {
    const outer = after(['1 X A/B'], ['1 X Z/B'], ['1 X Z/B', '2 Y A']);
    expect(outer.categoryKeyOf(['A'])).toBe(categoryKey(['A'], 2));
    const inner = after(['1 X A/B'], ['1 X A/C'], ['1 X A/C', '2 Y A/B']);
    expect(inner.categoryKeyOf(['A', 'B'])).toBe(categoryKey(['A', 'B'], 2));
  });

  it('leave the name of a renamed category free for another category', () => {
    const brands = after(['1 X A'], ['1 X Z', '2 Y B'], ['1 X Z', '2 Y B', '3 W A']);
    expect(brands.categoryKeyOf(['Z'])).toBe(categoryKey(['A']));
    expect(brands.categoryKeyOf(['A'])).toBe(categoryKey(['A'], 2));
  });
});

describe('a version of the brands', () => {
  const brands = after(['1 Acme Tools', '2 acme Toys', '3 Tools Toys']);

  it('finds brands and categories by name, ignoring case', () => {
    const found = (name: string) => brands.withName(name).map(({ type, path }) => [type, ...path].join(' '));
    expect(found('ACME')).toEqual(['brand Brands Tools', 'brand Brands Toys']);
    expect(found('tools').toSorted()).toEqual(['CATEGORY Brands Tools', 'brand Brands Toys']);
    expect(found('nobody')).toEqual([]);
  });

  it('ignores a like without a name', () => {
    expect(['', ' ', '\u00a0'].flatMap((like) => brands.segmentsOf(like))).toEqual([]);
  });
});
