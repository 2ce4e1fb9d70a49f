import { describe, expect, it } from 'vitest';
import { importHarness, withDefinition, ranFile } from './import-harness.ts';
import { definitionOf, fieldMap } from '../support/field-map.ts';

const visitors = [
  fieldMap('email', 'E-Mail', { on_bad_value: 'drop_cell' }),
  fieldMap('unique_id', 'Kundennr'),
  fieldMap('first_name', 'Vorname', { erase: true }),
  fieldMap('age', 'Alter', { on_bad_value: 'drop_cell' }),
];

describe('a file with bad cells that may be dropped', () => {
  const file = 'Kundennr,E-Mail,Vorname,Alter\n1,a@x.org,Ann,ca. 50\n,unbekannt,Bea,40\n3,c@x.org,Cyd,30\n';

  it('is stored without them, and lists each of them', async () => {
    const { harness, job, errors, warnings } = await ranFile(file, definitionOf(visitors));
    expect(job.counts).toMatchObject({ status: 'complete-with-errors', completed: 2, unserializable: 1 });
    expect(warnings).toMatchObject([
      {
        row: 1,
        field: 'age',
        column: 'Alter',
        code: 'dropped_cell',
        message: 'Alter (age): Must be a whole number, 0 to 150. The cell was dropped.',
        record: '1,a@x.org,Ann,ca. 50',
      },
    ]);
    expect(errors).toMatchObject([{ row: 2, field: 'email', column: 'E-Mail', code: 'not_an_email' }]);
    expect(await harness.people()).toEqual([
      ['a@x.org', 'Ann'],
      ['c@x.org', 'Cyd'],
    ]);
  });

  it('lists them in a dry run too', async () => {
    const { harness, warnings } = await ranFile(file, definitionOf(visitors, { test_mode: true }));
    expect(warnings).toMatchObject([{ row: 1, column: 'Alter' }]);
    expect(await harness.people()).toEqual([]);
  });
});

describe('an empty cell of a file', () => {
  it('erases a value if its map says so, and a bad cell or a missing cell keeps it', async () => {
    const { harness, id } = await withDefinition(definitionOf(visitors));
    const header = 'Kundennr,E-Mail,Alter,Vorname\n';
    await harness.runFile(id, `${header}1,a@x.org,,Ann\n2,b@x.org,,Bea\n3,c@x.org,,Cyd\n`);
    await harness.runFile(id, `${header}1,,,\n2,bad,,Bob\n3,,\n`);
    expect(await harness.people()).toEqual([
      ['a@x.org', null],
      ['b@x.org', 'Bob'],
      ['c@x.org', 'Cyd'],
    ]);
  });
});

describe('the columns of a file', () => {
  it('are named in faults that appear when a row is stored, and in warnings of stored rows', async () => {
    const harness = importHarness();
    const maps = [fieldMap('unique_id', 'Kundennr'), fieldMap('email', 'E-Mail')];
    const { id } = await harness.define(definitionOf(maps));
    const job = await harness.runFile(id, 'Kundennr,E-Mail\n1,family@x.org\n2,family@x.org\n');
    expect((await harness.readWarnings(id, job.id)).warnings).toMatchObject([
      { row: 2, code: 'identity_conflict', field: 'email', column: 'E-Mail' },
    ]);
  });
});
