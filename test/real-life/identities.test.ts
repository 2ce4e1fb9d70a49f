import { describe, expect, it } from 'vitest';
import { inspectFile, tryFile } from './try-file.ts';
import { importHarness } from '../imports/import-harness.ts';
import { definitionOf } from '../support/field-map.ts';

type Tried = Awaited<ReturnType<typeof tryFile>>;

/** First name or full name, address and id of each person, in the order of the names. */
const peopleOf = ({ stored }: Pick<Tried, 'stored'>) =>
  stored
    .map(({ fields }) => [fields.first_name ?? fields.full_name, fields.email, fields.unique_id])
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));

/** The doubts of a column: how many cells, and the examples. */
const doubtsOf = ({ doubts }: Pick<Tried, 'doubts'>, column: string) =>
  doubts.filter((doubt) => doubt.column === column).map(({ cells, examples }) => [cells, examples]);

const targetsOf = ({ inspected }: Pick<Tried, 'inspected'>) =>
  Object.fromEntries(inspected.suggestion.columns.map(({ column, target_field }) => [column, target_field]));

const listOf = ({ inspected }: Pick<Tried, 'inspected'>) => inspected.suggestion.definition?.not_identities;

describe('a placeholder is no id', () => {
  it.each([
    'NULL',
    '#N/A',
    'None',
    '#NAME?',
    '\\N',
    '(blank)',
    '[object Object]',
    '000000',
    '-',
    'k.A.',
    'TBD',
  ])('three people with the id %s are three people', async (word) => {
    const tried = await tryFile(
      `Customer ID,Email,First Name\n${word},ida@example.org,Ida\n${word},jon@example.org,Jon\nK-31,kim@example.org,Kim\n${word},lea@example.org,Lea\n`,
    );
    expect(peopleOf(tried)).toEqual([
      ['Ida', 'ida@example.org', null],
      ['Jon', 'jon@example.org', null],
      ['Kim', 'kim@example.org', 'K-31'],
      ['Lea', 'lea@example.org', null],
    ]);
    expect(listOf(tried)).toEqual([word.toLowerCase()]);
    expect(doubtsOf(tried, 'Customer ID')).toEqual([[3, [word]]]);
    expect(tried.warnings.map(({ line, code }) => [line, code])).toEqual([
      [2, 'not_an_identity'],
      [3, 'not_an_identity'],
      [5, 'not_an_identity'],
    ]);
  });

  it('nor in German, nor in the column of addresses', async () => {
    const tried = await tryFile(
      'Kundennr;E-Mail;Vorname\nunbekannt;a@example.org;Ann\nUnbekannt;b@example.org;Bob\n4711;keine;Dan\n4712;noreply@shop.example;Eve\n4713;noreply@shop.example;Fay\n',
    );
    expect(peopleOf(tried)).toEqual([
      ['Ann', 'a@example.org', null],
      ['Bob', 'b@example.org', null],
      ['Dan', null, '4711'],
      ['Eve', null, '4712'],
      ['Fay', null, '4713'],
    ]);
    expect(listOf(tried)).toEqual(['unbekannt', 'keine', 'noreply@shop.example']);
  });

  it('and a list that lacks it is not silent', async () => {
    const { warnings, stored } = await tryFile(
      'Customer ID,Email,First Name\nNULL,ida@example.org,Ida\nNULL,jon@example.org,Jon\nK1,noreply@example.org,Kim\n',
      { change: { not_identities: [] } },
    );
    expect(warnings.map(({ line, code, field }) => [line, code, field])).toEqual([
      [2, 'looks_like_no_identity', 'unique_id'],
      [3, 'looks_like_no_identity', 'unique_id'],
      [4, 'looks_like_no_identity', 'email'],
    ]);
    // The contract: identities are imported as stated.
    expect(stored).toHaveLength(2);
  });

  it('and any id that comes with several addresses of different people is listed', async () => {
    const tried = await tryFile(
      'customer_id,email,first_name\nLEGACY,a@example.org,Ann\nLEGACY,b@example.org,Bob\nK7,c@example.org,Cyd\nK8,d@example.org,Dan\nK8,d2@example.org,Dan\n',
    );
    expect(listOf(tried)).toEqual(['legacy']);
    expect(peopleOf(tried).map(([name]) => name)).toEqual(['Ann', 'Bob', 'Cyd', 'Dan']);
  });

  it('and never overwrites people who exist', async () => {
    const harness = importHarness();
    const old = definitionOf(['unique_id', 'email', 'first_name']);
    const { id } = await harness.define(old);
    await harness.runFile(id, 'unique_id,email,first_name\nNULL,old@example.org,Olga\n');
    await tryFile('unique_id,email,first_name\nNULL,a@example.org,Ann\nNULL,b@example.org,Bob\n', {
      harness,
    });
    expect(await harness.people()).toEqual([
      ['a@example.org', 'Ann'],
      ['b@example.org', 'Bob'],
      ['old@example.org', 'Olga'],
    ]);
  });

  it('and a value of a template or of stars leaves the suggestion a body that `POST imports` takes', async () => {
    const words = ['***', '*|ID|*', '{{id}}', '\u00ad', 'a\u0007b', '?'.repeat(400)];
    const rows = words.flatMap((word, index) => [
      `${word},a${index}@example.org`,
      `${word},b${index}@example.org`,
    ]);
    const { inspected } = await tryFile(`Customer ID,Email\n${rows.join('\n')}\n`);
    expect(inspected.suggestion.definition?.not_identities).toEqual(['*|id|*', '{{id}}']);
  });
});

