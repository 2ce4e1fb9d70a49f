import { describe, expect, it } from 'vitest';
import { suggestReferences } from '../../shared/imports/inspect/suggest/suggest-references.ts';
import { compileTransformations } from '../../shared/imports/mapping/transformations.ts';
import { inspectFile, tryFile } from './try-file.ts';
import { fieldMap, mappingOf } from '../support/field-map.ts';

const saw = 'HTML character references, with which web pages write characters.';
const fileOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

describe('HTML character references in a file', () => {
  it('are decoded in each column, and it is said', async () => {
    const { stored, doubts, errors, warnings } = await tryFile(
      fileOf([
        'Email,First Name,Last Name,City,Seat',
        'f@example.ie,Fran&ccedil;oise,M&uuml;ller,D&uacute;n Laoghaire,Row A &#8211; left',
        'l@example.ie,Liam,D&#039;Arcy,Cork,Row B',
        's@example.ie,Se&#xE1;n,AT&T,Bray & Greystones,R&D',
      ]),
    );
    expect(errors).toEqual([]);
    expect(warnings).toEqual([]);
    expect(
      stored.map(({ fields, extra }) => [fields.first_name, fields.last_name, fields.city, extra['Seat']]),
    ).toEqual([
      ['Françoise', 'Müller', 'Dún Laoghaire', 'Row A – left'],
      ['Liam', "D'Arcy", 'Cork', 'Row B'],
      ['Seán', 'AT&T', 'Bray & Greystones', 'R&D'],
    ]);
    expect(doubts).toEqual([
      {
        column: 'First Name',
        saw,
        cells: 2,
        examples: ['Fran&ccedil;oise', 'Se&#xE1;n'],
        does: 'They are decoded: "Fran&ccedil;oise" becomes "Françoise".',
      },
      {
        column: 'Last Name',
        saw,
        cells: 2,
        examples: ['M&uuml;ller', 'D&#039;Arcy'],
        does: 'They are decoded: "M&uuml;ller" becomes "Müller".',
      },
      {
        column: 'City',
        saw,
        cells: 1,
        examples: ['D&uacute;n Laoghaire'],
        does: 'They are decoded: "D&uacute;n" becomes "Dún".',
      },
      {
        column: 'Seat',
        saw,
        cells: 1,
        examples: ['Row A &#8211; left'],
        does: 'They are decoded: "&#8211;" becomes "–".',
      },
    ]);
  });

  it('are decoded before a list is split', async () => {
    const { stored } = await tryFile(
      fileOf([
        'Email,Tags',
        'a@example.org,Folk &amp; Roots;Opera',
        'b@example.org,R&amp;B',
        'c@example.org,Caf&eacute; nights',
      ]),
    );
    expect(stored.map(({ tags }) => tags.map(({ tag }) => tag).toSorted())).toEqual([
      ['Folk & Roots', 'Opera'],
      ['R&B'],
      ['Café nights'],
    ]);
  });

  it('hide no separator of a list', async () => {
    const { stored } = await tryFile(
      fileOf([
        'Email,Tags',
        'a@example.org,Folk &amp; Roots|Opera',
        'b@example.org,R&amp;B|Soul',
        'c@example.org,Caf&eacute;|Film',
      ]),
    );
    expect(stored.map(({ tags }) => tags.map(({ tag }) => tag).toSorted())).toEqual([
      ['Folk & Roots', 'Opera'],
      ['R&B', 'Soul'],
      ['Café', 'Film'],
    ]);
  });

  it('hide no address, no date, no country and no other mark', async () => {
    const { inspected, stored, doubts, errors } = await tryFile(
      fileOf([
        'Who,Birthday,Country,Zip,Phone',
        'siobhan.o&#039;brien@example.ie,1980&#45;01&#45;02,C&ocirc;te d&#039;Ivoire,&#39;04101,27 20 30 40 50',
        'cait.o&#039;dea&#64;example.ie,1981-02-03,C&ocirc;te d&rsquo;Ivoire,&#39;04102,27 20 30 40 51',
      ]),
    );
    expect(errors).toEqual([]);
    expect(inspected.suggestion.has_identity).toBe(true);
    expect(doubts.filter(({ column }) => column === 'Phone')).toEqual([]);
    expect(
      stored.map(({ fields, country }) => [
        fields.email,
        fields.birthday,
        country,
        fields.zipcode,
        fields.phone_number,
      ]),
    ).toEqual([
      ["siobhan.o'brien@example.ie", '1980-01-02', 'CI', '04101', '+2252720304050'],
      ["cait.o'dea@example.ie", '1981-02-03', 'CI', '04102', '+2252720304051'],
    ]);
  });

  it('leave spaces that are stripped, and cells with nothing else are empty', async () => {
    const { inspected, stored } = await tryFile(
      fileOf(['Email,City,Note', 'a@example.org,&nbsp;Cork,&nbsp;', 'b@example.org,Bray,&nbsp;']),
    );
    expect(stored.map(({ fields, extra }) => [fields.city, extra])).toEqual([
      ['Cork', {}],
      ['Bray', {}],
    ]);
    expect(inspected.suggestion.columns[2]).toMatchObject({ column: 'Note', kind: 'empty' });
  });

  it('that were encoded twice are decoded once, and it is said', async () => {
    const { stored, doubts } = await tryFile(
      fileOf(['Email,City', 'a@example.org,Bray &amp;amp; Greystones', 'b@example.org,Cork']),
    );
    expect(stored[0]?.fields.city).toBe('Bray &amp; Greystones');
    expect(doubts.map(({ does }) => does)).toEqual([
      'They are decoded: "&amp;amp;" becomes "&amp;".',
      'They are decoded once. A second `unescape_html` decodes the rest.',
    ]);
  });

  it('say which identities are nobody’s', async () => {
    const { inspected } = await tryFile(
      fileOf(['Email,City', 'noreply&#64;example.org,Cork', 'b@example.org,Bray', 'c@example.org,Bray']),
    );
    expect(inspected.suggestion.definition?.not_identities).toEqual(['noreply@example.org']);
  });

  it('hide no column that may be an identity', async () => {
    const { suggestion } = await inspectFile(
      fileOf(['Partner,City', 'a&#64;example.org,Cork', 'b&#64;example.org,Bray']),
    );
    expect(suggestion.notes[0]).toContain('"Partner" looks like e-mail addresses.');
  });

  it('hide no word of consent', async () => {
    const { suggestion } = await inspectFile(
      fileOf(['Email,Newsletter', 'a@example.org,y&#101;s', 'b@example.org,blue', 'c@example.org,green']),
    );
    expect(suggestion.doubts[0]).toMatchObject({ column: 'Newsletter', examples: ['blue', 'green'] });
  });

  it('hide no time of an opt-out', async () => {
    const { stored, errors } = await tryFile(
      fileOf(['Email,UNSUB_TIME', 'a@example.org,2025-11-20 18&#58;10&#58;03', 'b@example.org,']),
    );
    expect(errors).toEqual([]);
    expect(stored.map(({ consent }) => consent)).toMatchObject([
      [{ channel: 'email', state: 'withdrawn', datetime: '2025-11-20 18:10:03' }],
      [],
    ]);
  });

  it('stay as they are without the transformation', async () => {
    const { stored } = await tryFile(fileOf(['Email,City', 'a@example.org,D&uacute;n']), {
      change: mappingOf([fieldMap('email', 'Email'), fieldMap('city', 'City')]),
    });
    expect(stored[0]?.fields.city).toBe('D&uacute;n');
  });

  it('come first among the transformations', async () => {
    const { suggestion } = await inspectFile(
      fileOf(['Email,Zip', 'a@example.org,&#39;04101 ', 'b@example.org,&#39;04102 ']),
    );
    expect(suggestion.definition?.mapping_fields.field_maps[1]?.transformations).toEqual([
      { name: 'unescape_html' },
      { name: 'unguard' },
      { name: 'strip' },
    ]);
  });
});

