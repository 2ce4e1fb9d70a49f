import { describe, expect, it } from 'vitest';
import { Tidemark } from '../../client/src/tidemark.ts';
import { followPreparing, loadCatalogue, loadNamed } from '../../console/src/screens/segments/catalogue.ts';

const PAGE = 1_000;

/** A client of a service that has so many segments of one person each, in pages of a thousand. */
const withSegments = (all: number, calls: string[]): Tidemark =>
  new Tidemark({
    baseUrl: 'https://api.example.test',
    propertyId: 1,
    token: 'a token',
    ports: {
      fetch: (input) => {
        const from = Number(new URL(new Request(input).url).searchParams.get('cursor') ?? 0);
        calls.push(String(from));
        const count = Math.min(PAGE, all - from);
        const segments = Array.from({ length: count }, (_, index) => ({
          ...{ id: from + index, name: `Series ${from + index}`, type: 'tag', count: 1 },
        }));
        const next = from + count;
        const next_page = next < all ? `https://api.example.test/x?cursor=${next}` : null;
        return Promise.resolve(
          Response.json({ segments, as_of: '2026-01-01T00:00:00Z', paging: { next_page } }),
        );
      },
    },
  });

it.each([
  [0, 0, false, ['0']],
  [1_999, 1_999, false, ['0', '1000']],
  [2_000, 2_000, false, ['0', '1000']],
  [2_001, 2_000, true, ['0', '1000']],
])('the console takes the largest 2,000 of %i segments', async (all, taken, more, asked) => {
  const calls: string[] = [];
  const catalogue = await loadCatalogue(withSegments(all, calls), new AbortController().signal);
  expect(catalogue).toMatchObject({ asOf: '2026-01-01T00:00:00Z', more });
  expect(catalogue.segments).toHaveLength(taken);
  expect(calls).toEqual(asked);
});

describe('segments that are asked for one by one', () => {
  /** A client of a service in which the segment 7 is answered so. */
  const answering = (status: number): Tidemark =>
    new Tidemark({
      ...{ baseUrl: 'https://api.example.test', propertyId: 1, token: 'a token', retries: 0 },
      ports: {
        fetch: (input) =>
          Promise.resolve(
            new Request(input).url.endsWith('/segments/7')
              ? Response.json({ status, code: 'some_code', title: 'Some', detail: 'Some.' }, { status })
              : Response.json({ id: 8, name: 'Young', type: 'condition', ready: false }),
          ),
      },
    });
  const named = (status: number) => {
    const known = new Map([[1, { name: 'Jazz', type: 'tag' } as const]]);
    return loadNamed(answering(status), [1, 7, 8], known, new AbortController().signal);
  };

  const followed = async (status: number) => {
    const { signal } = new AbortController();
    const segment = await answering(status).getSegment({ path: { segment_id: 8 } });
    return followPreparing(answering(status), [{ ...segment, id: 7 }, segment], signal);
  };

  it('are without those that were deleted', async () => {
    expect([...(await named(404)).keys()]).toEqual([1, 8]);
    expect((await followed(404)).map(({ id }) => id)).toEqual([8]);
  });

  it.each([401, 403, 429, 500, 503])('are not there at all when one is answered with %i', async (status) => {
    await expect(named(status)).rejects.toMatchObject({ status });
    await expect(followed(status)).rejects.toMatchObject({ status });
  });
});