describe('an id that a spreadsheet has rounded', () => {
  it.each([
    ['1.23457E+12', ','],
    ['1,23457E+12', ';'],
    ['4.5e+15', ';'],
  ])('is no person: %s', async (id, by) => {
    const rows = [
      ['Customer ID', 'Email', 'First Name'],
      [id, 'abel@example.org', 'Abel'],
      [id, 'bea@example.org', 'Bea'],
      [id.replace('5', '6'), 'carl@example.org', 'Carl'],
    ];
    const tried = await tryFile(rows.map((row) => `${row.join(by)}\n`).join(''));
    expect(peopleOf(tried)).toEqual([
      ['Abel', 'abel@example.org', null],
      ['Bea', 'bea@example.org', null],
      ['Carl', 'carl@example.org', null],
    ]);
    expect(targetsOf(tried)['Customer ID']).toBe('extra_data.Customer ID');
    expect(doubtsOf(tried, 'Customer ID')).toMatchObject([[3, [id, expect.any(String)]]]);
  });

  it('is listed where most ids are whole', async () => {
    const others = Array.from({ length: 12 }, (_, index) => `K${index},k${index}@example.org\n`).join('');
    const tried = await tryFile(
      `Customer ID,Email\n1.23457E+12,a@example.org\n1.23457E+12,b@example.org\n${others}`,
    );
    expect(listOf(tried)).toEqual(['1.23457e+12']);
    expect(doubtsOf(tried, 'Customer ID')).toEqual([[2, ['1.23457E+12']]]);
    expect(tried.stored).toHaveLength(14);
  });

  it('is refused where nothing else says whose record a row is', async () => {
    const tried = await tryFile('id,name\n1.23457E+12,Ann Au\n1.23457E+12,Bob Bau\nX7,Cyd Cau\n');
    expect(peopleOf(tried)).toEqual([['Cyd Cau', null, 'X7']]);
    expect(tried.errors.map(({ line, code, column }) => [line, code, column])).toEqual([
      [2, 'identity_missing', 'id'],
      [3, 'identity_missing', 'id'],
    ]);
  });

  it.each([
    ['with addresses', ['12345678901234500000,a@example.org', '12345678901234500000,b@example.org'], 2],
    ['of sixteen digits', ['1234567890123450,', '1234567890123460,', '1234567890123470,'], 0],
    ['without addresses', ['98765432109876000000,', '98765432109876000000,', 'K1,'], 1],
  ])('may have zeros in the place of the lost digits: %s', async (_, rows, people) => {
    const tried = await tryFile(`Customer ID,Email\n${rows.join('\n')}\n`);
    expect(tried.stored).toHaveLength(people);
    expect(JSON.stringify(tried.stored.map(({ fields }) => fields))).not.toContain('0000');
    expect(tried.doubts[0]?.saw).toMatch(/^A spreadsheet has rounded/);
  });

  it.each([
    ['one number with zeros', ['1234567890123400', 'K2']],
    ['long numbers of which some have zeros', ['12345678901234500000', '12345678901234512345']],
    ['card numbers', ['6011000990139420', '6011000990139421']],
  ])('is not suspected of %s', async (_, ids) => {
    const { stored, doubts } = await tryFile(
      `Customer ID,Email\n${ids.map((id, index) => `${id},p${index}@example.org\n`).join('')}`,
    );
    expect(stored.map(({ fields }) => fields.unique_id)).toEqual(ids);
    expect(doubts).toEqual([]);
  });

  it('and one that a program has made decimal is said', async () => {
    const tried = await tryFile('customer_id,email\n70001.0,a@example.org\n70002.0,b@example.org\n');
    expect(doubtsOf(tried, 'customer_id')).toEqual([[2, ['70001.0', '70002.0']]]);
    expect(tried.warnings.map(({ code }) => code)).toEqual([
      'looks_like_no_identity',
      'looks_like_no_identity',
    ]);
    expect(tried.stored.map(({ fields }) => fields.unique_id)).toEqual(['70001.0', '70002.0']);
  });
});

