import { describe, expect, it } from 'vitest';
import { lastFinished, openUntil, receiversOf } from '../../console/src/screens/people/disclosures.ts';
import { provenanceOf, type Known, type Value } from '../../console/src/screens/people/known.ts';
import { personName } from '../../console/src/person-name.ts';
import {
  defeatOf,
  erasedOf,
  removedTags,
  tagRows,
  valueRows,
} from '../../console/src/screens/people/rows.ts';
import { en } from '../../console/src/texts/en.ts';

const stamp = '2026-11-26T08:00:00.000Z';
const value = (shown: Value['value'], won: boolean, tier: Value['tier'] = 'stated'): Value => ({
  value: shown,
  won,
  tier,
  source: 'api',
  job: null,
  stamp,
});

const unknown = {
  last_name: null,
  professional_id: null,
  street: null,
  street2: null,
  city: null,
  state: null,
  zipcode: null,
  education_level: null,
  home_owner_status: null,
  ethnicity: null,
  first_name: null,
  full_name: null,
  social_id: null,
  home_value: null,
  has_children: null,
  phone_number: null,
  birthday: null,
  gender: null,
  marital_status: null,
  email: null,
  household_income: null,
  profile_uuid: null,
  unique_id: null,
};

const known: Known = {
  profile: unknown,
  tags: [
    { tag: 'Gig', datetime: '2026-03-03 10:00:00' },
    { tag: 'Jazz', datetime: '2026-04-03 10:00:00' },
    { tag: 'Gig', datetime: '2026-05-03 10:00:00' },
  ],
  social_likes: [],
  sources: ['box office'],
  extra_data: { seat: 'A12' },
  consent: [{ channel: 'email', state: 'given', datetime: null, source: null }],
  segments: [
    { id: 1, type: 'everyone', name: 'everyone' },
    { id: 2, type: 'tag', name: 'Gig' },
    { id: 3, type: 'custom', name: 'Regulars' },
  ],
  provenance: {
    fields: {
      email: [value('new@example.org', true), value('old@example.org', false)],
      unique_id: [value('K-1', true)],
      city: [value('Köln', true), value('Bonn', false, 'third_party')],
      state: [value(null, false)],
    },
    extra_data: { seat: [value('A12', true)], gone: [value(null, false)] },
    tags: [],
    removed_tags: [],
    replaced_tags: [],
    social_likes: [],
    sources: [],
    consent: [],
    erased: [],
  },
};

describe('what is known of a person', () => {
  it('is a row for each field and own value, without identities, with what lost and why', () => {
    const rows = valueRows(known);
    expect(
      rows.map(({ name, shown, lost }) => [name, shown?.value, lost.map((one) => defeatOf(one, shown))]),
    ).toEqual([
      ['city', 'Köln', ['trust']],
      ['state', undefined, ['erased']],
      ['seat', 'A12', []],
      ['gone', undefined, ['erased']],
    ]);
    expect(defeatOf(value('Ulm', false), value('Köln', true))).toBe('older');
  });

  it('is counted as a forgetting counts it: erased values and segments of definitions are nothing to erase', () => {
    expect(erasedOf(known)).toEqual({
      identities: 3,
      attributes: 1,
      extra_data: 1,
      tags: 3,
      social_likes: 0,
      sources: 1,
      consent: 1,
      segments: 1,
    });
  });

  it('has each tag once, the newest first', () => {
    expect(tagRows(known)).toEqual([
      { tag: 'Gig', last: '2026-05-03 10:00:00', times: 2 },
      { tag: 'Jazz', last: '2026-04-03 10:00:00', times: 1 },
    ]);
  });

  it('has the tags that were removed for good, each once, with the newest removal', () => {
    const removal = (tag: string, day: number, source = 'api') => ({
      ...{ tag, source, datetime: null, tier: 'stated' as const, job: null },
      stamp: `2026-11-${day}T08:00:00.000Z`,
    });
    const removed_tags = [
      removal('Abo', 12),
      removal('Gig', 15),
      removal('Abo', 14, 'import:1'),
      removal('Rock', 13),
    ];
    const provenance = { ...provenanceOf(known), removed_tags };
    expect(removedTags({ ...known, provenance })).toEqual([
      { tag: 'Abo', source: 'import:1', stamp: '2026-11-14T08:00:00.000Z' },
      { tag: 'Rock', source: 'api', stamp: '2026-11-13T08:00:00.000Z' },
    ]);
  });

  it.each([
    [{ full_name: 'Dr. Theda M.', first_name: 'Theda' }, 'Dr. Theda M.'],
    [{ first_name: 'Theda', last_name: 'Möhlenkamp' }, 'Theda Möhlenkamp'],
    [{ first_name: '', last_name: 'Möhlenkamp' }, 'Möhlenkamp'],
    [{ email: 'theda@example.org', unique_id: 'K-1' }, 'theda@example.org'],
    [{}, 'A person without a name'],
  ])('is called by %j: %s', (profile, name) => {
    expect(personName(profile, en)).toBe(name);
  });
});

describe('the jobs of an export that may have had a person', () => {
  const delivery = (
    receiver: string,
    state: 'delivered' | 'retrying' | 'exhausted',
    delivered: string | null,
  ) => ({
    kind: 'email' as const,
    ...{ receiver, state, delivered },
  });
  const job = (day: number, deliveries: readonly ReturnType<typeof delivery>[]) => ({
    id: String(day),
    finished: `2026-11-0${day}T06:00:00.000Z`,
    file_name: 'friends.csv',
    location_until: `2026-11-1${day}T06:00:00.000Z`,
    deliveries,
  });
  const jobs = [
    job(3, [delivery('a@example.org', 'exhausted', null), delivery('b@example.org', 'retrying', null)]),
    job(2, [delivery('a@example.org', 'delivered', '2026-11-02T06:01:00.000Z')]),
    job(1, [
      delivery('a@example.org', 'delivered', '2026-11-01T06:01:00.000Z'),
      delivery('b@example.org', 'exhausted', null),
    ]),
  ];

  it('name each receiver once: when something reached them last, or else how the newest delivery stands', () => {
    expect(receiversOf(jobs)).toEqual([
      { name: 'a@example.org', state: 'delivered', delivered: '2026-11-02T06:01:00.000Z' },
      { name: 'b@example.org', state: 'retrying', delivered: null },
    ]);
  });

  it('say when the last file was finished, and until when one opened', () => {
    expect(lastFinished(jobs)).toBe('2026-11-03T06:00:00.000Z');
    expect(openUntil(jobs.toReversed())).toBe('2026-11-13T06:00:00.000Z');
    expect(lastFinished([])).toBeNull();
  });
});
