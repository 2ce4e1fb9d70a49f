import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileNotIdentities } from '../../shared/imports/rows/check-records.ts';
import { globMatches } from '../../shared/imports/files/file-glob.ts';
import { faultsOf } from './definition-bodies.ts';
import { begin, importHarness, withDefinition, ranFile } from './import-harness.ts';
import { download, edited, retried } from './retry-harness.ts';
import { definitionOf } from '../support/field-map.ts';

const definition = definitionOf(['unique_id', 'email', 'first_name']);

describe('a list of values that are nobody’s identity', () => {
  const texts = fc.stringMatching(/^[aB*?.@ ]{0,6}$/);

  it('matches as a plain filter does, value by value', () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 6 }), texts, (listed, value) => {
        const key = (text: string): string => text.trim().toLowerCase();
        // In a glob of file names, `?` is one character; here it is itself.
        const literal = (text: string): string => key(text).replaceAll('?', '#');
        const expected = listed.some((one) => globMatches(literal(one), literal(value)));
        expect(compileNotIdentities(listed)?.(value) ?? false).toBe(expected);
      }),
    );
  });

  it('takes no longer for patterns with many stars', () => {
    const isListed = compileNotIdentities([`${'a*'.repeat(150)}b`]);
    expect(isListed?.('a'.repeat(300))).toBe(false);
  });

  it.each([
    [['null'], []],
    [['*'], ['/not_identities/0 wrong_format']],
    [[' * * '], ['/not_identities/0 wrong_format']],
    [['a\tb'], ['/not_identities/0 bad_characters']],
    [['x'.repeat(321)], ['/not_identities/0 too_long']],
    [Array.from({ length: 201 }, (_, index) => `id ${index}`), ['/not_identities too_long']],
    [Array.from({ length: 200 }, () => '語'.repeat(320)), ['/not_identities too_long']],
  ])('has bounds: %#', async (not_identities, faults) => {
    expect(await faultsOf({ ...definition, not_identities })).toEqual(faults);
  });

  it.each([
    [1, []],
    [1_000, []],
    [null, []],
    [0, ['/max_addresses_per_id out_of_range']],
    [1_001, ['/max_addresses_per_id out_of_range']],
  ])('and the guard of ids has bounds: %s', async (max_addresses_per_id, faults) => {
    expect(await faultsOf({ ...definition, max_addresses_per_id })).toEqual(faults);
  });
});

const listing = { ...definition, not_identities: ['NULL', '*@venue.example', 'n/a'] };

describe('an identity that a definition lists', () => {
  it('is left out of its row with a warning, and the row that has no other is refused', async () => {
    const { harness, id } = await withDefinition(listing);
    const file =
      'unique_id,email,first_name\nNull,a@x.org,Ann\n null ,b@x.org,Bob\nK1,Desk@Venue.Example,Cyd\nNULL,desk@venue.example,Dan\nK2,n/a,Eve\n';
    const job = await harness.runFile(id, file);
    expect(job.counts).toMatchObject({ completed: 4, unserializable: 1 });
    expect(await harness.people()).toEqual([
      ['', 'Cyd'],
      ['', 'Eve'],
      ['a@x.org', 'Ann'],
      ['b@x.org', 'Bob'],
    ]);
    const { warnings } = await harness.readWarnings(id, job.id);
    expect(warnings.map(({ line, code, field }) => [line, code, field])).toEqual([
      [2, 'not_an_identity', 'unique_id'],
      [3, 'not_an_identity', 'unique_id'],
      [4, 'not_an_identity', 'email'],
      [6, 'not_an_identity', 'email'],
    ]);
    const { errors } = await harness.readErrors(id, job.id);
    expect(errors).toMatchObject([
      {
        line: 5,
        code: 'identity_missing',
        field: 'unique_id',
        column: 'unique_id',
        record: 'NULL,desk@venue.example,Dan',
      },
    ]);
    expect(job.refused_by).toMatchObject([{ code: 'identity_missing', field: 'unique_id', count: 1 }]);
  });

  it('can be corrected and sent again', async () => {
    const { harness, id, jobId: job } = await ranFile('unique_id,email,first_name\nNULL,n/a,Dan\n', listing);
    const place = { harness, importId: id, job };
    const list = await download(place);
    expect(list).toContain('NULL,n/a,Dan');
    await retried(
      place,
      edited(list, (row) => row.map((cell) => (cell === 'n/a' ? 'dan@x.org' : cell))),
    );
    await harness.workOff();
    expect(await harness.people()).toEqual([['dan@x.org', 'Dan']]);
  });

  it('does not count for a required field', async () => {
    const harness = importHarness();
    const required = {
      ...listing,
      mapping_fields: { ...listing.mapping_fields, required_fields: ['unique_id'] },
    };
    const { id } = await harness.define(required);
    const { id: job } = await harness.runFile(id, 'unique_id,email,first_name\nNULL,a@x.org,Ann\n');
    expect((await harness.readErrors(id, job)).errors).toMatchObject([
      {
        code: 'required',
        message: 'unique_id: Is required by the import definition, and stands for nobody (`not_identities`).',
      },
    ]);
  });

  it('is left out of the records of batches', async () => {
    const { harness, importId, job } = await begin(listing);
    await harness.store(job, [
      { unique_id: 'null', email: 'a@x.org', first_name: 'Ann' },
      { unique_id: 'NULL', email: 'b@x.org', first_name: 'Bob' },
      { unique_id: 'null', first_name: 'Nobody' },
    ]);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ completed: 2, unserializable: 1 });
    expect(await harness.people()).toEqual([
      ['a@x.org', 'Ann'],
      ['b@x.org', 'Bob'],
    ]);
  });

  it('never leads to a person who exists', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('NULL', 'null', 'K1', 'K2', ''), fc.integer({ min: 0, max: 3 })), {
          minLength: 1,
          maxLength: 8,
        }),
        async (rows) => {
          const harness = importHarness();
          const before = await harness.define(definition);
          await harness.runFile(before.id, 'unique_id,email,first_name\nnull,old@x.org,Olga\n');
          const after = await harness.define(listing);
          const file = rows.map(([id, person]) => `${id},p${person}@x.org,P${person}`).join('\n');
          await harness.runFile(after.id, `unique_id,email,first_name\n${file}\n`);
          expect(await harness.people()).toContainEqual(['old@x.org', 'Olga']);
        },
      ),
      { numRuns: 20 },
    );
  });
});