describe('orders', () => {
  it('are no people: the numbers of the order are kept, and the address is the person', async () => {
    const tried = await tryFile(
      'Name,Email,Total,Billing Name,Id\n#1001,alma@example.org,40.00,Alma Beck,501\n#1002,alma@example.org,12.00,Alma Beck,502\n#1003,bruno@example.org,9.50,Bruno Cole,503\n',
    );
    expect(targetsOf(tried)).toMatchObject({ Name: 'extra_data.Name', Id: 'extra_data.Id' });
    expect(peopleOf(tried)).toEqual([
      ['Alma Beck', 'alma@example.org', null],
      ['Bruno Cole', 'bruno@example.org', null],
    ]);
    expect(JSON.stringify(tried.stored.map(({ fields }) => fields))).not.toContain('#100');
    expect(doubtsOf(tried, 'Id')).toEqual([[2, ['501', '502']]]);
    expect(doubtsOf(tried, 'Name')).toEqual([[3, ['#1001', '#1002', '#1003']]]);
  });

  it('leave the place to the number of the customer', async () => {
    const tried = await tryFile(
      'ID,Customer ID,Email\n1,K1,a@example.org\n2,K1,a@example.org\n3,K2,b@example.org\n4,K2,b@example.org\n',
    );
    expect(targetsOf(tried)).toMatchObject({ ID: 'extra_data.ID', 'Customer ID': 'unique_id' });
    expect(tried.stored).toHaveLength(2);
  });

  it('are seen without names of people', async () => {
    const tried = await tryFile(
      'Id,Email,Total\nORD-1,a@example.org,3\nORD-2,a@example.org,4\nORD-3,b@example.org,5\n',
    );
    expect(targetsOf(tried)['Id']).toBe('extra_data.Id');
    expect(tried.stored).toHaveLength(2);
  });

  it('are what the request says they are', async () => {
    const file = 'Id,Email,Total\nORD-1,a@example.org,3\nORD-2,a@example.org,4\n';
    const { suggestion } = await inspectFile(file, importHarness(), { Id: 'unique_id' });
    expect(suggestion.columns[0]).toMatchObject({ column: 'Id', target_field: 'unique_id' });
    expect(suggestion.doubts.map(({ column, cells }) => [column, cells])).toEqual([['Email', 2]]);
  });

  it('are not the one customer of many who is there twice', async () => {
    const others = Array.from({ length: 60 }, (_, index) => `K${index},k${index}@example.org,Kim\n`).join('');
    const tried = await tryFile(`Id,Email,Name\nA1,a@example.org,Ann\nA2,a@example.org,Ann\n${others}`);
    expect(targetsOf(tried)['Id']).toBe('unique_id');
    expect(doubtsOf(tried, 'Email')).toEqual([[2, ['a@example.org']]]);
  });
});

