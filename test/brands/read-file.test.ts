import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { readBrandFile } from '../../shared/brands/read-file.ts';
import { shippedBrands } from '../../shared/brands/send-file.ts';

const header = 'page_id,brand,category';
const read = (text: string | Buffer) => readBrandFile(Buffer.from(text));
const faults = (text: string | Buffer) => {
  const result = read(text);
  return result.ok ? [] : result.error.map(({ line, message }) => `${line}: ${message}`);
};

describe('a catalogue file', () => {
  it('may have quotes, line breaks of all kinds, blank lines and a byte order mark', () => {
    const text = `\ufeff${header}\r\n 1 ,"A ""B"", Inc", Food & Drink >Tea \n\n2,Cafe\u0301,Food & Drink`;
    expect(read(text)).toEqual({
      ok: true,
      value: [
        { page: '1', brand: 'A "B", Inc', category: ['Food & Drink', 'Tea'] },
        { page: '2', brand: 'Caf\u00e9', category: ['Food & Drink'] },
      ],
    });
  });

  it('may have a header only: then no page is known', () => {
    expect(read(header)).toEqual({ ok: true, value: [] });
  });

  it('has no faults in the project', async () => {
    expect(read(await shippedBrands())).toMatchObject({ ok: true });
  });

  it.each([
    ['', '1: The file is empty.'],
    ['page,brand,category\n', `1: The header must be ${header}.`],
    [`${header},more\n1,A,B,C`, `1: The header must be ${header}.`],
    [Buffer.from(`\ufeff${header}\n`, 'utf16le'), '1: The file is not UTF-8.'],
    [`${header}\n1,A`, '2: Has 2 cells instead of 3.'],
    [`${header}\n1,A,B,C`, '2: Has 4 cells instead of 3.'],
    [`${header}\n,A,B`, '2: page_id is empty.'],
    [`${header}\n1, ,B`, '2: brand is empty.'],
    [`${header}\n1,A,`, '2: category is empty.'],
    [`${header}\n1,A,B > > C`, '2: A level of category is empty.'],
    [`${header}\n1,A,> B`, '2: A level of category is empty.'],
    [`${header}\n1,A,${'x>'.repeat(8)}x`, '2: category has more than 8 levels.'],
    [`${header}\n1,A,uncategorised`, '2: Uncategorised is kept for pages that the catalogue does not know.'],
    [`${header}\n1,A\u0000,B`, '2: Holds characters that are not allowed.'],
    [`${header}\n1,A,"B\nC"`, '2: Holds characters that are not allowed.'],
    [`${header}\n${'1'.repeat(1_025)},A,B`, '2: page_id is longer than 1024 characters.'],
    [`${header}\n1,${'x'.repeat(256)},B`, '2: brand is longer than 255 characters.'],
    [`${header}\n1,A,${'x'.repeat(256)}`, '2: category is longer than 255 characters.'],
    [`${header}\n1,A"B,C`, '2: Its quotes are not as in RFC 4180.'],
    [`${header}\n1,A,B\n2,"A,B\n3,A,B`, '3: A quote is never closed.'],
    [`${header}\n1,A,B\n\n2,C,D\n 1 ,E,F`, '5: Names the page of line 2 again.'],
    [
      Buffer.concat([Buffer.from(`${header}\n1,`), Buffer.from([0xff]), Buffer.from(',B')]),
      '2: Is not UTF-8.',
    ],
  ])('%j is refused with the number of the faulty line', (text, fault) => {
    expect(faults(text)).toEqual([fault]);
  });

  it('gets a limited number of its faults reported', () => {
    const found = faults(`${header}\n${',B,C\n'.repeat(1_000)}`);
    expect(found).toHaveLength(limits.brands.faults);
    expect(found[0]).toBe('2: page_id is empty.');
  });

  it('gets no fault beyond the maximum for a quote that is never closed', () => {
    expect(faults(`${header}\n${',B,C\n'.repeat(limits.brands.faults)}"`)).toHaveLength(limits.brands.faults);
  });

  it('has its size checked before it is read', () => {
    const { fileBytes } = limits.brands;
    expect(faults(Buffer.alloc(fileBytes + 1))).toEqual(['1: The file is too large.']);
    expect(faults(Buffer.alloc(fileBytes))).not.toEqual(['1: The file is too large.']);
  });

  it('may have the maximum number of category levels', () => {
    const category = Array.from({ length: limits.brands.categoryLevels }, (_, level) => `C${level}`);
    expect(read(`${header}\n1,A,${category.join('>')}`)).toMatchObject({ value: [{ category }] });
  });

  it('never shows its contents in a fault', () => {
    expect(JSON.stringify(faults(`${header}\nsecret,secret,secret > > secret`))).not.toContain('secret');
  });

  it('is refused if it has too many pages', () => {
    const rows = Array.from({ length: limits.brands.pages + 1 }, (_, page) => `${page},A,B`);
    const line = limits.brands.pages + 2;
    expect(faults([header, ...rows].join('\n'))).toEqual([
      `${line}: There are more than ${limits.brands.pages} pages.`,
    ]);
  });
});
