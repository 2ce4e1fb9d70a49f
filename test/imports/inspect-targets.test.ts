import { describe, expect, it } from 'vitest';
import { tryFile } from '../real-life/try-file.ts';
import { importHarness } from './import-harness.ts';

const inspected = (file: string, targets: Readonly<Record<string, string | null>>) =>
  importHarness().inspect(file, { targets });

const members = [
  'Nr;Wann zur Welt;Mobilnetz;Will Post;Mag;Notiz',
  'a1;24.02.1949;030 901820;ja;Jazz|Oper;x',
  'a2;01.12.80;0151 23456789;nein;Jazz;',
].join('\n');

describe('the fields of columns in a request', () => {
  it('are kept, with what the values call for in them', async () => {
    const { suggestion, rows } = await inspected(members, {
      Nr: 'unique_id',
      'Wann zur Welt': 'birthday',
      Mobilnetz: 'phone_number',
      'Will Post': 'consent.post',
      Mag: 'tags',
      Notiz: null,
    });
    expect(suggestion.definition?.mapping_fields.field_maps).toMatchObject([
      { target_field: 'unique_id' },
      {
        target_field: 'birthday',
        transformations: [{ name: 'date_dmy', pivot: 26 }],
        on_bad_value: 'drop_cell',
      },
      { target_field: 'phone_number', on_bad_value: 'drop_cell' },
      {
        target_field: 'consent.post',
        transformations: [{ name: 'map', values: { ja: 'given', nein: 'withdrawn' } }],
      },
      { target_field: 'tags', split: '|' },
    ]);
    expect(suggestion.columns.map(({ kind }) => kind)).toEqual([
      ...Array.from({ length: 5 }, () => 'mapped'),
      'left_out',
    ]);
    expect(suggestion.columns[5]).toEqual({
      column: 'Notiz',
      kind: 'left_out',
      target_field: null,
      why: ['The request leaves it out.'],
    });
    expect(suggestion.notes).toEqual([]);
    expect(rows.every(({ faults }) => faults.length === 0)).toBe(true);
  });

  it('take a field from the column of which the service was sure', async () => {
    const { suggestion } = await inspected('email,Second\na@x.org,b@x.org\n', { Second: 'email' });
    expect(suggestion.columns.map(({ target_field }) => target_field)).toEqual(['extra_data.email', 'email']);
  });

  it('may be extra data under another name, also one that another column has', async () => {
    const { suggestion } = await inspected('email,a,b\na@x.org,1,2\n', { a: 'extra_data.b' });
    expect(suggestion.columns.map(({ kind, target_field }) => [kind, target_field])).toEqual([
      ['mapped', 'email'],
      ['kept', 'extra_data.b'],
      ['left_out', null],
    ]);
  });

  it('hide the cells of a column that they map to social tokens', async () => {
    const answer = await inspected('email,key\na@x.org,secret\n', { key: 'social_token' });
    expect(answer.sample).toEqual([['a@x.org', '[hidden]']]);
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it.each([
    [{ email: 'emial' }, '/targets/email', 'unknown_target'],
    [{ Nothing: 'city' }, '/targets/Nothing', 'unknown_column'],
    [{ a: 'city', b: 'address.city' }, '/targets/b', 'duplicate'],
    [{ 'x/y': 'consent.email.datetime' }, '/targets/x~1y', 'not_mapped'],
  ])('are refused at their place: %j', async (targets, pointer, code) => {
    const content = Buffer.from('email,a,b,x/y\na@x.org,1,2,2026-01-01\n').toString('base64');
    const answer = await importHarness().askInspection({ content, targets });
    expect(answer).toMatchObject({ ok: false, error: { status: 422, errors: [{ pointer, code }] } });
  });

  it('are judged even if the file cannot be read', async () => {
    expect(await importHarness().askInspection({ content: '', targets: { a: 'emial' } })).toMatchObject({
      ok: false,
      error: { status: 422 },
    });
    expect(await importHarness().askInspection({ content: '', targets: { a: 'email' } })).toMatchObject({
      ok: true,
    });
  });

  it('leave a suggestion that imports the file', async () => {
    const { stored } = await tryFile(members, { targets: { Nr: 'unique_id', 'Wann zur Welt': 'birthday' } });
    expect(stored.map(({ fields: { unique_id, birthday } }) => [unique_id, birthday])).toEqual([
      ['a1', '1949-02-24'],
      ['a2', '1980-12-01'],
    ]);
  });
});