describe('addresses of several people', () => {
  it('of a household leave each person the own id, and are said', async () => {
    const tried = await tryFile(
      'Member ID,First name,Last name,Email\nM1,Ann,Hill,hill@example.org\nM2,Bob,Hill,hill@example.org\nM3,Cyd,Dale,cyd@example.org\n',
    );
    expect(peopleOf(tried)).toEqual([
      ['Ann', 'hill@example.org', 'M1'],
      ['Bob', null, 'M2'],
      ['Cyd', 'cyd@example.org', 'M3'],
    ]);
    expect(listOf(tried)).toEqual([]);
    expect(doubtsOf(tried, 'Email')).toEqual([[2, ['hill@example.org']]]);
  });

  it.each([
    'boxoffice@venue.example',
    'info@venue.example',
    'theaterkasse@haus.example',
    'jane@venue.example',
  ])('of an office are no identity: %s', async (address) => {
    const tried = await tryFile(
      `Customer number,Name,Email\n1,Ann Hill,${address}\n2,Bob Dale,${address}\n3,Cyd Vale,${address}\n4,Dan Moor,dan@example.org\n`,
    );
    expect(peopleOf(tried)).toEqual([
      ['Ann Hill', null, '1'],
      ['Bob Dale', null, '2'],
      ['Cyd Vale', null, '3'],
      ['Dan Moor', 'dan@example.org', '4'],
    ]);
    expect(listOf(tried)).toEqual([address]);
    expect(doubtsOf(tried, 'Email')).toEqual([[3, [address]]]);
  });

  it('without ids: those of an office are refused, and those of a household are said', async () => {
    const tried = await tryFile(
      'Name,Email\nAnn Hill,tickets@venue.example\nBob Dale,tickets@venue.example\nCyd Vale,cyd@example.org\nDee Lake,lake@example.org\nEli Lake,lake@example.org\n',
    );
    expect(tried.errors.map(({ line, code }) => [line, code])).toEqual([
      [2, 'identity_missing'],
      [3, 'identity_missing'],
    ]);
    expect(doubtsOf(tried, 'Email')).toEqual([
      [2, ['tickets@venue.example']],
      [2, ['lake@example.org']],
    ]);
  });

  it('show that a column numbers groups and not people', async () => {
    const rows = ['H1', 'H1', 'H2', 'H2', 'H3', 'H3', 'H4'].map(
      (id, index) => `${id},p${index}@example.org,Person ${'ABCDEFG'.charAt(index)}\n`,
    );
    const tried = await tryFile(`id,email,name\n${rows.join('')}`);
    expect(targetsOf(tried)['id']).toBe('extra_data.id');
    expect(tried.stored).toHaveLength(7);
    expect(doubtsOf(tried, 'id')).toEqual([[3, ['H1', 'H2', 'H3']]]);
  });
});

it('a clean file has neither doubts nor a list', async () => {
  const rows = Array.from({ length: 300 }, (_, index) => `K${index},k${index}@example.org,Kim,Lee\n`);
  const tried = await tryFile(`Customer ID,Email,First name,Last name\n${rows.join('')}`);
  expect([tried.doubts, listOf(tried), tried.warnings]).toEqual([[], [], []]);
});
