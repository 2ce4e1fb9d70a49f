import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { defineImport, importFile } from '../support/running.ts';
import { fieldMap } from '../support/field-map.ts';

const drop = { on_bad_value: 'drop_cell' };
const words = { name: 'map', values: { ja: 'Yes', nein: 'No' } };

/** A definition for the files of a German box office. */
const definition = {
  name: 'Besucher',
  delimiter: 'semicolon',
  mapping_fields: {
    required_fields: ['unique_id'],
    field_maps: [
      fieldMap('unique_id', 'Kundennr'),
      fieldMap('email', 'E-Mail', { transformations: [{ name: 'strip' }, { name: 'lower' }], ...drop }),
      fieldMap('first_name', 'Vorname', { erase: true }),
      fieldMap('birthday', 'Geburtsdatum', { transformations: [{ name: 'date_dmy', pivot: 30 }] }),
      fieldMap('age', 'Alter', drop),
      fieldMap('has_children', 'Kinder', { transformations: [{ name: 'lower' }, words] }),
      fieldMap('phone_number', 'Telefon', { transformations: [{ name: 'phone', country: 'DE' }], ...drop }),
      fieldMap('extra_data.spend', 'Umsatz', {
        transformations: [{ name: 'replace', from: ' €', to: '' }, { name: 'number_de' }],
      }),
      fieldMap('tags', 'Interessen', { split: '|' }),
      { sources: [{ type: 'constant', value: 'box office' }], target_field: 'source' },
    ],
  },
};
const header = 'Kundennr;E-Mail;Vorname;Geburtsdatum;Alter;Kinder;Telefon;Umsatz;Interessen';

/** A file as it is in life, mapped by transformations and options of field maps, over HTTP. */
describe('a mapped file over HTTP', () => {
  let service: Service;
  let path: string;
  shared.beforeAll(({ service: own }) => {
    service = own;
    path = `/v1/${service.property}/imports`;
  });

  const run = async (at: string, lines: readonly string[]): Promise<string> => {
    return (await importFile(service, at, [...lines, ''].join('\n'))).job;
  };
  const read = async (at: string): Promise<unknown> => JSON.parse((await service.call('GET', at)).text);
  const profileOf = async (id: string) => {
    const answer = await read(`/v1/${service.property}/profile?unique_id=${id}&explain=true`);
    return v.parse(v.looseObject({ profile: v.looseObject({}) }), answer);
  };

  it('is stored in canonical form, without its bad cells, and names the column of each fault', async () => {
    const at = await defineImport(service, definition);
    const job = await run(at, [
      header,
      '1; Anna@Example.ORG ;Anna;24.02.49 19:30;ca. 50;ja;030 / 12 34 56;1.234,50 €;Jazz|Abo',
      '2;unbekannt;Ben;31.02.1980;40;nein;1,7E+10;12,5;Jazz',
      '3;cem@example.org;Cem;;40;Nein;1,7E+10;;Jazz',
    ]);
    expect(await read(job)).toMatchObject({
      counts: { status: 'complete-with-errors', completed: 2, unserializable: 1 },
      warnings: [],
    });
    expect((await profileOf('1')).profile).toMatchObject({
      email: 'anna@example.org',
      birthday: '1949-02-24',
      has_children: 'Yes',
      phone_number: '+4930123456',
    });
    expect(JSON.stringify(await profileOf('1'))).toMatch(/"1234\.5".*box office|box office.*"1234\.5"/s);
    expect(await read(`${job}/warnings`)).toMatchObject({
      warnings: [
        { row: 1, column: 'Alter', field: 'age', code: 'dropped_cell' },
        { row: 3, column: 'Telefon', field: 'phone_number', code: 'dropped_cell' },
      ],
    });
    expect(await read(`${job}/errors`)).toMatchObject({
      errors: [
        {
          row: 2,
          column: 'Geburtsdatum',
          field: 'birthday',
          code: 'not_a_date',
          message:
            'Geburtsdatum (birthday): "31.02.1980" is not a day of the calendar; expected day.month.year.',
        },
      ],
    });
    const { text } = await service.call('GET', `${job}/errors?format=csv`);
    expect(text.split('\r\n')[0]).toContain(',row,line,field,column,code,message');

    await run(at, [header, '1;;;;;;;;']);
    expect((await profileOf('1')).profile).toMatchObject({ first_name: null, email: 'anna@example.org' });
  });

  it('makes its job warn if a list seems to be split at the wrong separator', async () => {
    const [id, ...maps] = definition.mapping_fields.field_maps.filter(({ target_field }) =>
      ['unique_id', 'tags'].includes(target_field),
    );
    const field_maps = [id, ...maps.map((each) => ({ ...each, split: ';' }))];
    const at = await defineImport(service, {
      ...definition,
      mapping_fields: { required_fields: [], field_maps },
    });
    const rows = Array.from({ length: 25 }, (_, index) => `t${index};Jazz|Abo`);
    expect(await read(await run(at, ['Kundennr;Interessen', ...rows]))).toMatchObject({
      counts: { status: 'complete' },
      warnings: [{ code: 'suspicious_values', field: 'tags', column: 'Interessen', row: null, line: null }],
    });
  });

  it('is mapped by no definition whose options are wrong: each fault says what is allowed', async () => {
    const field_maps = [
      fieldMap('birth_day', 'a', { transformations: [{ name: 'dmy' }] }),
      { sources: ['E-Mail'], target_field: 'email' },
    ];
    const { status, text } = await service.call('POST', path, {
      body: Buffer.from(JSON.stringify({ name: 'x', mapping_fields: { required_fields: [], field_maps } })),
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(422);
    expect(text).toContain('Must be an object like {\\"name\\": \\"strip\\"}. The names are strip, lower,');
    expect(text).toContain(
      'Must be an object like {\\"type\\": \\"source_field\\", \\"name\\": \\"E-Mail\\"}',
    );
  });
});
