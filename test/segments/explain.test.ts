import { beforeEach, describe, expect, it } from 'vitest';
import { sealOrdinal } from '../../shared/profiles/profile-uuid.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { accepted, scope } from '../profiles/harness.ts';
import { putMoment } from './fixture.ts';
import { NOW, whyHarness } from './explain-harness.ts';

let harness: ReturnType<typeof whyHarness>;
let ada: number;
let bob: number;

beforeEach(async () => {
  harness = whyHarness();
  const tags = [{ datetime: '2026-01-02 03:04:05', tag: ['vip'] }];
  [ada = -1, bob = -1] = await harness.store([
    accepted({
      unique_id: 'ada',
      gender: 'Female',
      birthday: '2001-02-03',
      tags,
      country: 'AT',
      city: 'Linz',
      consent: [{ ...consent[0], state: 'given' }],
    }),
    accepted({
      unique_id: 'bob',
      gender: 'Male',
      age: 40,
      source: 'shop',
      country: 'AT',
      state: 'OÖ',
      consent,
    }),
  ]);
});

const consent = [{ channel: 'sms', state: 'withdrawn', datetime: '2026-01-02 03:04:05' }];
const everyone = scopedId(scope.id, 1);
const stated = { tier: 'stated', source: 'api', job: null, stamp: new Date(NOW).toISOString() };

describe('the explanation of a segment that follows from profiles', () => {
  it('shows the value that makes a person a member', async () => {
    const vip = await harness.named('vip');
    expect(await harness.why(vip, ada)).toMatchObject({
      profile_uuid: sealOrdinal(scope.keys.uuid, ada),
      segment: { id: vip, name: 'vip', type: 'tag' },
      member: true,
      pending: false,
      why: {
        kind: 'value',
        holds: true,
        decides: true,
        because: [{ field: 'tags', value: 'vip', datetime: '2026-01-02 03:04:05', ...stated }],
        instead: [],
      },
    });
    expect(await harness.why(vip, bob)).toMatchObject({ member: false, why: { because: [], instead: [] } });
  });

  it('shows the value that a person outside the segment has instead', async () => {
    const answer = await harness.why(await harness.named('Gender: Female'), bob);
    const male = { field: 'gender', value: 'Male', ...stated };
    expect(answer).toMatchObject({ member: false, why: { because: [], instead: [male] } });
  });

  it('shows what a person said last about a channel', async () => {
    const said = { field: 'consent.sms', datetime: '2026-01-02T03:04:05.000Z', ...stated };
    const given = await harness.named('sms: given');
    expect(await harness.why(given, ada)).toMatchObject({
      member: true,
      why: { because: [{ ...said, value: 'given' }] },
    });
    expect(await harness.why(given, bob)).toMatchObject({
      member: false,
      why: { because: [], instead: [{ ...said, value: 'withdrawn' }] },
    });
  });

  it('shows the age for an age band, and the day on which the membership ends', async () => {
    const band = await harness.named('Age: 18-24');
    const birthday = { field: 'birthday', value: '2001-02-03', age: 24, until: '2026-02-03' };
    expect(await harness.why(band, ada)).toMatchObject({ why: { holds: true, because: [birthday] } });
    const told = { field: 'age', value: 40, age: 40, until: null };
    expect(await harness.why(band, bob)).toMatchObject({ why: { holds: false, instead: [told] } });
  });

  it('shows all parts of a place, and nothing more', async () => {
    const fieldsOf = async (name: string, ordinal: number) => {
      const { why } = await harness.why(await harness.named(name), ordinal);
      if (why.kind !== 'value') throw new Error('another kind');
      const named = (part: typeof why.because) => part.map(({ field }) => field);
      return [named(why.because), named(why.instead)];
    };
    expect(await fieldsOf('AT', ada)).toEqual([['country'], []]);
    expect(await fieldsOf('Linz, AT', ada)).toEqual([['country', 'city'], []]);
    expect(await fieldsOf('Linz, AT', bob)).toEqual([[], ['country', 'state']]);
    expect(await fieldsOf('OÖ, AT', bob)).toEqual([['country', 'state'], []]);
  });

  it('shows everyone as the segment of every person', async () => {
    expect(await harness.why(everyone, ada)).toMatchObject({ member: true, why: { kind: 'everyone' } });
  });
});

describe('the explanation of a moment', () => {
  it('is frozen: it shows the time of the moment, whatever the profile says now', async () => {
    const moment = await putMoment(harness.table, 'Weekly 2026-01-14T09:00:00Z', [bob]);
    const expected = { kind: 'moment', taken_at: '2026-01-14T09:00:00Z' };
    expect(await harness.why(moment, bob)).toMatchObject({ member: true, why: { ...expected, holds: true } });
    expect(await harness.why(moment, ada)).toMatchObject({
      member: false,
      why: { ...expected, holds: false },
    });
  });
});

