import { describe, expect, it } from 'vitest';
import { importHarness } from '../imports/import-harness.ts';
import { inspectFile, tryFile } from './try-file.ts';
import { definitionOf } from '../support/field-map.ts';

const several = 'Several columns of this name have values.';
const surplus = 'Another column of this name is taken. Give each column a name of its own.';

describe('several columns of one name', () => {
  it.each<[string, string, object, readonly [string, readonly string[]]]>([
    [
      'telephone numbers',
      'Name,Email,Phone,Phone\nYara Holm,yara@example.org,+44 20 7946 0171,+44 20 7946 0172\n',
      { full_name: 'Yara Holm', phone_number: '+442079460171' },
      ['Phone', ['+44 20 7946 0172']],
    ],
    [
      'cities of two addresses in German',
      'E-Mail;Vorname;Ort;PLZ;Ort\nuta@example.org;Uta;Ulm;89073;Bonn\n',
      { first_name: 'Uta', city: 'Ulm', zipcode: '89073' },
      ['Ort', ['Bonn']],
    ],
    [
      'the first without a value',
      'Prénom,Courriel,Ville,Ville,Ville\nZoé,zoe@example.org,,Nantes,Brest\nLuc,luc@example.org,,Nantes,\n',
      { first_name: 'Zoé', city: 'Nantes' },
      ['Ville', ['Brest']],
    ],
    [
      'names that only look different',
      'Email,First Name,First\u00a0Name\u200b\nwim@example.org,Wim,Willem\n',
      { first_name: 'Wim' },
      ['First Name', ['Willem']],
    ],
    [
      'addresses',
      'Email,City,Email\nvera@example.org,Oslo,vera.work@example.org\n',
      { email: 'vera@example.org', city: 'Oslo' },
      ['Email', ['vera.work@example.org']],
    ],
  ])(
    'are filled by the first with values, and it is said: %s',
    async (_, file, fields, [column, examples]) => {
      const { stored, doubts, errors, warnings, job } = await tryFile(file);
      expect({ errors, warnings, status: job?.counts.status }).toEqual({
        errors: [],
        warnings: [],
        status: 'complete',
      });
      expect(stored[0]?.fields).toMatchObject(fields);
      expect(doubts.filter(({ saw }) => saw === several)).toMatchObject([
        { column, cells: examples.length, examples },
      ]);
    },
  );

  it('without a field are extra data once', async () => {
    const { stored, inspected } = await tryFile('Email,Row,Row\nann@example.org,A,B\n');
    expect(stored[0]?.extra).toEqual({ Row: 'A' });
    expect(inspected.suggestion.columns[2]).toEqual({
      column: 'Row',
      kind: 'left_out',
      target_field: null,
      why: [surplus],
    });
  });

  it('are no doubt if the others are empty', async () => {
    const { stored, doubts } = await tryFile(
      'Email,City,City\nann@example.org,Rome,\nbob@example.org,Ulm,\n',
    );
    expect(stored.map(({ fields }) => fields.city)).toEqual(['Rome', 'Ulm']);
    expect(doubts).toEqual([]);
  });

  it('are what the request says: the first with values fills the field, or all are left out', async () => {
    const file = 'Email,Nr,Nr\nann@example.org,,7\n';
    const asked = await inspectFile(file, importHarness(), { Nr: 'unique_id' });
    expect(asked.suggestion.definition?.mapping_fields.field_maps[1]).toMatchObject({
      sources: [{ name: 'Nr', occurrence: 2 }],
      target_field: 'unique_id',
    });
    const refused = await inspectFile(file, importHarness(), { Nr: null });
    expect(refused.suggestion.columns.map(({ target_field }) => target_field)).toEqual(['email', null, null]);
    expect(refused.suggestion.doubts).toEqual([]);
  });
});

describe('a definition that names one of several columns', () => {
  const column = (name: string, occurrence?: number) => ({
    type: 'source_field',
    name,
    ...(occurrence !== undefined && { occurrence }),
  });
  const run = async (file: string, sources: readonly object[]) => {
    const harness = importHarness();
    const definition = definitionOf([
      { sources: [column('email')], target_field: 'email' },
      { sources, target_field: 'city' },
    ]);
    const { id } = await harness.define(definition);
    const job = await harness.runFile(id, file);
    const found = await tryFile('email\nnobody@example.org\n', { harness });
    return { job, cities: found.stored.slice(0, -1).map(({ fields }) => fields.city) };
  };
  const file = 'email,city,city\na@example.org,Rome,Ulm\n';

  it.each([
    [[column('city', 1)], 'Rome'],
    [[column('city', 2)], 'Ulm'],
    [[column('city', 2), column('city', 1)], 'Ulm Rome'],
  ])('reads that one: %j', async (sources, city) => {
    const { job, cities } = await run(file, sources);
    expect([job.counts.status, cities]).toEqual(['complete', [city]]);
  });

  it('reads the only one, too', async () => {
    const { cities } = await run('email,city\na@example.org,Rome\n', [column('city', 1)]);
    expect(cities).toEqual(['Rome']);
  });

  it('fails for a file that has too few, or several that it does not tell apart', async () => {
    const few = await run(file, [column('city', 3)]);
    expect(few.job.failure).toMatchObject({ code: 'missing_column', line: 1 });
    expect(few.job.failure?.message).toContain(
      'Columns missing in the header: "city" (too few of this name).',
    );
    const both = await run(file, [column('city')]);
    expect(both.job.failure).toMatchObject({ code: 'duplicate_column', line: 1 });
  });
});
