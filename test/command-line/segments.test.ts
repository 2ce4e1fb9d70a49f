import { describe, expect, it } from 'vitest';
import { keyOf } from '../../client/cli/commands/people.ts';
import { segmentRef } from '../../client/cli/segments/find.ts';
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
    expect(keyOf(identity)).toBe(key);
  });
});
