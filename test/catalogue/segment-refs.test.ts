import { describe, expect, it } from 'vitest';
import { identityKey } from '../../shared/catalogue/identity.ts';
import { resolveRefs, segmentRef, type SegmentRef } from '../../shared/catalogue/segment-refs.ts';
import type { SegmentIdentity } from '../../shared/catalogue/types.ts';
import { limits } from '../../shared/config/limits.ts';
import { check } from '../../shared/http/schema-faults.ts';
import { everyone, Fixture, property } from '../segments/fixture.ts';

const segments: readonly SegmentIdentity[] = [
  { type: 'tag', path: ['Tags'], name: 'Jazz' },
  { type: 'source', path: ['Sources'], name: 'Jazz' },
  { type: 'tag', path: ['Tags'], name: 'Blues' },
  { type: 'tag', path: ['Tags'], name: 'blues' },
  { type: 'tag', path: ['Tags'], name: 'SOUL' },
  { type: 'location', path: ['Places', 'Germany'], name: 'Berlin' },
  { type: 'location', path: ['Places', 'Germany', 'Berlin'], name: 'Berlin' },
];

/** A catalogue with the segments, and their ids in that order. */
const stored = async () => {
  const fixture = new Fixture();
  const ids = await fixture.catalogue.idsOf(property, segments);
  return { fixture, ids: segments.map((one) => ids.get(identityKey(one)) ?? 0) };
};

const resolve = async (fixture: Fixture, refs: readonly SegmentRef[]) => {
  const placed = refs.map((ref, index) => ({ ref, path: ['segment', index] }));
  return resolveRefs(fixture.catalogue, property, placed, (ids) => fixture.catalogue.getMany(property, ids));
};

describe('a segment that a request names by type and name', () => {
  it('resolves to its id, among ids that stay as they are', async () => {
    const { fixture, ids } = await stored();
    const refs = [99, { type: 'source', name: 'Jazz' }, { type: 'tag', name: 'Jazz' }, 99] as const;
    expect(await resolve(fixture, refs)).toEqual({ ok: true, value: [99, ids[1], ids[0], 99] });
    const builtIn = { type: 'everyone', name: 'Everyone' } as const;
    expect(await resolve(fixture, [builtIn])).toEqual({ ok: true, value: [everyone] });
  });

  it('is refused together with the unknown ids beside it', async () => {
    const { fixture, ids } = await stored();
    const refs = [everyone + 99, { type: 'tag', name: 'Punk' }, ids[0] ?? 0, everyone + 98] as const;
    const resolved = await resolve(fixture, refs);
    const places = resolved.ok ? [] : resolved.error.map(({ pointer, code }) => `${pointer} ${code}`);
    expect(places.toSorted()).toEqual([0, 1, 3].map((index) => `/segment/${index} unknown_reference`));
  });

  it('is found without case, and with the same case first', async () => {
    const { fixture, ids } = await stored();
    expect(await resolve(fixture, [{ type: 'tag', name: 'soul ' }])).toEqual({ ok: true, value: [ids[4]] });
    expect(await resolve(fixture, [{ type: 'tag', name: 'blues' }])).toEqual({ ok: true, value: [ids[3]] });
    expect(await resolve(fixture, [{ type: 'tag', name: 'BLUES' }])).toMatchObject({
      error: [{ pointer: '/segment/0', code: 'several_segments' }],
    });
  });

  it('is refused with the candidates, and every such name of the request, when it is none or several', async () => {
    const { fixture, ids } = await stored();
    const refs: readonly SegmentRef[] = [
      { type: 'location', name: 'Berlin' },
      { type: 'custom', name: 'Jazz' },
      { type: 'tag', name: 'Rock' },
    ];
    expect(await resolve(fixture, refs)).toEqual({
      ok: false,
      error: [
        {
          pointer: '/segment/0',
          code: 'several_segments',
          detail: `Several location segments have this name: ${ids[5]} (location: Places / Germany / Berlin), ${ids[6]} (location: Places / Germany / Berlin / Berlin). Send the id of one.`,
        },
        {
          pointer: '/segment/1',
          code: 'unknown_reference',
          detail: `There is no custom segment with this name. Segments with this name are ${ids[0]} (tag: Tags / Jazz), ${ids[1]} (source: Sources / Jazz).`,
        },
        {
          pointer: '/segment/2',
          code: 'unknown_reference',
          detail: 'There is no tag segment with this name.',
        },
      ],
    });
  });

  it('is one of a bounded number of different names, without a read beyond it', async () => {
    const { fixture } = await stored();
    const named = (count: number): SegmentRef[] =>
      Array.from({ length: count }, (_, index) => ({ type: 'tag', name: `t${index}` }));
    const before = fixture.operations.length;
    const place = `/segment/${limits.segments.refNames}`;
    expect(await resolve(fixture, named(limits.segments.refNames + 1))).toMatchObject({
      error: [{ pointer: place, code: 'too_many_names' }],
    });
    expect(fixture.operations.length).toBe(before);
  });
});

it.each([
  [{ type: 'tag', name: 'Jazz' }, []],
  [7, []],
  ['Jazz', [' wrong_type']],
  [{ type: 'tags', name: 'Jazz' }, ['/type not_allowed']],
  [{ type: 'tag', name: '' }, ['/name too_short']],
  [{ type: 'tag' }, ['/name required']],
  [{ type: 'tag', name: 'x', id: 7 }, ['/id unknown_field']],
])('the reference %j has the faults %j', (sent, faults) => {
  const checked = check(segmentRef, sent);
  expect(checked.ok ? [] : checked.faults.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(faults);
});