describe('the explanation of a custom segment', () => {
  const segment = (id: number, name: string) => ({ segment: { id, name } });

  it('shows the deciding conditions', async () => {
    const [vip, shop] = [await harness.named('vip'), await harness.named('shop')];
    const either = (await harness.customs.makeSegment({ any: [vip, shop] }, 'either')).id ?? 0;
    const both = (await harness.customs.makeSegment({ all: [either, { not: shop }] }, 'both')).id ?? 0;
    const inner = (holds: boolean, decides: boolean) => ({ holds, decides });
    expect(await harness.why(both, bob)).toMatchObject({
      member: false,
      why: {
        kind: 'custom',
        ...segment(both, 'both'),
        ...inner(false, true),
        of: [
          {
            kind: 'all',
            ...inner(false, true),
            of: [
              {
                kind: 'custom',
                ...segment(either, 'either'),
                ...inner(true, false),
                of: [{ kind: 'any', ...inner(true, false), of: [inner(false, false), inner(true, false)] }],
              },
              {
                kind: 'not',
                ...inner(false, true),
                of: [{ ...segment(shop, 'shop'), ...inner(true, true) }],
              },
            ],
          },
        ],
      },
    });
    expect(await harness.why(both, ada)).toMatchObject({ member: true });
  });

  it('keeps the meaning of a deleted segment, and shows no name for it', async () => {
    const vip = await harness.named('vip');
    const gone = (await harness.customs.makeSegment({ all: [vip] }, 'gone')).id ?? 0;
    const old = (await harness.customs.makeSegment({ not: gone }, 'old')).id ?? 0;
    await harness.customs.editSegment(old, vip);
    expect((await harness.customs.deleteSegment(gone)).status).toBe(200);
    const { why } = await harness.why(old, bob);
    const left = { kind: 'custom', segment: { id: gone, name: null, type: 'custom' }, holds: false };
    expect(why).toMatchObject({
      of: [{ kind: 'not', holds: true, of: [{ ...left, of: [{ kind: 'all' }] }] }],
    });
  });

  it('stays within the size of an answer, however many conditions apply', async () => {
    const long = Array.from({ length: 300 }, (_, n) => ({
      datetime: `2026-01-02 03:${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`,
      tag: ['x'.repeat(1_000)],
    }));
    const [ordinal = -1] = await harness.store([accepted({ unique_id: 'many', tags: long })]);
    const tag = await harness.named('x'.repeat(1_000));
    const wide = (await harness.customs.makeSegment({ any: Array<number>(40).fill(tag) }, 'wide')).id ?? 0;
    const all = Array<number>(20).fill(wide);
    const huge = (await harness.customs.makeSegment({ all }, 'huge')).id ?? 0;
    const answer = await harness.why(huge, ordinal);
    expect(answer.member).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(4_500_000);
  });
});

describe('an explanation from an index that is behind', () => {
  it('agrees with pages, and reports that the index is behind', async () => {
    const tags = [{ datetime: '2026-01-02 03:04:05', tag: ['vip'] }];
    await harness.people.apply([accepted({ unique_id: 'bob', tags }, 1)], 'later');
    const vip = await harness.named('vip');
    const behind = await harness.why(vip, bob);
    expect(behind).toMatchObject({ member: false, pending: true, why: { holds: false, pending: true } });
    expect(behind.why).toMatchObject({ because: [{ value: 'vip' }] });
    const custom = (await harness.customs.makeSegment({ not: vip }, 'no')).id ?? 0;
    expect(await harness.why(custom, bob)).toMatchObject({ member: true, pending: true });
    await harness.people.sweep();
    expect(await harness.why(vip, bob)).toMatchObject({ member: true, pending: false });
  });
});

describe('the explanation of a missing membership', () => {
  it('is a 404 for unknown and foreign segments, and for forged, foreign and forgotten profiles', async () => {
    const vip = await harness.named('vip');
    const own = sealOrdinal(scope.keys.uuid, ada);
    const foreign = sealOrdinal({ k1: new Uint8Array(16), k2: new Uint8Array(16) }, ada);
    for (const segment of [scopedId(scope.id, 4_000), scopedId(scope.id + 1, 1), 'x', '1e3'])
      expect(await harness.ask(segment, own)).toBe(404);
    for (const uuid of [foreign, own.replace(/.$/, (last) => (last === '0' ? '1' : '0')), 'x', ''])
      expect(await harness.ask(vip, uuid)).toBe(404);
    expect(await harness.ask(vip, sealOrdinal(scope.keys.uuid, 4_711))).toBe(404);
    await harness.people.forget(ada);
    expect(await harness.ask(vip, own)).toBe(404);
  });
});

it('shows no special value of somebody whose property does not use them', async () => {
  const [eve = -1] = await harness.store([accepted({ unique_id: 'eve', ethnicity: 'Elf', age: 12 })]);
  const [elves, minors] = [await harness.named('Ethnicity: Elf'), await harness.named('Age: under 18')];
  expect(await harness.why(elves, eve)).toMatchObject({ member: true, why: { because: [{ value: 'Elf' }] } });
  await harness.people.followRules(eve, false);
  for (const segment of [elves, minors])
    expect(await harness.why(segment, eve)).toMatchObject({
      ...{ member: false, pending: false },
      why: { because: [], instead: [] },
    });
});
