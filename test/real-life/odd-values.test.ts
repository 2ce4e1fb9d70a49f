import { describe, expect, it } from 'vitest';
import { tryFile } from './try-file.ts';

describe('values that look like something else', () => {
  it.each([
    [
      'words of programs, ids with zeros and ids that differ in case',
      'Customer ID,First name,Last name,Postcode',
      [
        ['00501', 'Null', 'True', '01067'],
        ['501', 'Nan', '1E5', '1067'],
        ['ab1', 'None', 'False', null],
        ['AB1', 'Undefined', 'Void', null],
      ],
    ],
    [
      'months, days and numbers of spreadsheets',
      'Member ID,First name,Last name,Zip',
      [
        ['1E3', 'April', 'March', '1E04'],
        ['1000', 'Sun', 'Mon', '02-03'],
        ['0x1F', 'Infinity', '-Inf', '00501'],
        ['3-4', 'Ja', 'No', '3/4'],
      ],
    ],
    [
      'the same in German',
      'Kundennummer,Vorname,Nachname,PLZ',
      [
        ['0007', 'Wahr', 'Falsch', '01067'],
        ['007', 'Null', 'Nein', '06108'],
        ['x7', 'Mai', 'Keiner', '00007'],
        ['X7', 'Nil', 'Leer', null],
      ],
    ],
  ])('are stored as they are: %s', async (_, header, people) => {
    const rows = people.map((cells) => cells.map((cell) => cell ?? '').join(','));
    const { stored, errors, warnings } = await tryFile([header, ...rows, ''].join('\n'));
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
    expect(
      stored.map(({ fields: { unique_id, first_name, last_name, zipcode } }) => [
        unique_id,
        first_name,
        last_name,
        zipcode,
      ]),
    ).toEqual(people);
  });

  it('supply nothing if they show nothing, as the padded fields of a database', async () => {
    const { stored, errors, warnings } = await tryFile(
      'EMAIL,MEMO,BIRTHDAY,CITY\nada@example.org,        ,        ,London    \nbob@example.org,x,1980-01-02,\u00a0\n',
    );
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
    expect(stored.map(({ fields, extra }) => [fields.city, fields.birthday, extra])).toEqual([
      ['London', null, {}],
      [null, '1980-01-02', { MEMO: 'x' }],
    ]);
  });
});
