import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { listImports, getImport } from '../../shared/imports/definitions/read-imports.ts';
import { namedListQuery } from '../../shared/http/list-schemas.ts';
import { importsAnswer } from '../../shared/imports/schemas/definition-schemas.ts';
import { importHarness, request, simpleDefinition } from './import-harness.ts';
import { answered } from '../support/requests.ts';

describe('a definition', () => {
  it('is answered in the shape of the contract, and read and listed the same', async () => {
    const harness = importHarness();
    const made = await harness.define();
    expect(made).toEqual({
      id: 7_000_000_001,
      name: 'Visitors',
      mapping_fields: simpleDefinition.mapping_fields,
      action: 'import_csv_generic',
      created: '2026-01-15T12:00:00.000Z',
      test_mode: false,
      tags_mode: 'add',
      file_match_rule: null,
      notification_email: null,
      webhook_url: null,
      result_files: true,
      property: 7,
      delimiter: 'comma',
      encoding: 'utf-8',
      header_line: null,
      trim: false,
      attribute_source: 'stated',
      granted_tier: null,
      skip_appends: false,
      max_new_segments: 200,
      max_refused_share: null,
      not_identities: [],
      max_addresses_per_id: 20,
    });
    const read = await getImport(harness.deps, request({ import_id: made.id }, {}, undefined));
    expect(read).toEqual({ ok: true, value: { status: 200, body: made } });
  });

  it('takes an empty text for one that is not supplied', async () => {
    const harness = importHarness();
    const optional = ['delimiter', 'encoding', 'attribute_source', 'file_match_rule'];
    const empty = Object.fromEntries(optional.map((name) => [name, '']));
    const made = await harness.define({ ...simpleDefinition, ...empty });
    expect({ ...made, id: 0 }).toEqual({ ...(await harness.define()), id: 0 });
  });

  it('is listed in pages', async () => {
    const harness = importHarness();
    const ids: number[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await harness.define()).id);
    const seen: number[] = [];
    let query: Record<string, string> = { limit: '2' };
    for (let pages = 0; pages < 3; pages += 1) {
      const parsed = v.parse(namedListQuery, query);
      const page = await answered(listImports(harness.deps, request({}, parsed, undefined)), importsAnswer);
      seen.push(...page.imports.map(({ id }) => id));
      const next = page.paging.next_page;
      expect(next === null).toBe(pages === 2);
      if (next !== null) query = Object.fromEntries(new URL(next).searchParams);
    }
    expect(seen).toEqual(ids);
  });

  it('is listed by a part of its name, the newest first when asked', async () => {
    const harness = importHarness();
    for (const name of ['Visitors', 'visits', 'Shop']) await harness.define({ ...simpleDefinition, name });
    const named = async (query: object) => {
      const parsed = v.parse(namedListQuery, query);
      const page = await answered(listImports(harness.deps, request({}, parsed, undefined)), importsAnswer);
      return page.imports.map(({ name }) => name);
    };
    expect(await named({ name: 'VISIT' })).toEqual(['Visitors', 'visits']);
    expect(await named({ order: 'newest' })).toEqual(['Shop', 'visits', 'Visitors']);
    expect(await named({ order: 'newest', name: 'visit', limit: '1' })).toEqual(['visits']);
  });

  it('refuses a forged cursor, and one of another list', async () => {
    const harness = importHarness();
    for (const cursor of ['x', 'AAAA'.repeat(20)]) {
      const answer = await listImports(harness.deps, request({}, { cursor, limit: undefined }, undefined));
      expect(answer).toMatchObject({ ok: false, error: { status: 400 } });
    }
  });

  it('of another property or of none is not found', async () => {
    const harness = importHarness();
    for (const import_id of [7_000_000_001, 8_000_000_001, 0, -1, 1.5, 'abc', 2 ** 53]) {
      const answer = await getImport(harness.deps, request({ import_id }, {}, undefined));
      expect(answer).toMatchObject({ ok: false, error: { status: 404 } });
    }
  });
});