describe('texts without a reference that decodes', () => {
  it.each([
    'AT&T',
    'R&D',
    'Bray & Greystones',
    'a&b;c',
    'Rock &roll; more',
    '?a=1&copy=2',
    '&amp',
    '&#;',
    '&;',
  ])('%j brings no advice', async (text) => {
    expect(await suggestReferences({ name: 'City', values: [text, 'Cork'] })).toBeUndefined();
  });
});

describe('the advice about references', () => {
  it('shows the reference alone where it stands in a long word', async () => {
    const word = 'a'.repeat(100);
    const advice = await suggestReferences({ name: 'City', values: [`${word}&eacute;${word}`] });
    expect(advice?.doubts?.[0]?.does).toBe('They are decoded: "&eacute;" becomes "é".');
  });
});

describe('the transformation unescape_html', () => {
  it.each([
    ['Fran&ccedil;oise', 'Françoise'],
    ['D&#039;Arcy', "D'Arcy"],
    ['D&#x27;Arcy &#X27;', "D'Arcy '"],
    ['&lt;b&gt; &quot;&apos;&quot;', '<b> "\'"'],
    ['&nGt; &Afr;', '\u226b\u20d2 \u{1d504}'],
    ['&#128512;', '\u{1f600}'],
    ['&#128;', '€'],
    ['&#0;', '\ufffd'],
    ['&amp;amp; &amp;eacute;', '&amp; &eacute;'],
    ['&eacute &#39 &unknown; &#; &#x; & &;', '&eacute &#39 &unknown; &#; &#x; & &;'],
    ['AT&T', 'AT&T'],
    ['', ''],
  ])('makes of %j %j', async (text, expected) => {
    const transform = await compileTransformations([{ name: 'unescape_html' }], 1_024);
    expect(transform(text)).toBe(expected);
  });

  it('takes time in proportion to the length of the text', async () => {
    const transform = await compileTransformations([{ name: 'unescape_html' }], 1_024);
    const zeros = `&#${'0'.repeat(1_000_000)}`;
    expect(transform(zeros)).toBe(zeros);
    const signs = '&'.repeat(1_000_000);
    expect(transform(signs)).toBe(signs);
  });
});
