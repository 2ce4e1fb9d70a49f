import { describe, expect, it } from 'vitest';
import { momentPair } from '../../client/cli/timelines/moments.ts';
import { newFolders } from '../../local/test/support/folders.ts';
import { startServer, type Reply } from '../client/small-server.ts';
import { inProcess } from './run-cli.ts';

const newFolder = newFolders();
const person = (first_name: string) => ({ first_name, email: `${first_name.toLowerCase()}@example.org` });
const momentOf = (id: number, added: number | null, removed: number | null) => ({
  ...{ id, name: `m${id}`, created_date: `2026-11-2${id}T06:00:00.000Z`, count: 5, added, removed },
});

/** A service with a timeline, whose changes come in pages. Returns what the command prints, and what it asked for. */
const shown = async (moments: readonly object[], pages: readonly object[], ...options: readonly string[]) => {
  const timeline = { id: 9, name: 'Win back', reference_tile: 1, schedule: null };
  await using server = await startServer(({ url }, _, base): Reply => {
    const { pathname, searchParams } = new URL(url, base);
    if (pathname === '/v1/7/segments/preview') return { body: { count: 4, sample: [] } };
    if (pathname.startsWith('/v2/properties/7/segments/'))
      return { body: { profiles: [person('Eve')], paging: { count: 1, next_page: null } } };
    const path = pathname.replace('/v2/properties/7/timelines', '');
    const paging = { count: 0, next_page: null, previous_page: null };
    if (path === '') return { body: [{ ...timeline, moments }] };
    if (path === '/9') return { body: { ...timeline, moments, paging } };
    const page = Number(searchParams.get('page') ?? 0);
    const next = `${base}${pathname}?from=2&to=3&page=${page + 1}`;
    return {
      body: { ...pages[page], paging: { ...paging, next_page: page + 1 < pages.length ? next : null } },
    };
  });
  const env = { TIDEMARK_BASE_URL: server.url, TIDEMARK_TOKEN: 'given', TIDEMARK_PROPERTY: '7' };
  const ended = await inProcess({ folder: newFolder(), env }, [
    'timeline',
    'changes',
    'win back',
    ...options,
  ]);
  const asked = server.received.map(({ url }) => url.split('/changes?')[1]).filter((query) => query);
  const others = server.received.filter(({ url }) => url.includes('/segments/'));
  return { ...ended, asked, others: others.map(({ url, body }) => `${url} ${String(body)}`.trim()) };
};

const pages = [
  { added: [person('Ada'), person('Bo')], removed: [person('Cy')] },
  { added: [person('Di')], removed: [] },
];
const moments = [momentOf(1, null, null), momentOf(2, 1, 1), momentOf(3, 3, 1)];

it('shows who joined and who left between the two newest moments', async () => {
  const { code, stdout, asked, others } = await shown(moments, pages);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.slice(1, -1).map((line) => line.trim().split(/ +/))).toEqual([
    ['joined', 'Ada', 'ada@example.org'],
    ['joined', 'Bo', 'bo@example.org'],
    ['left', 'Cy', 'cy@example.org'],
    ['joined', 'Di', 'di@example.org'],
  ]);
  expect(lines.at(-1)).toBe('From 2026-11-22 06:00:00 UTC to 2026-11-23 06:00:00 UTC: 3 joined, 1 left.');
  expect(asked).toEqual(['from=2&to=3&limit=20', 'from=2&to=3&page=1']);
  expect(others).toEqual([]);
});

it('stops at a number of people, and says so', async () => {
  const { stdout, asked } = await shown(moments, pages, '--limit', '2');
  expect(stdout).toContain('\nThese are 2 of them; add --limit for more.\n');
  expect(stdout).not.toContain('Cy');
  expect(asked).toEqual(['from=2&to=3&limit=2']);
});

it('needs two moments', async () => {
  const { code, stderr } = await shown([momentOf(1, null, null)], []);
  expect([code, stderr]).toEqual([
    1,
    'tidemark: The timeline "Win back" has one moment. Take another: tidemark timeline moment 9\n',
  ]);
});

it('counts who joined and left between moments that others are between', async () => {
  const { stdout, asked, others } = await shown(moments, pages, '--from', '2026-11-21', '--to', '3');
  expect(stdout).toContain('From 2026-11-21 06:00:00 UTC to 2026-11-23 06:00:00 UTC: 4 joined, 4 left.\n');
  expect(asked[0]).toBe('from=1&to=3&limit=20');
  expect(others.map((one) => one.replace(/^\S+ /, ''))).toEqual([
    '{"definition":{"all":[3,{"not":1}]}}',
    '{"definition":{"all":[1,{"not":3}]}}',
  ]);
});

it('shows those alone who left, in the columns that are wanted', async () => {
  const { stdout, asked, others } = await shown(
    ...([moments, pages, '--only', 'left', '--columns', 'email=Mail,tags'] as const),
  );
  expect(stdout).toMatch(/^ +Mail +tags\nleft +eve@example\.org\n/);
  expect(asked).toEqual([]);
  expect(others).toEqual(['/v2/properties/7/segments/2/profiles?limit=20&include=tags&not=3']);
});

describe('moments in words', () => {
  const at = (id: number, created_date: string) => ({ ...momentOf(id, 1, 1), created_date });
  const known = [
    at(1, '2026-11-21T06:00:00.000Z'),
    at(2, '2026-11-22T06:00:00.000Z'),
    at(3, '2026-11-22T18:30:00.000Z'),
    at(4, '2026-11-23T06:00:00.000Z'),
  ];
  const ids = (from?: string, to?: string) => {
    const found = momentPair(known, { from, to });
    return found.ok ? [found.value.from.id, found.value.to.id, found.value.isNext] : found.error;
  };

  it.each([
    ['the two newest', undefined, undefined, [3, 4, true]],
    ['ids', '1', '4', [1, 4, false]],
    ['days, from the first moment to the last', '2026-11-22', '2026-11-22', [2, 3, true]],
    ['times as they are shown', '2026-11-21 06:00:00 UTC', '2026-11-22 18:30', [1, 3, false]],
    ['from the moment before', undefined, '2', [1, 2, true]],
    ['to the newest', '2026-11-21T06', undefined, [1, 4, false]],
  ])('are %s', (_, from, to, expected) => {
    expect(ids(from, to)).toEqual(expected);
  });

  it.each([
    [
      '2026-12-01',
      undefined,
      '--from "2026-12-01" is no moment of the timeline. The 4 moments are from 2026-11-21 06:00:00 UTC to 2026-11-23 06:00:00 UTC.',
    ],
    [
      undefined,
      'x',
      '--to "x" is no moment of the timeline. The 4 moments are from 2026-11-21 06:00:00 UTC to 2026-11-23 06:00:00 UTC.',
    ],
    [undefined, '1', 'There is no moment before the one of --to.'],
    [
      '4',
      '2',
      'The moment of --from (2026-11-23 06:00:00 UTC) must be before that of --to (2026-11-22 06:00:00 UTC).',
    ],
  ])('from %s to %s are none', (from, to, error) => {
    expect(ids(from, to)).toBe(error);
  });
});
