import { describe, expect, it } from 'vitest';
import { identityKindOf } from '../../client/src/identity.ts';
import { segmentRef } from '../../client/cli/segments/find.ts';
import { nearSegments } from '../../client/cli/segments/near-segments.ts';
import { nearest } from '../../client/cli/segments/nearest.ts';
import { segmentTree } from '../../client/cli/segments/tree.ts';
import { whyBranch } from '../../client/cli/segments/why.ts';
import { paintWith } from '../../client/cli/terminal/paint.ts';
import { treeOf } from '../../client/cli/terminal/table.ts';

const bare = paintWith(false);

describe('a segment in an argument', () => {
  it.each([
    ['1001000000088', { kind: 'id', id: 1_001_000_000_088 }],
    ['Age: 65+', { kind: 'name', name: 'Age: 65+' }],
    ['email: given', { kind: 'name', name: 'email: given' }],
    ['tag:Neue Musik', { kind: 'name', name: 'Neue Musik', type: 'tag' }],
    ['category:A > B', { kind: 'name', name: 'A > B', type: 'CATEGORY' }],
    ['Jazz and Blues', { kind: 'name', name: 'Jazz and Blues' }],
  ])('%s', (text, ref) => {
    expect(segmentRef(text)).toEqual(ref);
  });

  it('has similar names when it is misspelt', () => {
    expect(nearest('Jaz', ['Tanz', 'Jazz', 'Age: 65+', 'JAZ'])).toEqual(['JAZ', 'Jazz']);
    expect(nearest('Kammermusic', ['Kammermusik', 'Musik'])).toEqual(['Kammermusik']);
    expect(nearest('x', ['Jazz'])).toEqual([]);
  });
});

describe('an unknown name', () => {
  const known = (
    [
      ['everyone', 'everyone', 9_000],
      ['location', 'DE', 5_000],
      ['location', 'Berlin, DE', 312],
      ['location', 'München, DE', 1_019],
      ['location', 'Berlin, MD, US', 7],
      ['location', 'Köln, DE', 80],
      ['location', 'Kolm, AT', 90],
      ['tag', 'Jazz', 776],
      ['source', 'Jazz', 20],
      ['tag', 'Förderer', 40],
      ['tag', 'Kammermusik', 30],
      ['tag', 'Kammermusik alt', 90],
      ['demographic', 'Age: 65+', 1_690],
      ['demographic', 'Age: 25-34', 764],
      ['CATEGORY', 'Musik > Oper', null],
      ['moment', 'Berlin', 312],
      ...['Abo 1', 'Abo 2', 'Abo 3', 'Abo 4', 'Abo 5', 'Abo 6'].map(
        (name, index) => ['tag', name, index] as const,
      ),
    ] as const
  ).map(([type, name, count], id) => ({ id, type, name, count }));

  it.each([
    ['a part of a place', 'Berlin', ['Berlin, DE', 'Berlin, MD, US']],
    ['another case', 'berlin, de', ['Berlin, DE']],
    ['a typing error', 'Berln', ['Berlin, DE', 'Berlin, MD, US']],
    ['without its label', '65+', ['Age: 65+']],
    ['another type', 'location:Jazz', ['Jazz', 'Jazz']],
    ['no type at all', 'tags:Jazz', ['Jazz', 'Jazz']],
    ['without umlauts', 'Munchen', ['München, DE']],
    ['without umlauts, before the largest', 'Koln', ['Köln, DE', 'Kolm, AT']],
    ['umlauts in two letters, before the largest', 'Koeln', ['Köln, DE', 'Kolm, AT']],
    ['umlauts in two letters', 'Foerderer', ['Förderer']],
    ['umlauts in two signs', 'Fo\u0308rdrer', ['Förderer']],
    ['a part of a category', 'tag:oper', ['Musik > Oper']],
    ['the beginning of a word', 'Kammer', ['Kammermusik alt', 'Kammermusik']],
    ['the nearest before the largest', 'Kammermusic', ['Kammermusik']],
    ['many', 'Abo', ['Abo 6', 'Abo 5', 'Abo 4', 'Abo 3', 'Abo 2']],
    ['nothing like it', 'Ballett', []],
    ['two letters', 'NE', []],
  ])('%s: %s', (_, text, names) => {
    const ref = segmentRef(text);
    if (ref.kind === 'id') throw new Error('an id has no name');
    expect(nearSegments(ref, known).map(({ name }) => name)).toEqual(names);
  });

  it('is first compared with the type that was said', () => {
    const near = (type: 'tag' | 'source') =>
      nearSegments({ kind: 'name', name: 'Jaz', type }, known).map((one) => one.type);
    expect([near('tag'), near('source')]).toEqual([
      ['tag', 'source'],
      ['source', 'tag'],
    ]);
    const moments = nearSegments({ kind: 'name', name: 'Berlin', type: 'moment' }, known);
    expect(moments[0]).toMatchObject({ type: 'moment' });
  });
});

describe('the tree of segments', () => {
  const segment = (type: string, name: string, count: number | null = null) => ({ id: 1, type, name, count });

  it('has folders for types, places and fields', () => {
    const segments = [
      segment('location', 'Austin, TX, US', 3),
      segment('location', 'US', 9),
      segment('demographic', 'Age: 65+', 1_702),
      segment('CATEGORY', 'A > B'),
      segment('everyone', 'everyone', 10),
      segment('tag', 'b, c'),
      segment('tag', 'a'),
    ];
    expect(treeOf(segmentTree(segments), bare)).toEqual([
      '├ Everyone  10',
      '├ Tags',
      '│ ├ a',
      '│ └ b, c',
      '├ Demographics',
      '│ └ Age',
      '│   └ 65+  1,702',
      '├ Location',
      '│ └ US  9',
      '│   └ TX',
      '│     └ Austin  3',
      '└ Categories',
      '  └ A',
      '    └ B',
    ]);
  });
});

describe('the explanation of a membership', () => {
  it('marks each condition and shows the values behind it', () => {
    const because = [{ field: 'tags', value: 'Jazz', source: 'api' }];
    const why = {
      kind: 'all',
      holds: false,
      of: [
        { kind: 'value', holds: true, segment: { id: 1, name: 'Jazz' }, because, instead: [] },
        { kind: 'not', holds: false, of: [{ kind: 'custom', holds: true, segment: { id: 7, name: null } }] },
        { kind: 'value', holds: false, segment: { name: 'Age: 65+' }, because: [], instead: [{ value: 44 }] },
      ],
    };
    expect(treeOf([whyBranch(why)], bare)).toEqual([
      '└ ✗ all of',
      '  ├ ✓ Jazz  because of tags "Jazz" from api',
      '  ├ ✗ not',
      '  │ └ ✓ 7',
      '  └ ✗ Age: 65+  has "44" instead',
    ]);
  });
});

describe('an identity', () => {
  it.each([
    ['ada@example.org', 'email'],
    ['+49 (30) 1000004', 'phone_number'],
    ['cb71a867-21dc-86de-abf4-18104ddbd0a8', 'profile_uuid'],
    ['K-00004', 'unique_id'],
    ['0301000004', 'unique_id'],
  ])('%s is an %s', (identity, key) => {
    expect(identityKindOf(identity)).toBe(key);
  });
});
