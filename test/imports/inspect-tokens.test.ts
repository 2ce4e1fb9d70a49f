import { describe, expect, it } from 'vitest';
import { inspectAnswer } from '../../shared/imports/inspect/inspect-schemas.ts';
import { withDefinition } from './import-harness.ts';
import { answered } from '../support/requests.ts';
import { definitionOf, fieldMap } from '../support/field-map.ts';

const mapped = (name: string, target_field: string) => fieldMap(target_field, name);

const tokens = definitionOf([mapped('email', 'email'), mapped('key', 'social_token')]);

/** Uploads a file for a definition, and inspects it as the job of the upload, with the definition of the request. */
const inspected = async (file: string, ofJob: object, ofRequest?: object) => {
  const { harness, id } = await withDefinition(ofJob);
  const { job } = await harness.upload(id, file);
  const body = { upload: { job_id: job }, ...(ofRequest ? { definition: ofRequest } : {}) };
  return answered(harness.askInspection(body), inspectAnswer);
};

describe('the inspection of a file whose job maps social tokens', () => {
  it('hides the columns that the definition of the job maps to social tokens', async () => {
    const answer = await inspected('email,key\na@x.org,secret\n', tokens);
    expect(answer.sample).toEqual([['a@x.org', '[hidden]']]);
    expect(answer.rows[0]?.record).toEqual({ email: 'a@x.org', social_token: '[hidden]' });
    expect(answer.hidden).toMatch(/^The definition maps social tokens\. Their cells are hidden/);
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it('reads the file in the delimiter of the job, whatever delimiter the request names', async () => {
    const definition = definitionOf([mapped('email,key', 'unique_id')], { delimiter: 'semicolon' });
    const answer = await inspected('email,key\na@x.org,secret\n', tokens, definition);
    expect(answer.dialect?.delimiter).toBe('comma');
    expect(answer.failure?.code).toBe('missing_column');
    expect(answer.sample).toEqual([['a@x.org', '[hidden]']]);
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it('reads the file in the encoding of the job, whatever encoding the request names', async () => {
    const ofJob = definitionOf([mapped('email', 'email'), mapped('clé', 'social_token')], {
      encoding: 'utf-8',
    });
    const definition = definitionOf([mapped('email', 'email'), mapped('clÃ©', 'unique_id')], {
      encoding: 'latin1',
    });
    const answer = await inspected('email,clé\na@x.org,secret\n', ofJob, definition);
    expect(answer.dialect?.encoding).toBe('utf-8');
    expect(answer.failure?.code).toBe('missing_column');
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it('reads the file in the delimiter of the job, even if another delimiter yields more known columns', async () => {
    const ofJob = definitionOf(
      [mapped('email;first_name;last_name', 'unique_id'), mapped('key', 'social_token')],
      { delimiter: 'comma' },
    );
    const answer = await inspected('key,email;first_name;last_name\nsecret,a@x.org;Ann;Lee\n', ofJob);
    expect(answer.header).toEqual(['key', 'email;first_name;last_name']);
    expect(answer.sample).toEqual([['[hidden]', 'a@x.org;Ann;Lee']]);
    expect(answer.rows).toHaveLength(1);
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it.each([
    ['the suggested definition', undefined],
    ['the definition of the request', definitionOf([mapped('api_key', 'unique_id')])],
  ])('hides all cells from %s if the header lacks the column of the tokens', async (_, definition) => {
    const answer = await inspected('email,api_key\na@x.org,secret\n', tokens, definition);
    expect(answer.header).toEqual(['email', 'api_key']);
    expect(answer.sample).toEqual([['[hidden]', '[hidden]']]);
    expect(answer.rows).toEqual([]);
    expect(answer.hidden).toContain('"key", which the header does not have');
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it('hides all cells of a row that has more or fewer cells than the header', async () => {
    const file = 'email,first_name,key\na@x.org,Ann,secret\nb@x.org,secret\nc@x.org,Lee,Cy,secret\n';
    const answer = await inspected(file, tokens);
    expect(answer.sample.map((cells) => cells[0])).toEqual(['a@x.org', '[hidden]', '[hidden]']);
    expect(answer.rows.map(({ record }) => record)).toEqual([
      { email: 'a@x.org', first_name: 'Ann', social_token: '[hidden]' },
      null,
      null,
    ]);
    expect(answer.rows[2]?.faults[0]?.code).toBe('too_many_cells');
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it('suggests nothing that contains a hidden cell', async () => {
    const ofJob = definitionOf([mapped('Newsletter', 'social_token'), mapped('email', 'email')]);
    const { suggestion } = await inspected('email,Newsletter\na@x.org,abonniert\n', ofJob);
    expect(JSON.stringify(suggestion)).not.toContain('abonniert');
  });

  it('suggests the column of the tokens for social tokens, and for nothing that a profile shows', async () => {
    const { suggestion } = await inspected('email,key\na@x.org,secret\n', tokens);
    expect(suggestion.definition?.mapping_fields.field_maps.map(({ target_field }) => target_field)).toEqual([
      'email',
      'social_token',
    ]);
  });

  it('hides nothing if no definition maps tokens', async () => {
    const answer = await inspected('email,key\na@x.org,open\n', definitionOf([mapped('email', 'email')]));
    expect(answer).toMatchObject({ hidden: null, sample: [['a@x.org', 'open']] });
  });
});
