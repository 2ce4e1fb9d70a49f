import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { bytesInAnswer } from '../../shared/http/fitting.ts';
import { listImports } from '../../shared/imports/definitions/read-imports.ts';
import { importsAnswer } from '../../shared/imports/schemas/definition-schemas.ts';
import { namedListQuery } from '../../shared/http/list-schemas.ts';
import { importHarness, request } from '../imports/import-harness.ts';
import { answered } from '../support/requests.ts';
import { definitionOf, fieldMap } from '../support/field-map.ts';

/** A definition whose mapping is almost as large as one may be. */
const large = (index: number): object => {
  const maps = Array.from({ length: 40 }, (_, at) =>
    fieldMap(`extra_data.${at}`, `column "${at}"`, {
      transformations: [{ name: 'map', values: { [`${'"'.repeat(500)}${index}`]: '"'.repeat(1_000) } }],
    }),
  );
  return definitionOf([fieldMap('unique_id', 'id'), ...maps]);
};

describe('a page of a list', () => {
  it('ends where the answer is full, and the next page goes on behind it', async () => {
    const harness = importHarness();
    const made: number[] = [];
    for (let index = 0; index < 60; index += 1) made.push((await harness.define(large(index))).id);
    const seen: number[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const query = v.parse(namedListQuery, cursor === undefined ? {} : { cursor });
      const answer = await answered(listImports(harness.deps, request({}, query, undefined)), importsAnswer);
      expect(bytesInAnswer(answer)).toBeLessThan(limits.http.pageBytes + 1_000);
      seen.push(...answer.imports.map(({ id }) => id));
      const next = answer.paging.next_page;
      cursor = next === null ? undefined : (new URL(next).searchParams.get('cursor') ?? undefined);
      pages += 1;
    } while (cursor !== undefined);
    expect(pages).toBeGreaterThan(1);
    expect(seen).toEqual(made);
  });
});

describe('an inspection', () => {
  it('shows as many judged rows as one answer holds', async () => {
    const maps = Array.from({ length: 120 }, (_, at) => fieldMap(`extra_data.${at}`, 'note'));
    const definition = definitionOf([fieldMap('unique_id', 'id'), ...maps]);
    // The budget of a row leaves 40,000 of these characters, each of which takes seven bytes of the answer.
    const rows = Array.from({ length: 20 }, (_, row) => `${row},${'\u0001'.repeat(4_900)}`);
    const answer = await importHarness().inspect(['id,note', ...rows, ''].join('\n'), { definition });
    expect(answer.rows.length).toBeLessThan(20);
    expect(answer.rows.length).toBeGreaterThan(10);
    expect(answer.sample).toHaveLength(20);
    expect(bytesInAnswer(answer)).toBeLessThanOrEqual(limits.http.pageBytes + 10);
  });
});
