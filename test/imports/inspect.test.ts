import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { inspectBody } from '../../shared/imports/inspect/inspect-schemas.ts';
import { importHarness, ranFile } from './import-harness.ts';
import { definitionOf, fieldMap } from '../support/field-map.ts';

const inspected = (file: Buffer | string, definition?: object) =>
  importHarness().inspect(file, definition && { definition });

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

const german = latin1(
  [
    'Kundennr.;Vorname;Name;E-Mail;Geburtsdatum;Telefon;Kinder;Interessen;Umsatz;Letzter Besuch;Newsletter;Bemerkung',
    '1;K\xe4the;M\xfcller;k@x.org;24.02.1949;030 901820;ja;Jazz|Abo;1.234,50;09.01.2025 19:30;ja;',
    '2;Jos\xe9;Ruiz;j@x.org;01.12.80;0151 23456789;nein;Jazz;12,00;10.01.2025 20:00;nein;" treu "',
    '3;Ann;Lee;ann@x;31.02.1980;12;ja;Oper|Jazz;5,5;11.01.2025;ja;x',
  ].join('\r\n'),
);

describe('the inspection of a file', () => {
  it('shows the dialect, the header and the first rows', async () => {
    const { dialect, header, sample, failure } = await inspected(german);
    expect(dialect).toEqual({ encoding: 'windows-1252', delimiter: 'semicolon' });
    expect(header).toHaveLength(12);
    expect(sample[0]?.slice(0, 3)).toEqual(['1', 'Käthe', 'Müller']);
    expect(sample).toHaveLength(3);
    expect(failure).toBeNull();
  });

  it('suggests a field for each column, with what the values call for and why', async () => {
    const { suggestion } = await inspected(german);
    const maps = suggestion.definition?.mapping_fields.field_maps ?? [];
    const suggested = new Map(maps.map(({ sources, ...map }) => [JSON.stringify(sources), map]));
    const of = (name: string) => suggested.get(JSON.stringify([{ type: 'source_field', name }]));
    const dropping = { on_bad_value: 'drop_cell' };
    expect(of('Kundennr.')).toEqual({ target_field: 'unique_id' });
    expect(of('Vorname')).toEqual({ target_field: 'first_name' });
    expect(of('Name')).toEqual({ target_field: 'last_name' });
    expect(of('E-Mail')).toEqual({ target_field: 'email' });
    const birthday = { transformations: [{ name: 'date_dmy', pivot: 26 }], target_field: 'birthday' };
    expect(of('Geburtsdatum')).toEqual({ ...birthday, ...dropping });
    const phone = { transformations: [{ name: 'phone', country: 'DE' }], target_field: 'phone_number' };
    expect(of('Telefon')).toEqual({ ...phone, ...dropping });
    const words = { name: 'map', values: { ja: 'Yes', nein: 'No' } };
    expect(of('Kinder')).toEqual({ target_field: 'has_children', transformations: [words], ...dropping });
    expect(of('Interessen')).toEqual({ target_field: 'tags', split: '|' });
    const extra = (name: string) => ({ target_field: `extra_data.${name}` });
    expect(of('Umsatz')).toEqual({
      ...extra('Umsatz'),
      transformations: [{ name: 'number_de' }],
      ...dropping,
    });
    expect(of('Letzter Besuch')).toMatchObject({
      ...extra('Letzter Besuch'),
      transformations: [{ name: 'date_dmy' }],
    });
    const states = { name: 'map', values: { ja: 'given', nein: 'withdrawn' } };
    expect(of('Newsletter')).toEqual({
      target_field: 'consent.email',
      transformations: [states],
    });
    expect(of('Bemerkung')).toEqual({ ...extra('Bemerkung'), transformations: [{ name: 'strip' }] });
    expect(suggestion.columns.every(({ why }) => why.length > 0)).toBe(true);
    expect(suggestion.columns[4]?.why[1]).toBe('2 of 3 cells are dates of the form day, month, year.');
  });

  it('suggests a definition that imports the file as the inspection showed it', async () => {
    const { suggestion, rows } = await inspected(german);
    const { harness, job } = await ranFile(german, suggestion.definition);
    const refused = rows.filter(({ faults }) => faults.length > 0);
    expect(job.counts).toMatchObject({ completed: 3 - refused.length, unserializable: refused.length });
    expect((await harness.people()).map(([email]) => email)).toEqual(['j@x.org', 'k@x.org']);
  });

  it('judges the first rows by the rules of imports, cell by cell', async () => {
    const { rows } = await inspected(german);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({
      row: 1,
      line: 2,
      record: { email: 'k@x.org', birthday: '1949-02-24', has_children: 'Yes', phone_number: '+4930901820' },
      faults: [],
      warnings: [],
    });
    expect(rows[2]).toMatchObject({ row: 3, line: 4, faults: [{ column: 'E-Mail', code: 'not_an_email' }] });
  });

  it('judges the rows by the definition of the request, and says why its file would fail', async () => {
    const definition = (encoding: string, delimiter: string) =>
      definitionOf([fieldMap('email', 'E-Mail')], { encoding, delimiter });
    const read = await inspected(german, definition('latin1', 'semicolon'));
    expect(read.failure).toBeNull();
    expect(read.rows[0]?.record).toEqual({ email: 'k@x.org' });
    const failed = await inspected(german, definition('latin1', 'comma'));
    expect(failed).toMatchObject({ failure: { code: 'missing_column', line: 1 }, rows: [] });
    expect(failed.header).toHaveLength(12);
    expect(failed.suggestion.definition).not.toBeNull();
    const refused = await inspected(german, definition('utf-8', 'semicolon'));
    expect(refused.rows[0]).toMatchObject({
      record: null,
      faults: [{ code: 'wrong_encoding', column: 'Vorname' }],
    });
  });

  it('reads the header by the delimiter of the definition, if the file has all its columns that way', async () => {
    const file = 'Nr;Name, Ort;Mail\n1;Lee, Bremen;a@x.org\n';
    const by = (column: string, delimiter: string) =>
      inspected(file, definitionOf([fieldMap('unique_id', column)], { delimiter }));
    expect((await by('Nr', 'auto')).header).toEqual(['Nr', 'Name, Ort', 'Mail']);
    const read = await by('Nr;Name', 'comma');
    expect(read).toMatchObject({ dialect: { delimiter: 'comma' }, header: ['Nr;Name', 'Ort;Mail'] });
    expect(read.suggestion.columns.map(({ column }) => column)).toEqual(read.header);
    expect((await by('Nr', 'comma')).header).toEqual(['Nr', 'Name, Ort', 'Mail']);
  });

  it('refuses a faulty definition with pointers into the request', async () => {
    const field_maps = [fieldMap('emial', 'a')];
    const body = { content: '', definition: definitionOf(field_maps) };
    expect(await importHarness().askInspection(body)).toMatchObject({
      ok: false,
      error: { status: 422, errors: [{ pointer: '/definition/mapping_fields/field_maps/0/target_field' }] },
    });
  });

  it('takes the bytes or the job of a file, and not both', () => {
    const [content, upload] = [{ content: 'YQ==' }, { upload: { job_id: 7 } }];
    expect([{}, content, upload, { ...content, ...upload }].map((body) => v.is(inspectBody, body))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it.each([
    ['French', 'Prénom;Nom;Courriel;Date de naissance;Ville', 'first_name,last_name,email,birthday,city'],
    ['Spanish', 'Nombre;Apellidos;Correo electrónico;Teléfono', 'first_name,last_name,email,phone_number'],
    ['Italian', 'Nome;Cognome;Indirizzo e-mail;CAP', 'first_name,last_name,email,zipcode'],
    ['Dutch', 'Voornaam;Achternaam;E-mailadres;Postcode;Plaats', 'first_name,last_name,email,zipcode,city'],
    ['English', 'First Name;Surname;Email Address;Date of Birth', 'first_name,last_name,email,birthday'],
    ['German', 'Name;Strasse;PLZ;Ort;E-Mail-Adresse', 'full_name,street,zipcode,city,email'],
    ['names of fields', 'unique_id;has_children;home_value', 'unique_id,has_children,home_value'],
  ])('knows the names of columns: %s', async (_, header, targets) => {
    const { suggestion } = await inspected(`${header}\n`);
    expect(suggestion.columns.map(({ target_field }) => target_field).join()).toBe(targets);
  });

  it.each([
    ['month first', ['12/31/1980', '02/03/1990'], [{ name: 'date_mdy' }]],
    ['day first', ['31/12/1980', '02/03/1990'], [{ name: 'date_dmy' }]],
    ['year first', ['1980-12-31', '1990-03-02'], [{ name: 'date' }]],
  ])('tells dates with the %s from others', async (_, dates, transformations) => {
    const { suggestion } = await inspected(
      `email,date of birth\n${dates.map((date) => `a@x.org,${date}`).join('\n')}`,
    );
    expect(suggestion.definition?.mapping_fields.field_maps[1]).toMatchObject({ transformations });
  });

  it('fills each field once, by the fullest column, and leaves out columns without a name of their own', async () => {
    const { suggestion } = await inspected(
      'email,phone,mobile,x,x,,fax\na@x.org,,+49 30 901820,1,2,3,\nb@x.org,+49 30 901821,+49 30 901822,,,,\n',
    );
    expect(suggestion.columns.map(({ target_field }) => target_field)).toEqual([
      'email',
      'extra_data.phone',
      'phone_number',
      'extra_data.x',
      null,
      null,
      null,
    ]);
    expect(suggestion.columns.map(({ kind }) => kind)).toEqual([
      'mapped',
      'kept',
      'mapped',
      'kept',
      'left_out',
      'left_out',
      'empty',
    ]);
    expect(suggestion.columns[1]?.why[0]).toBe('Its name means phone_number. "mobile" fills phone_number.');
    expect(suggestion.columns[2]?.why[1]).toBe('Not taken for phone_number: "phone".');
  });

  it('says so when no column is an identity', async () => {
    const { suggestion, rows } = await inspected('city\nBerlin\n');
    expect(suggestion.notes).toEqual([
      'No column says whose record a row is. Map a column to unique_id, email or social_id.',
    ]);
    expect(rows[0]?.faults).toMatchObject([{ code: 'identity_missing' }]);
  });

  it.each([
    ['an empty file', '', 'no_header'],
    ['a PDF', '%PDF-1.7', 'not_csv'],
    ['a broken gzip file', Buffer.from([0x1f, 0x8b, 1, 2, 3]), 'no_header'],
  ])('%s is told as a fault of the file', async (_, file, code) => {
    expect(await inspected(file)).toMatchObject({ dialect: null, header: [], rows: [], failure: { code } });
  });

  it('looks at the first bytes of a file only, also of a compressed one', async () => {
    const row = `a@x.org,Ann ${'y'.repeat(80)}\n`;
    const whole = `email,first_name\n${row.repeat(5_000)}`;
    const cut = whole.slice(0, limits.imports.inspectedBytes);
    const packed = gzipSync(whole);
    const bomb = gzipSync(Buffer.concat([Buffer.from('email\n'), Buffer.alloc(50_000_000, 'a')]));
    for (const file of [whole, cut, packed, packed.subarray(0, packed.length - 100)]) {
      const { sample, rows } = await inspected(file);
      expect(sample).toHaveLength(limits.imports.shownRows);
      expect(rows.every(({ faults }) => faults.length === 0)).toBe(true);
    }
    expect((await inspected(bomb)).rows).toEqual([]);
  });

  it('suggests a definition that POST imports takes, whatever the file holds', async () => {
    const part = fc.constantFrom(
      ...[
        'email',
        'Name',
        'E-Mail',
        '__proto__',
        'ja',
        'nein',
        'x',
        '1,5',
        '12.03.80',
        '+49 30 1',
        'a|b',
        ' ',
        '"',
      ],
      ...[',', ';', '\t', '|', '\n', '\n', '\r\n', '\0', '\ufeff', '\ufffd', '\xfc', '\x81', '€', '='],
    );
    const file = fc
      .tuple(fc.array(part, { maxLength: 60 }), fc.constantFrom('utf8', 'latin1', 'utf16le'))
      .map(([parts, encoding]) => Buffer.from(parts.join(''), encoding));
    await fc.assert(
      fc.asyncProperty(file, async (bytes) => {
        const { suggestion, rows, failure } = await inspected(bytes);
        if (suggestion.definition) await importHarness().define(suggestion.definition);
        if (failure) expect(rows).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['more columns than a definition has', Array.from({ length: 1_999 }, (_, index) => `c${index}`), 500],
    [
      'names of more bytes than a definition has',
      Array.from({ length: 490 }, (_, index) => `${index}ü`.repeat(40)),
      489,
    ],
  ])('leaves out columns for which a definition has no room: %s', async (_, names, most) => {
    const { suggestion } = await inspected(`${names.join(';')}\n`);
    const maps = suggestion.definition?.mapping_fields.field_maps ?? [];
    expect(maps.length).toBeGreaterThan(100);
    expect(maps.length).toBeLessThanOrEqual(most);
    expect(suggestion.columns).toHaveLength(names.length);
    await importHarness().define(suggestion.definition);
  });

  it('takes long cells for no words', async () => {
    const { suggestion } = await inspected(`email,x\na@x.org,ja${'!'.repeat(3_000)}\n`);
    expect(suggestion.definition?.mapping_fields.field_maps[1]).not.toHaveProperty('transformations');
  });

  it('never shows a social token', async () => {
    const field_maps = [fieldMap('email'), fieldMap('social_token', 'token')];
    const definition = definitionOf(field_maps, { name: 'x' });
    const { rows, sample } = await inspected('email,token\na@x.org,secret\n', definition);
    expect(sample).toEqual([['a@x.org', '[hidden]']]);
    expect(rows[0]?.record).toEqual({ email: 'a@x.org', social_token: '[hidden]' });
  });
});
