import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ListCells,
  noCells,
  sumListCells,
  suspiciousColumns,
  withCell,
} from '../../shared/imports/items/row-findings.ts';
import { ranFile } from './import-harness.ts';
import { definitionOf, fieldMap } from '../support/field-map.ts';

const number = fieldMap('unique_id', 'Nr');
const tags = (more: object = {}) => fieldMap('tags', 'Interessen', more);

/** A file of rows with one cell of interests each. */
const fileOf = (cells: readonly string[]): string =>
  ['Nr\tInteressen', ...cells.map((cell, index) => `${index + 1}\t${cell}`), ''].join('\n');
const times = (count: number, cell: string): readonly string[] => Array.from({ length: count }, () => cell);

const importing = (cells: readonly string[], map: object = tags(), more: object = {}) =>
  ranFile(fileOf(cells), definitionOf([number, map], { max_new_segments: null, delimiter: 'tab', ...more }));

const replaced = tags({ transformations: [{ name: 'replace', from: '|', to: ';' }] });

const warning = {
  code: 'suspicious_values',
  field: 'tags',
  column: 'Interessen',
  row: null,
  line: null,
  message:
    'Interessen (tags): 24 % of 25 cells have "|" inside a value. ' +
    'If it separates values, set "split": "|" in the field map.',
};

describe('a list column that is split at the wrong separator', () => {
  const cells = [...times(6, 'Jazz|Abo'), ...times(19, 'Jazz;Abo'), ...times(30, '')];

  it('makes the job warn, on the job and first in the list of warnings', async () => {
    const { harness, id, job } = await importing(cells);
    expect(job.counts).toMatchObject({ status: 'complete', completed: 55 });
    expect(job.warnings).toEqual([warning]);
    expect((await harness.readWarnings(id, job.id)).warnings).toEqual([
      { ...warning, batch_job_uuid: null, file: 'visitors.csv', record: null },
    ]);
  });

  it('warns in a dry run too', async () => {
    const { job } = await importing(cells, tags(), { test_mode: true });
    expect(job.warnings).toEqual([warning]);
  });

  it('is counted once, although a batch is delivered again', async () => {
    const { harness, id, job } = await importing(cells);
    const [batch] = await harness.deps.imports.batches(7, job.id);
    await harness.importBatch({ v: 1, property: 7, job: job.id, batch: batch?.uuid ?? '' });
    await harness.workOff();
    expect((await harness.readJob(id, job.id)).warnings).toEqual([warning]);
  });

  it.each([
    [
      'if its map splits at that separator',
      tags({ split: '|' }),
      cells.slice(0, 6).concat(times(19, 'Jazz')),
    ],
    ['if a transformation replaces it', replaced, cells],
    ['if only a fifth of its cells contain one', tags(), [...times(5, 'a|b'), ...times(20, 'a')]],
    ['if it has fewer than 20 cells', tags(), times(19, 'a|b')],
    ['if it is no list', { ...tags(), target_field: 'extra_data.interests' }, cells],
  ])('does not warn %s', async (_, fieldMap, some) => {
    expect((await importing(some, fieldMap)).job.warnings).toEqual([]);
  });

  it.each([
    ['source', ';'],
    ['social_likes', ','],
    ['tags', '/'],
  ])('may be %s with %j', async (target_field, separator) => {
    const { job } = await importing(times(20, `a${separator}b`), { ...tags(), target_field });
    expect(job.warnings).toMatchObject([{ field: target_field }]);
    expect(job.warnings[0]?.message).toContain(`100 % of 20 cells have "${separator}"`);
  });
});

describe('the cells of lists', () => {
  const none: ListCells = { field: 'tags', column: 'Tags', ...noCells };
  const anyCells = fc.array(fc.array(fc.constantFrom('a', 'a|b', 'a,b', 'a/b|c', 'a;b')), { maxLength: 60 });

  it('have the same sums however they are divided into batches', () => {
    fc.assert(
      fc.property(anyCells, fc.nat(60), (cells, cut) => {
        const whole = cells.reduce(withCell, none);
        const parts = [cells.slice(0, cut), cells.slice(cut)].map((part) => [part.reduce(withCell, none)]);
        expect(parts.reduce(sumListCells, [])).toEqual([whole]);
      }),
    );
  });

  it('keep columns apart, and name the most frequent separator', () => {
    const likes = { ...none, field: 'social_likes', cells: 100, comma: 21 };
    const sum = sumListCells([{ ...none, cells: 30, pipe: 10, slash: 11 }, likes], [{ ...none, cells: 10 }]);
    expect(suspiciousColumns(sum)).toEqual([
      { field: 'tags', column: 'Tags', separator: '/', cells: 40, percent: 27 },
      { field: 'social_likes', column: 'Tags', separator: ',', cells: 100, percent: 21 },
    ]);
  });
});
