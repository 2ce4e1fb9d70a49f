import { describe, expect, it } from 'vitest';
import { peopleFile, tryFile } from './try-file.ts';

/** Tries a column of dates in a file of people. */
const tryDates = async (header: string, cells: readonly string[], address = 'E-Mail') => {
  const tried = await tryFile(peopleFile(`${address};${header}`, cells));
  expect(tried.errors).toEqual([]);
  return {
    ...tried,
    days: tried.stored.map(({ fields }) => fields.birthday ?? null),
    kept: tried.stored.map(({ extra }) => extra[header]),
    said: tried.doubts.map(({ saw, cells: count }) => [saw, count]),
  };
};

const twoDigits = 'Years of two digits.';

describe('years of two digits in front', () => {
  it.each([
    [
      'Birthday',
      ['04.05.27', '60.01.19', '74.07.13', '88.06.05'],
      ['2004-05-27', '1960-01-19', '1974-07-13', '1988-06-05'],
    ],
    ['Születési dátum', ['85-12-24', '52-06-08', '99-01-31'], ['1985-12-24', '1952-06-08', '1999-01-31']],
    ['생년월일', ['680101', '750608', '021115'], ['1968-01-01', '1975-06-08', '2002-11-15']],
    ['生年月日', ['68/01/01', '75/06/08', '02/11/15'], ['1968-01-01', '1975-06-08', '2002-11-15']],
  ])('are found where the numbers can be nothing else: %s %j', async (header, cells, days) => {
    const tried = await tryDates(header, cells);
    expect(tried.days).toEqual(days);
    expect(tried.said).toContainEqual([twoDigits, cells.length]);
  });

  it.each([
    ['Member since', ['20.05.27', '21.01.19', '22.07.13'], 'Dates whose first number may be the year.'],
    ['Mitglied seit', ['14-04-25', '15-11-30', '20-12-01'], 'Dates whose first number may be the year.'],
  ])('are a doubt where they may stand behind: %s %j', async (header, cells, saw) => {
    expect((await tryDates(header, cells)).said).toContainEqual([saw, cells.length]);
  });

  it('come first in files of languages that write them so, with the doubt', async () => {
    const { kept, said } = await tryDates('가입일', ['20.05.27', '21.01.19', '22.07.13'], '이메일');
    expect(kept).toEqual(['2020-05-27', '2021-01-19', '2022-07-13']);
    expect(said).toContainEqual(['Dates whose last number may be the year.', 3]);
  });

  it('are no doubt where a number proves the order', async () => {
    const { days, said } = await tryDates('Geburtsdatum', ['24.12.85', '01.02.03', '31.07.52']);
    expect(days).toEqual(['1985-12-24', '2003-02-01', '1952-07-31']);
    expect(said).toEqual([[twoDigits, 3]]);
  });

  it('are not found by chance: six digits with the day first', async () => {
    const { days, said } = await tryDates('Geburtsdatum', ['241285', '010203', '310752', '150666']);
    expect(days).toEqual([null, null, null, null]);
    expect(said).toEqual([['Cells that no form of dates reads.', 4]]);
  });
});

describe('a form of dates', () => {
  it('that reads few of the numbers reads none of them', async () => {
    const { days } = await tryDates('Birthday', ['32.13.1980', '45.14.1977', '33.15.1990', '01.02.1985']);
    expect(days).toEqual([null, null, null, null]);
  });
});

describe('dates of other calendars', () => {
  it.each([
    ['วันที่สมัคร', ['13/07/2561', '04/01/2564', '11/04/2565']],
    ['Registered (Shamsi)', ['1356/05/13', '1371/01/14', '1375/07/07']],
    ['Hijri', ['10/01/1440', '21/12/1439', '05/06/1441']],
  ])('stay as they are in a column without a field, and are said: %s %j', async (header, cells) => {
    const { kept, said } = await tryDates(header, cells);
    expect(kept).toEqual(cells);
    expect(said).toContainEqual(['Years before 1800 or after 2100, as other calendars count them.', 3]);
  });

  it('do not hide behind one slip of the pen', async () => {
    const cells = Array.from({ length: 30 }, (_, index) => `${index + 1}.01.2024`);
    const { kept } = await tryDates('Letzter Besuch', [...cells, '01.02.3024']);
    expect(kept[0]).toBe('2024-01-01');
  });
});

describe('birthdays of people who would be very old', () => {
  const saw =
    'Birthdays of people over 110, as of another calendar, or as spreadsheets make them of a year alone.';
  it.each([
    ['a year alone', ['04/24/1905', '05/13/1905', '06/20/1905']],
    ['years of Persia', ['1856-05-13', '1871-01-14']],
  ])('are said: %s', async (_, cells) => {
    expect((await tryDates('Birthday', cells)).said).toContainEqual([saw, cells.length]);
  });

  it('are not said of people of a hundred', async () => {
    expect((await tryDates('Birthday', ['1926-05-13', '1919-01-14'])).said).toEqual([]);
  });
});
