import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { segmentsOf } from '../../shared/catalogue/derive.ts';
import { lookupQuery } from '../../shared/profiles/schemas.ts';
import type { ResolvedProfile } from '../../shared/profiles/types.ts';
import { unloadedIn } from '../support/brands.ts';
import { NOW } from '../profiles/harness.ts';
import { tryFile } from './try-file.ts';

/** The names of all segments of some people but `everyone`, each with its number of people. */
const sizes = (people: readonly ResolvedProfile[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const person of people)
    for (const { type, name } of segmentsOf(person, NOW, unloadedIn(1)).values())
      if (type !== 'everyone') counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

/** The address under which a lookup searches. */
const lookedUp = (email: string): unknown => v.parse(lookupQuery, { email }).email;

describe('characters that nobody sees', () => {
  it.each([
    [
      'marks of direction, zero-width spaces and soft hyphens',
      ['\u200eann@x.org', 'ben@x.org\u200b', '\u00adcem@x.org'],
    ],
    ['byte order marks and word joiners', ['\ufeffann@x.org', 'ben\u2060@x.org', 'cem@x.org\ufeff']],
    [
      'isolates, fillers and no-break spaces',
      ['\u2068ann@x.org\u2069', '\u00a0ben@x.org\u202f', 'cem@x.org\u3164'],
    ],
  ])('leave addresses as they are seen: %s', async (_, addresses) => {
    const rows = addresses.map((address, index) => `${address},Person ${index}`);
    const { stored, job, warnings } = await tryFile(['E-mail,First name', ...rows, ''].join('\n'));
    expect(job?.counts).toMatchObject({ status: 'complete', completed: 3 });
    expect(warnings).toEqual([]);
    expect(stored.map(({ fields }) => fields.email)).toEqual(['ann@x.org', 'ben@x.org', 'cem@x.org']);
    expect(addresses.map(lookedUp)).toEqual(['ann@x.org', 'ben@x.org', 'cem@x.org']);
  });

  it.each([
    [
      'marks of direction',
      'Phone',
      ['\u202a+49 30 901850\u202c', '\u200e+44 20 7946 0151', '+33 1 42 68 53 52'],
      ['+4930901850', '+442079460151', '+33142685352'],
    ],
    [
      'no-break spaces, byte order marks and zero-width spaces',
      'Mobile',
      [
        '+49\u00a0151\u00a023456780',
        '\ufeff+44\u200b7911\u200b123453',
        '+33\u202f6\u202f12\u202f34\u202f56\u202f70',
      ],
      ['+4915123456780', '+447911123453', '+33612345670'],
    ],
    [
      'isolates, soft hyphens and fillers',
      'Telefon',
      ['\u2068+49 30 901854\u2069', '+43 1 588\u00ad58', '\u3164+41 44 668 18 05'],
      ['+4930901854', '+43158858', '+41446681805'],
    ],
  ])('leave telephone numbers as they are seen: %s', async (_, column, cells, expected) => {
    const rows = cells.map((cell, index) => `c${index};${cell}`);
    const { stored, job, warnings, doubts } = await tryFile(
      [`Customer ID;${column}`, ...rows, ''].join('\n'),
    );
    expect(job?.counts).toMatchObject({ status: 'complete', completed: 3 });
    expect({ warnings, doubts }).toEqual({ warnings: [], doubts: [] });
    expect(stored.map(({ fields }) => fields.phone_number)).toEqual(expected);
  });

  it.each([
    [
      'the month first',
      ['\u200e5\u200e/\u200e4\u200e/\u200e1980', '\u200e12\u200e/\u200e25\u200e/\u200e1975'],
    ],
    ['the day first', ['\u202a4.5.1980\u202c', '25.\u00a012.\u00a01975\u200b']],
    ['the year first', ['1980\u201105\u201104', '\ufeff1975-12-25']],
    ['the month as a word', ['4\u202fMay\u202f1980', '\u206825 December 1975\u2069']],
  ])('leave dates as they are seen: %s', async (_, cells) => {
    const rows = cells.map((cell, index) => `c${index};${cell}`);
    const { stored, warnings } = await tryFile(['Customer ID;Birthday', ...rows, ''].join('\n'));
    expect(stored.map(({ fields }) => fields.birthday)).toEqual(['1980-05-04', '1975-12-25']);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['places', 'City', ['Bad Orb', 'Bad\u00a0Orb', 'Bad Orb\u200b', 'Bad  Orb', 'Ba\u00add Orb'], 'Bad Orb'],
    ['tags', 'Tags', ['Jazz', 'Jazz\u200b', '\u202aJazz\u202c', 'Ja\u200czz', 'Jazz\ufe0f'], 'Jazz'],
    [
      'genders',
      'Gender',
      ['female', 'female\u00a0', '\u200ffemale', 'fe\u2060male', 'female\u00ad'],
      'Gender: female',
    ],
    ['composed letters', 'City', ['Köln', 'Ko\u0308ln', 'Köln\u200e', '\u2003Köln', 'Köln\u3000'], 'Köln'],
  ])('make no second segment that looks alike: %s', async (_, column, values, name) => {
    const rows = values.map((value, index) => `c${index},${value}`);
    const { stored } = await tryFile([`Customer ID,${column}`, ...rows].join('\n'));
    expect(stored).toHaveLength(values.length);
    expect(sizes(stored)).toEqual({ [name]: values.length });
  });

  it.each([
    ['zero-width spaces', 'Customer\u200b ID,\u200eFirst name'],
    ['no-break spaces and marks', '\u00a0Customer\u00a0ID,First\u00a0name\ufeff'],
    ['soft hyphens', 'Cus\u00adtomer ID,First na\u00adme'],
  ])('do not hide what a column is: %s', async (_, header) => {
    const { stored } = await tryFile(`${header}\nc1,Ann\n`);
    expect(stored.map(({ fields: { unique_id, first_name } }) => [unique_id, first_name])).toEqual([
      ['c1', 'Ann'],
    ]);
  });

  it('make no second person of an id', async () => {
    const { stored } = await tryFile(
      'Customer ID,First name\nc1,Ann\nc\u200b1,Ann\n\u202ac1\u202c,Ann\nc1\u00a0,Ann\n',
    );
    expect(stored).toHaveLength(1);
  });
});

describe('one address in several forms', () => {
  it.each([
    ['composed and decomposed', 'josé@example.org', 'jose\u0301@example.org'],
    ['several marks', 'ngữ@example.org', 'ngu\u031b\u0303@example.org'],
    ['a domain in Unicode and in Punycode', 'ann@müller.example', 'ann@xn--mller-kva.example'],
    ['a decomposed domain', 'ann@müller.example', 'ann@mu\u0308ller.example'],
    ['a domain of another script', 'ann@例え.jp', 'ANN@XN--R8JZ45G.JP'],
    ['a sharp s in a domain', 'ann@straße.example', 'ann@xn--strae-oqa.example'],
  ])('is one person: %s', async (_, one, other) => {
    const { stored } = await tryFile(`E-mail,City\n${one},Rome\n${other},Oslo\n`);
    expect(stored.map(({ fields }) => [fields.email, fields.city])).toEqual([[one, 'Oslo']]);
    expect(lookedUp(other)).toBe(one);
  });

  it('stays two people where a domain cannot be read', async () => {
    const { stored, errors } = await tryFile(
      'E-mail,City\nann@xn--zzzzzz9.example,Rome\nann@zzzzzz9.example,Oslo\n',
    );
    expect(stored.length + errors.length).toBe(2);
  });
});
