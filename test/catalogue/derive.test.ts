import { describe, expect, it } from 'vitest';
import { ageOn } from '../../shared/profiles/age.ts';
import { segmentsOf } from '../../shared/catalogue/derive.ts';
import { everyoneOf, foldName, identityKey } from '../../shared/catalogue/identity.ts';
import { unloadedIn } from '../support/brands.ts';
import { surfaced, type ProfileSketch } from '../segments/profiles.ts';

const now = Date.UTC(2026, 10, 21);
const unloaded = unloadedIn(7);
const derived = (sketch: ProfileSketch): readonly string[] =>
  [...segmentsOf(surfaced(7, sketch), now, unloaded).values()]
    .slice(1)
    .map(({ type, path, name }) => [type, ...path, name].join(' | '));

describe('the segments of a profile', () => {
  it('start with everyone, and contain only everyone for an unknown person', () => {
    expect([...segmentsOf(surfaced(7), now, unloaded)]).toEqual([
      [identityKey(everyoneOf(7)), everyoneOf(7)],
    ]);
  });

  it('are none, not even everyone, for the empty profile that the undo of an import leaves', () => {
    expect(segmentsOf(surfaced(7, { fields: { unique_id: null } }), now, unloaded).size).toBe(0);
  });

  it('name tags and sources by their trimmed NFC value, each once', () => {
    expect(derived({ tags: [' vip', 'vip', 'cafe\u0301', '  '], sources: ['Shop', 'shop'] })).toEqual([
      'tag | Tags | vip',
      'tag | Tags | caf\u00e9',
      'source | Sources | Shop',
      'source | Sources | shop',
    ]);
  });

  it('name demographic segments by field and value', () => {
    expect(
      derived({ fields: { gender: 'Female', has_children: 'Yes', home_owner_status: 'Renter' } }),
    ).toEqual([
      'demographic | Demographics | Gender | Gender: Female',
      'demographic | Demographics | Has children | Has children: Yes',
      'demographic | Demographics | Home owner status | Home owner status: Renter',
    ]);
  });

  it('put a place and its enclosing places into the tree of places', () => {
    expect(derived({ country: 'US', fields: { state: 'TX', city: 'Austin' } })).toEqual([
      'location | Location | US',
      'location | Location | US | TX, US',
      'location | Location | US | TX | Austin, TX, US',
    ]);
  });

  it('never confuse a state with the country of the same name', () => {
    expect(derived({ fields: { state: 'Georgia' } })).toEqual(['location | Location | Unknown | Georgia']);
    expect(derived({ country: 'Georgia' })).toEqual(['location | Location | Georgia']);
  });

  it('put a consent into the node of its channel', () => {
    const said = {
      channel: 'email',
      state: 'withdrawn',
      datetime: '2026-01-02 03:04:05',
      source: null,
    } as const;
    expect(derived({ consent: [said] })).toEqual(['consent | Consent | email | email: withdrawn']);
  });

  it('file a like of an unknown page under its id', () => {
    expect(derived({ likes: ['1234'] })).toEqual(['brand | Brands | Uncategorised | 1234']);
  });

  it.each([
    [0, 'under 18'],
    [17, 'under 18'],
    [18, '18-24'],
    [24, '18-24'],
    [25, '25-34'],
    [35, '35-44'],
    [45, '45-54'],
    [55, '55-64'],
    [64, '55-64'],
    [65, '65+'],
    [150, '65+'],
  ])('put the age %i into %s', (age, band) => {
    expect(derived({ age })).toEqual([`demographic | Demographics | Age | Age: ${band}`]);
  });

  it('use the birthday before the age, and change the age band on the birthday', () => {
    const sketch = { age: 70, fields: { birthday: '2001-11-22' } };
    expect(derived(sketch)).toEqual(['demographic | Demographics | Age | Age: 18-24']);
    const crossed = [...segmentsOf(surfaced(7, sketch), Date.UTC(2026, 10, 22), unloaded).values()];
    expect(crossed.at(1)?.name).toBe('Age: 25-34');
  });

  it('treat a birthday on 29 February as 1 March in common years', () => {
    expect(ageOn('2000-02-29', Date.UTC(2026, 1, 28))).toBe(25);
    expect(ageOn('2000-02-29', Date.UTC(2026, 2, 1))).toBe(26);
    expect(ageOn('2000-02-29', Date.UTC(2028, 1, 29))).toBe(28);
  });
});

describe('segment names', () => {
  it('distinguish identities that differ in type, path or exact value', () => {
    const base = { type: 'tag', path: ['Tags'], name: 'a' } as const;
    const others = [
      { ...base, name: 'A' },
      { ...base, path: ['Tags', 'a'] },
      { ...base, type: 'source' },
    ] as const;
    expect(new Set([base, ...others].map(identityKey)).size).toBe(4);
  });

  it('are compared without case or Unicode form', () => {
    expect(foldName('Stra\u00dfe ')).toBe(foldName('STRASSE'));
    expect(foldName('CAFE\u0301')).toBe(foldName('caf\u00e9'));
    expect(foldName('\u039f\u0394\u039f\u03a3')).toBe(foldName('\u03bf\u03b4\u03bf\u03c2'));
    expect(foldName('a b')).not.toBe(foldName('ab'));
  });
});
