import { expect, it } from 'vitest';
import { newFolders } from '../../local/test/support/folders.ts';
import { startServer, type Reply } from '../client/small-server.ts';
import { inProcess } from './run-cli.ts';

const newFolder = newFolders();
const person = (first_name: string) => ({ first_name, email: `${first_name.toLowerCase()}@example.org` });
const momentOf = (id: number, added: number | null, removed: number | null) => ({
  ...{ id, name: `m${id}`, created_date: `2026-11-2${id}T06:00:00.000Z`, count: 5, added, removed },
});

/** A service with a timeline, whose changes come in pages. Returns what the command prints, and the queries of the pages. */
const shown = async (moments: readonly object[], pages: readonly object[], ...options: readonly string[]) => {
  const timeline = { id: 9, name: 'Win back', reference_tile: 1, schedule: null };
  await using server = await startServer(({ url }, _, base): Reply => {
    const { pathname, searchParams } = new URL(url, base);
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
  return { ...ended, asked };
};

const pages = [
  { added: [person('Ada'), person('Bo')], removed: [person('Cy')] },
  { added: [person('Di')], removed: [] },
];
const moments = [momentOf(1, null, null), momentOf(2, 1, 1), momentOf(3, 3, 1)];

it('shows who joined and who left between the two newest moments', async () => {
  const { code, stdout, asked } = await shown(moments, pages);
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
