import { describe, expect, it } from 'vitest';
import { tryFile } from './try-file.ts';

describe('values that look like something else', () => {
  it('are stored as they are: names, ids with zeros and ids that differ in case', async () => {
    const { stored, errors, warnings } = await tryFile(
      'Customer ID,First name,Last name,Postcode\n00501,Null,True,01067\n501,Nan,1E5,1067\nab1,None,False,\nAB1,Undefined,Void,\n',
    );
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
    expect(
      stored.map(({ fields: { unique_id, first_name, last_name, zipcode } }) => [
        unique_id,
        first_name,
        last_name,
        zipcode,
      ]),
    ).toEqual([
      ['00501', 'Null', 'True', '01067'],
      ['501', 'Nan', '1E5', '1067'],
      ['ab1', 'None', 'False', null],
      ['AB1', 'Undefined', 'Void', null],
    ]);
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
