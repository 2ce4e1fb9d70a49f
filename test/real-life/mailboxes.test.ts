import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMailbox } from '../../shared/imports/mapping/read-mailboxes.ts';
import { isEmail } from '../../shared/http/text.ts';
import { inspectFile, tryFile } from './try-file.ts';
import { fieldMap } from '../support/field-map.ts';

const saw = 'Names, brackets or `mailto:` around e-mail addresses.';
const does = 'The address alone is stored. A name beside it is not stored.';
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const fileOf = (header: string, cells: readonly string[]): string =>
  `${header};Kaupunki\n${cells.map((cell) => `${quoted(cell)};Oulu\n`).join('')}`;

const cells = [
  'Päivi Virtanen <paivi@example.fi>',
  '"Lehtonen, Jyrki" <jyrki@example.fi>',
  'Åkerlund, Aino (aino@example.fi)',
  '<Eero@Example.fi>',
  'mailto:maija@example.fi',
  'olli@example.fi',
];
const addresses = ['paivi', 'jyrki', 'aino', 'eero', 'maija', 'olli'].map((name) => `${name}@example.fi`);

describe('mailboxes in a file', () => {
  it.each(['Jäsen', 'Email', 'Name', 'x7'])(
    'are addresses, whatever their column is called: %s',
    async (name) => {
      const { inspected, stored, doubts, errors } = await tryFile(fileOf(name, cells));
      expect(errors).toEqual([]);
      expect(stored.map(({ fields }) => fields.email)).toEqual(addresses);
      expect(inspected.suggestion.has_identity).toBe(true);
      expect(doubts).toEqual([{ column: name, saw, cells: 5, examples: cells.slice(0, 3), does }]);
    },
  );

  it('are addresses where the request says so', async () => {
    const { suggestion } = await inspectFile(fileOf('Jäsen', cells), undefined, { Jäsen: 'email' });
    expect(suggestion.definition?.mapping_fields.field_maps[0]).toEqual(
      fieldMap('email', 'Jäsen', { transformations: [{ name: 'mailbox' }] }),
    );
  });

  it('are read with references, marks and several addresses in other cells', async () => {
    const { stored, errors } = await tryFile(
      fileOf('Jäsen', [
        'Aino &lt;aino@example.fi&gt;',
        '"Lehtonen, Jyrki" <jyrki@example.fi>',
        'eero@example.fi, eero@work.example',
      ]),
    );
    expect(errors).toEqual([]);
    expect(stored.map(({ fields }) => fields.email)).toEqual([
      'aino@example.fi',
      'jyrki@example.fi',
      'eero@example.fi',
    ]);
  });

  it('with two addresses are refused', async () => {
    const { stored, errors } = await tryFile(
      fileOf('Jäsen', [...cells, 'Aino <aino2@example.fi>, Eero <eero2@example.fi>']),
      { targets: { Jäsen: 'email' } },
    );
    expect(stored).toHaveLength(cells.length);
    expect(errors).toMatchObject([{ code: 'not_an_email', column: 'Jäsen' }]);
  });

  it('of nobody and of an office are found', async () => {
    const { inspected } = await tryFile(
      [
        'Nimi,Jäsen',
        'Aino Aho,Teatteri <info@example.fi>',
        'Eero Elo,info@example.fi',
        'Olli Oja,No reply <noreply@example.fi>',
        'Outi Oja,outi@example.fi',
        'Pia Palo,pia@example.fi',
        '',
      ].join('\n'),
    );
    expect(inspected.suggestion.definition?.not_identities.toSorted()).toEqual([
      'info@example.fi',
      'noreply@example.fi',
    ]);
  });

  it('say the country of telephone numbers', async () => {
    const numbers = ['0731 440 101', '0732 441 207', '0728 442 313', '0749 443 419'];
    const lines = numbers.map((number, at) => `Ana (p${at}@example.ro);${number}\n`);
    const { suggestion } = await inspectFile(`E-Mail;Telefon\n${lines.join('')}`);
    expect(suggestion.definition?.mapping_fields.field_maps[1]?.transformations).toEqual([
      { name: 'phone', country: 'RO' },
    ]);
  });

  it('of one address are one, whatever name stands beside it', async () => {
    const people = ['Ana Pop', 'Ion Rusu', 'Mara Stan', 'Dan Luca', 'Ilinca Dinu', 'Radu Ene'];
    const lines = people.map((person, at) => {
      const own = at < 3 ? 'desk@example.ro' : `p${at}@example.ro`;
      return `${person} <${own}>;${person};7${at}\n`;
    });
    const { suggestion } = await inspectFile(`E-mail;Persoana;Cod\n${lines.join('')}`);
    expect(suggestion.doubts.map(({ saw: seen, cells: count }) => [seen.slice(0, 27), count])).toContainEqual(
      ['The rows of one address dif', 3],
    );
  });

  it('in angle brackets make no line of units', async () => {
    const { stored, doubts } = await tryFile('Email\n<a@example.fi>\n<b@example.fi>\n');
    expect(stored.map(({ fields }) => fields.email)).toEqual(['a@example.fi', 'b@example.fi']);
    expect(doubts).toMatchObject([{ saw, cells: 2 }]);
  });
});

