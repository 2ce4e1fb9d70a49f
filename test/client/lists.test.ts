import { describe, expect, test } from 'vitest';
import { UnexpectedAnswerError } from '../../client/src/index.ts';
import { clientOf, startServer, type Reply, type SmallServer } from './small-server.ts';

const links = (page: number, last: number): string | null =>
  page < last ? `https://service.example/elsewhere?limit=2&cursor=${page + 1}` : null;

/** A list of three pages in each of the forms of the API: its links have the address of the service itself. */
const lists = (): Promise<SmallServer> =>
  startServer(({ url }): Reply => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const page = Number(searchParams.get('cursor') ?? '1');
    const next = links(page, 3);
    if (pathname === '/v1/7/segments') {
      const headers =
        next === null ? {} : { link: `<https://service.example/first>; rel="first", <${next}>; rel="next"` };
      return { headers, body: [{ id: page }] };
    }
    if (pathname.endsWith('/changes'))
      return { body: { added: [{ page }], removed: [{ page }], paging: { next_page: next } } };
    // The second page is empty: a filter keeps none of its items.
    const exports = page === 2 ? [] : [{ id: String(page) }];
    return { body: { exports, profiles: exports, paging: { next_page: next } } };
  });

describe('a list', () => {
  test('is its first page when it is awaited', async () => {
    await using server = await lists();
    const { tidemark } = clientOf(server);
    expect((await tidemark.listExports()).exports).toEqual([{ id: '1' }]);
    expect(server.received).toHaveLength(1);
  });

  test('gives the items of all pages, empty pages included, and keeps path and filters', async () => {
    await using server = await lists();
    const { tidemark } = clientOf(server);
    const seen = await Array.fromAsync(tidemark.listExports({ query: { limit: 2 } }), ({ id }) => id);
    expect(seen).toEqual(['1', '3']);
    expect(server.received.map(({ url }) => url)).toEqual([
      '/v1/7/exports?limit=2',
      '/v1/7/exports?limit=2&cursor=2',
      '/v1/7/exports?limit=2&cursor=3',
    ]);
  });

  test('whose page is a bare array follows the header Link', async () => {
    await using server = await lists();
    const seen = await Array.fromAsync(clientOf(server).tidemark.findSegments(), ({ id }) => id);
    expect(seen).toEqual([1, 2, 3]);
  });

  test('of members follows its links', async () => {
    await using server = await lists();
    const members = clientOf(server).tidemark.listSegmentProfiles({ path: { segment_id: 5 } });
    expect(await Array.fromAsync(members)).toHaveLength(2);
    expect(server.received[1]?.url).toContain('/segments/5/profiles?limit=2&cursor=2');
  });

  test('with two lists in a page gives its pages', async () => {
    await using server = await lists();
    const { tidemark } = clientOf(server);
    const changes = tidemark.listTimelineChanges({ path: { timeline_id: 1 }, query: { from: 1, to: 2 } });
    const seen = await Array.fromAsync(changes, ({ added, removed }) => added.length + removed.length);
    expect(seen).toEqual([2, 2, 2]);
  });

  test('ends with an error when a page names itself as the next page', async () => {
    const paging = { next_page: 'https://service.example/x?cursor=2' };
    await using server = await startServer(() => ({ body: { exports: [], paging } }));
    await expect(Array.fromAsync(clientOf(server).tidemark.listExports())).rejects.toThrow(
      UnexpectedAnswerError,
    );
    expect(server.received).toHaveLength(2);
  });

  test('sends no request before it is used, and stops when the loop stops', async () => {
    await using server = await lists();
    const list = clientOf(server).tidemark.listExports();
    expect(server.received).toEqual([]);
    for await (const { id } of list) if (id === '1') break;
    expect(server.received).toHaveLength(1);
  });
});
