import { beforeAll, describe, expect, it } from 'vitest';
import type { SegmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { findSegment } from '../../shared/segments/explain/find-segment.ts';
import { accepted } from '../profiles/harness.ts';
import { whyHarness } from './explain-harness.ts';

const harness = whyHarness();
let ada: number;

beforeAll(async () => {
  const tags = [{ datetime: '2026-01-02 03:04:05', tag: ['Jazz', 'Rock', 'ROCK'] }];
  [ada = -1] = await harness.store([accepted({ unique_id: 'ada', tags, source: 'Shop' })]);
});

describe('the explanation of a segment by its name', () => {
  it('is the explanation of the segment by its id, whatever the case of the name', async () => {
    const byId = await harness.why(await harness.named('jazz'), ada);
    for (const segment_name of ['Jazz', 'jazz', ' JAZZ '])
      expect(await harness.askByName({ segment_type: 'tag', segment_name }, ada)).toEqual([200, byId]);
    const everyone = { segment_type: 'everyone', segment_name: 'everyone' } as const;
    expect(await harness.askByName(everyone, ada)).toMatchObject([200, { member: true }]);
  });

  it('names all segments when several have the name and none has it in the same case', async () => {
    const [status, detail] = await harness.askByName({ segment_type: 'tag', segment_name: 'rock' }, ada);
    expect(status).toBe(409);
    expect(detail).toContain('Several tag segments have this name');
    for (const name of ['Rock', 'ROCK']) expect(detail).toMatch(new RegExp(`\\d+ \\(tag: Tags / ${name}\\)`));
    const exact = await harness.askByName({ segment_type: 'tag', segment_name: 'ROCK' }, ada);
    expect(exact).toMatchObject([200, { segment: { name: 'ROCK' } }]);
  });

  it('is a 404 with a similar name, or with the segments of other types that have the name', async () => {
    const none = 'There is no tag segment with this name.';
    expect(await harness.askByName({ segment_type: 'tag', segment_name: 'Jaz' }, ada)).toEqual([
      404,
      `${none} Did you mean Jazz?`,
    ]);
    expect(await harness.askByName({ segment_type: 'tag', segment_name: 'polka' }, ada)).toEqual([404, none]);
    const [status, detail] = await harness.askByName({ segment_type: 'tag', segment_name: 'shop' }, ada);
    expect([status, detail]).toEqual([
      404,
      expect.stringMatching(/Segments with this name are \d+ \(source: /),
    ]);
  });

  it.each([
    [
      'the nearest of all that are compared',
      [
        [1_500, 'Jazz Club'],
        [2_500, 'Jazzz'],
      ],
      ' Did you mean Jazzz?',
    ],
    ['none beyond the bound', [[10_001, 'Jazzz']], ''],
  ] as const)('names a similar segment: %s', async (_, placed, hint) => {
    const names = new Map<number, string>(placed);
    const list: SegmentCatalogue['list'] = (_property, { limit, after = 0 }) =>
      Promise.resolve({
        items: Array.from({ length: limit }, (__, index) => after + index + 1).map((id) => ({
          id,
          type: 'tag',
          path: ['Tags'],
          name: names.get(id) ?? `${id}`,
        })),
        next: after + limit,
      });
    const catalogue = {
      list,
      find: () => Promise.resolve({ items: [] }),
      get: () => Promise.resolve(undefined),
    };
    const found = await findSegment(
      { catalogue },
      {
        property: { id: 7, account: 1 },
        path: { segment_id: 'by-name' },
        query: { segment_type: 'tag', segment_name: 'Jazzzz' },
      },
    );
    expect(found).toMatchObject({
      error: { status: 404, detail: `There is no tag segment with this name.${hint}` },
    });
  });

  it('is a 400 unless the request has either an id or a whole name', async () => {
    const jazz = { segment_type: 'tag', segment_name: 'Jazz' } as const;
    const asked = [
      harness.askByName({}, ada),
      harness.askByName({ segment_type: 'tag' }, ada),
      harness.askByName({ segment_name: 'Jazz' }, ada),
      harness.askByName(jazz, ada, String(await harness.named('jazz'))),
    ];
    expect((await Promise.all(asked)).map(([status]) => status)).toEqual([400, 400, 400, 400]);
  });
});