describe('columns that are no mailboxes', () => {
  it.each([
    ['Note', ['Call <anna@example.fi> and ask', 'Said (b@example.fi) is old']],
    ['Assistant', ['Aino <aino@example.fi>', 'Eero <eero@example.fi>']],
  ])('are extra data: %s', async (name, values) => {
    const { inspected } = await tryFile(
      `Email,${name}\n${values.map((cell, index) => `p${index}@example.fi,${cell}\n`).join('')}`,
    );
    expect(inspected.suggestion.columns[1]).toMatchObject({ target_field: `extra_data.${name}` });
    expect(inspected.suggestion.definition?.mapping_fields.field_maps[1]).not.toHaveProperty(
      'transformations',
    );
  });
});

describe('the transformation mailbox', () => {
  it.each([
    ['Aino <a@example.fi>', 'a@example.fi'],
    ['Aino<a@example.fi>', 'a@example.fi'],
    [' "Aho, Aino (work)" < a@example.fi > ', 'a@example.fi'],
    ['Aino <a@example.fi>;', 'a@example.fi'],
    ['Aino <mailto:a@example.fi>', 'a@example.fi'],
    ['a@example.fi (Aino)', 'a@example.fi'],
    ['Aino <a@example.fi> (work)', 'a@example.fi'],
    ['(a@example.fi)', 'a@example.fi'],
    ['MAILTO:A@Example.fi', 'A@Example.fi'],
    ['a@example.fi <A@example.fi>', 'A@example.fi'],
    ["'d'arcy@example.ie' <d'arcy@example.ie>", "d'arcy@example.ie"],
    ['Aino @ Work <a@example.fi>', 'a@example.fi'],
    ['Käyttäjä <käyttäjä@esimerkki.fi>', 'käyttäjä@esimerkki.fi'],
  ])('takes out of %j the address %j', (text, expected) => {
    expect(readMailbox(text)).toBe(expected);
  });

  it.each([
    ...[
      'a@example.fi',
      ' a@example.fi ',
      '',
      'Aino',
      'Aino <>',
      'Aino <aino>',
      '<a@example.fi',
      'a@example.fi>',
    ],
    ...['a@example.fi, b@example.fi', 'A <a@example.fi>, B <b@example.fi>', 'b@example.fi <a@example.fi>'],
    ...['Aino <a@example.fi> b@example.fi', 'a@example.fi (b@example.fi)', 'Aino@Work <a@example.fi>'],
    ...['mailto:a@example.fi?cc=b@example.fi', 'mailto:a%2Bb@example.fi', 'mailto:a@example.fi,b@example.fi'],
    ...['Aino a@example.fi', 'Call <a@example.fi> and ask', '<a@example.fi> <b@example.fi>'],
    ...['b@example.fi@ <a@example.fi>', 'b@example.fi@@ (a@example.fi)'],
  ])('leaves %j as it is', (text) => {
    expect(readMailbox(text)).toBe(text);
  });

  it('makes an address of a text or nothing', () => {
    const part = fc.constantFrom(
      ...['a@example.fi', 'b@example.fi', 'Aino', '<', '>', '(', ')', '"', ' ', ',', ';', 'mailto:', '@'],
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
        (text) => {
          const read = readMailbox(text);
          if (read === text) return;
          expect(isEmail(read.toLowerCase())).toBe(true);
          const others = text.match(/[ab]@example\.fi/gu)?.filter((other) => !read.includes(other)) ?? [];
          expect(others).toEqual([]);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('takes time in proportion to the length of the text', () => {
    for (const sign of ['<', '(', '>', ')', '@', ' ', 'a@', '<a@b.fi>', ', ']) {
      const text = sign.repeat(200_000);
      expect(readMailbox(text)).toBe(text);
    }
  });
});
