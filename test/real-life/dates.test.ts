import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDate, readDayFirst, readMonthFirst } from '../../shared/imports/mapping/read-dates.ts';
import { peopleFile, tryFile } from './try-file.ts';

const tryBirthdays = async (cells: readonly string[], { header = 'Email,Birthday' } = {}) => {
  const rows = cells.map((cell) => `"${cell}"`);
  const tried = await tryFile(peopleFile(header, rows));
  expect(tried.errors).toEqual([]);
  expect(tried.stored).toHaveLength(cells.length);
  return {
    ...tried,
    days: tried.stored.map(({ fields }) => fields.birthday),
    saw: tried.doubts.map(({ saw }) => saw),
  };
};
const german = { header: 'E-Mail-Adresse,Geburtsdatum' };

describe('spellings of birthdays', () => {
  it.each([
    [
      'a German file',
      ['4. Mai 1980', '12. Dezember 1975', '30. Juni 1991'],
      ['1980-05-04', '1975-12-12', '1991-06-30'],
    ],
    [
      'French',
      ['1er mai 1980', '12 décembre 1975', '4 août 1990'],
      ['1980-05-01', '1975-12-12', '1990-08-04'],
    ],
    ['Spanish', ['4 de mayo de 1980', '12 de diciembre de 1975'], ['1980-05-04', '1975-12-12']],
    ['Portuguese', ['4 de fevereiro de 1980', '12 de outubro de 1975'], ['1980-02-04', '1975-10-12']],
    ['Polish', ['4 maja 1980', '12 października 1975'], ['1980-05-04', '1975-10-12']],
    ['Swedish', ['4 maj 1980', '12 oktober 1975'], ['1980-05-04', '1975-10-12']],
    ['American', ['May 4, 1980', 'December 12th, 1975'], ['1980-05-04', '1975-12-12']],
    ['long', ['Sunday, May 4, 1980', 'Friday, December 12, 1975'], ['1980-05-04', '1975-12-12']],
    ['Japanese', ['1985年4月1日', '１９９０年１２月３１日'], ['1985-04-01', '1990-12-31']],
    ['without separators', ['19800504', '19751212'], ['1980-05-04', '1975-12-12']],
    ['with an empty time', ['1980-05-04T00:00:00', '1975-12-12 00:00:00.000'], ['1980-05-04', '1975-12-12']],
    ['of programs', ['04MAY1980', '12-Dec-1975'], ['1980-05-04', '1975-12-12']],
  ])('are read without a doubt: %s', async (_, cells, expected) => {
    const { days, saw, warnings } = await tryBirthdays(cells);
    expect(days).toEqual(expected);
    expect({ saw, warnings }).toEqual({ saw: [], warnings: [] });
  });

  it.each([
    ['a spreadsheet', ['4-May-80', '12-Dec-75', '30-Jun-91'], ['1980-05-04', '1975-12-12', '1991-06-30']],
    [
      'a German spreadsheet',
      ['4. Mai 80', '12. Dez 75', '1. Mrz 62'],
      ['1980-05-04', '1975-12-12', '1962-03-01'],
    ],
    [
      'a French spreadsheet',
      ['4-mai-80', '12-déc-75', '1-févr-62'],
      ['1980-05-04', '1975-12-12', '1962-02-01'],
    ],
    ['a database', ['04-MAY-80', '12-DEC-75', '01-MAR-62'], ['1980-05-04', '1975-12-12', '1962-03-01']],
    ['letters', ['May 4, 80', 'Dec 12, 75', 'Mar 1, 62'], ['1980-05-04', '1975-12-12', '1962-03-01']],
  ])('of two-digit years are read, and said: %s', async (_, cells, expected) => {
    const { days, doubts } = await tryBirthdays(cells);
    expect(days).toEqual(expected);
    expect(doubts).toMatchObject([{ saw: 'Years of two digits.', cells: 3 }]);
  });

  it.each([
    [
      'English',
      ['05/04/1980', '03/02/1975', '05/05/1990'],
      undefined,
      ['1980-05-04', '1975-03-02', '1990-05-05'],
    ],
    [
      'German',
      ['05.04.1980', '03.02.1975', '05.05.1990'],
      german,
      ['1980-04-05', '1975-02-03', '1990-05-05'],
    ],
  ])('with day and month in doubt are said: %s', async (_, cells, header, expected) => {
    const { days, doubts } = await tryBirthdays(cells, header);
    expect(days).toEqual(expected);
    expect(doubts).toMatchObject([
      { saw: 'Dates whose day and month may be the other way round.', cells: 2 },
    ]);
  });

  it('in both orders are said, and the fewer are dropped', async () => {
    const { days, saw } = await tryBirthdays(['13/04/1980', '02/28/1975', '12/31/1990', '05/06/1990']);
    expect(days).toEqual([null, '1975-02-28', '1990-12-31', '1990-05-06']);
    expect(saw).toEqual([
      'Dates whose day and month may be the other way round.',
      'Dates that have day and month the other way round than the rest.',
    ]);
  });

  it.each([
    ['no date at all', ['unknown', 'Spring 1980', '1980'], 'Cells that no form of dates reads.'],
    [
      'days of a spreadsheet',
      ['29345', '27740', '33419'],
      'Numbers, perhaps the days since 1900 as spreadsheets count them.',
    ],
    ['zeros', ['00/00/0000', '0/0/00', '0000-00-00', '1900-01-00'], 'Cells that no form of dates reads.'],
    ['birthdays without a year', ['--05-04', '4 May'], 'Cells that no form of dates reads.'],
  ])('of %s lose the cell and keep the people', async (_, cells, sentence) => {
    const { days, saw, warnings } = await tryBirthdays(cells);
    expect(days).toEqual(cells.map(() => null));
    expect(saw).toEqual([sentence]);
    expect(warnings).toHaveLength(cells.length);
  });
});

describe('what doubts say of dates', () => {
  it('is true of times that no form reads, in a column of unknown name', async () => {
    const cells = ['2020-01-15 오후 1:05', '2021-02-15 오전 2:05', '2022-03-15 오후 3:05'];
    const { stored, doubts, warnings } = await tryFile(peopleFile('Email,가입일', cells));
    expect(stored.map(({ extra }) => extra['가입일'])).toEqual(cells);
    expect(warnings).toEqual([]);
    expect(doubts).toMatchObject([
      {
        column: '가입일',
        saw: 'Dates that no form of dates reads.',
        cells: 3,
        does: 'They are stored as they are.',
      },
    ]);
  });

  it('is true of times of which some are read', async () => {
    const cells = ['15.01.2020 13:05', '16.01.2020 14:05', '17.01.2020 15:05', '18.01.2020 오후 1:05'];
    const { stored, doubts, warnings } = await tryFile(peopleFile('Email,Since', cells));
    expect(stored.map(({ extra }) => extra['Since'])).toEqual([
      ...['2020-01-15', '2020-01-16', '2020-01-17'],
      undefined,
    ]);
    expect(doubts.map(({ cells: count, does }) => [count, does])).toEqual([
      [1, 'They are dropped with a warning.'],
      [3, 'Only the day is kept.'],
    ]);
    expect(warnings).toHaveLength(1);
  });

  it('counts the years of two digits that are of the 2000s, and small children', async () => {
    const { doubts, days } = await tryBirthdays(['01-01-24', '08-06-58', '15-11-49', '13-02-04', '14-02-25']);
    expect(days.filter((day) => String(day) > '2000')).toHaveLength(3);
    expect(doubts.find(({ saw }) => saw === 'Years of two digits.')?.does).toBe(
      'Years up to 26 are of the 2000s, the others of the 1900s. 3 of these 5 cells are of the 2000s. 2 of them would be the birthdays of children under 6: look at them.',
    );
  });

  it('names no separator that the cells do not have', async () => {
    const { inspected } = await tryBirthdays(['13-01-1980', '8/6/1952']);
    const why = inspected.suggestion.columns[1]?.why.join(' ');
    expect(why).toContain('are dates of the form day, month, year.');
  });
});

describe('days that stand for nothing', () => {
  it.each([
    ['zeros', ['00/00/0000', '0/0/00', '4/30/1982'], [null, null, '1982-04-30']],
    [
      'the first day of a spreadsheet',
      ['01.01.1900', '31.12.1899', '25.12.1975'],
      [null, null, '1975-12-25'],
    ],
    [
      'the first day of a clock',
      ['1970-01-01', '1970-01-01', '1970-01-01', '1980-05-04'],
      [null, null, null, '1980-05-04'],
    ],
    [
      'of databases',
      ['1899-12-30', '1753-01-01', '0001-01-01', '1980-05-04'],
      [null, null, null, '1980-05-04'],
    ],
  ])('are nobody’s birthday, and are said: %s', async (_, cells, expected) => {
    const { days, doubts } = await tryBirthdays(cells);
    expect(days).toEqual(expected);
    expect(doubts.length).toBeGreaterThan(0);
  });

  it('are birthdays if one person has them', async () => {
    const { days, saw } = await tryBirthdays(['1970-01-01', '1980-05-04']);
    expect({ days, saw }).toEqual({ days: ['1970-01-01', '1980-05-04'], saw: [] });
  });

  it('are said if far too many people share another day', async () => {
    const { days, doubts } = await tryBirthdays([
      ...Array.from({ length: 6 }, () => '1977-07-07'),
      '1980-05-04',
    ]);
    expect(days.filter((day) => day === '1977-07-07')).toHaveLength(6);
    expect(doubts).toMatchObject([{ cells: 6, does: 'It is stored as it is.' }]);
  });
});

describe('birthdays with a time in UTC', () => {
  it.each([
    [
      'Europe/Berlin',
      ['1980-06-01T22:00:00.000Z', '1991-12-31T23:00:00.000Z', '1975-03-14T23:00:00.000Z'],
      ['1980-06-02', '1992-01-01', '1975-03-15'],
    ],
    ['Europe/Berlin', ['1980-06-01 22:00:00+00', '1991-12-31 23:00:00+00'], ['1980-06-02', '1992-01-01']],
    ['Asia/Tokyo', ['1980-05-03T15:00:00Z', '1975-12-11T15:00:00Z'], ['1980-05-04', '1975-12-12']],
    ['Asia/Kolkata', ['1980-05-03T18:30:00Z', '1975-12-11T18:30:00+00:00'], ['1980-05-04', '1975-12-12']],
  ])('that are midnight in %s are days there, and are said', async (zone, cells, expected) => {
    const { days, doubts } = await tryBirthdays(cells);
    expect(days).toEqual(expected);
    expect(doubts).toMatchObject([{ cells: cells.length }]);
    expect(doubts[0]?.does).toContain(zone);
  });

  it('late in the day, of no zone, are stored as written, and said', async () => {
    const { days, doubts } = await tryBirthdays(['1980-05-04T22:13:00Z', '1975-12-12T23:40:00Z']);
    expect(days).toEqual(['1980-05-04', '1975-12-12']);
    expect(doubts).toMatchObject([{ cells: 2 }]);
    expect(doubts[0]?.does).toContain('as they are written');
  });

  it.each([
    ['midnight', ['1980-05-04T00:00:00Z', '1975-12-12T00:00:00Z']],
    ['noon', ['1980-05-04T12:00:00Z', '1975-12-12T12:00:00Z']],
    ['midnight of New York', ['1980-05-04T04:00:00Z', '1975-12-12T05:00:00Z']],
    ['an offset', ['1980-05-04T00:00:00+02:00', '1975-12-12T00:00:00+01:00']],
  ])('at %s are what they say', async (_, cells) => {
    const { days, saw } = await tryBirthdays(cells);
    expect({ days, saw }).toEqual({ days: ['1980-05-04', '1975-12-12'], saw: [] });
  });

  it.each([
    ['01.06.1980 22:00', '31.12.1991 23:00'],
    ['Sun Jun 01 1980 22:00:00 GMT+0000', 'Tue Dec 31 1991 23:00:00 GMT+0000'],
    ['6/1/1980 10:00:00 PM', '12/31/1991 11:00:00 PM'],
  ])('late in the day without an offset of ISO are stored as written, and said: %s', async (...cells) => {
    const { days, saw } = await tryBirthdays(cells);
    expect(days).toEqual(['1980-06-01', '1991-12-31']);
    expect(saw).toEqual([
      'Full hours of the evening, as systems write the midnight of a time zone: the days may be one too early.',
    ]);
  });

  it('are days of the time zone that a definition names', () => {
    const berlin = { timezone: 'Europe/Berlin' };
    expect(readDate('1980-06-01T22:00:00Z', berlin)).toBe('1980-06-02');
    expect(readDate('1980-06-02T00:00:00+02:00', berlin)).toBe('1980-06-02');
    expect(readDate('1980-06-01T22:00:00', berlin)).toBe('1980-06-01');
    expect(readDate('1980-06-01', berlin)).toBe('1980-06-01');
    expect(readDate('1980-06-01T22:00:00Z')).toBe('1980-06-01');
  });
});

describe('a reader of dates', () => {
  const day = fc
    .date({ min: new Date('1800-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const at = (iso: string): Date => new Date(`${iso}T12:00:00Z`);
  const part = (iso: string) => ({ year: iso.slice(0, 4), month: iso.slice(5, 7), day: iso.slice(8) });

  it('reads every month as people write it', () => {
    const locales = 'en en-GB de fr es it nl pt pl sv ja ko da nb fi cs tr'.split(' ');
    const formats = locales.flatMap((locale) =>
      (['long', 'short'] as const)
        // Abbreviations of other languages have forms that no list needs.
        .filter(
          (month) =>
            month === 'long' || ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv'].includes(locale),
        )
        .map(
          (month) =>
            new Intl.DateTimeFormat(locale, { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' }),
        ),
    );
    const days = Array.from({ length: 12 }, (_, month) => `1980-${String(month + 1).padStart(2, '0')}-04`);
    for (const iso of days) {
      for (const format of formats) {
        const text = format.format(at(iso));
        expect([text, readDate(text)]).toEqual([text, iso]);
      }
    }
  });

  it('reads every day that programs write, and never another day', () => {
    const forms: readonly ((iso: string) => readonly [string, string])[] = [
      (iso) => [iso, 'date'],
      (iso) => [iso.replaceAll('-', ''), 'date'],
      (iso) => [`${iso}T00:00:00`, 'date'],
      (iso) => [`${part(iso).day}.${part(iso).month}.${part(iso).year}`, 'dmy'],
      (iso) => [`${Number(part(iso).day)}/${Number(part(iso).month)}/${part(iso).year}`, 'dmy'],
      (iso) => [`${Number(part(iso).month)}/${Number(part(iso).day)}/${part(iso).year} 0:00`, 'mdy'],
    ];
    fc.assert(
      fc.property(day, fc.constantFrom(...forms), (iso, form) => {
        const [text, kind] = form(iso);
        const read = { date: readDate, dmy: readDayFirst, mdy: readMonthFirst }[kind];
        expect(read?.(text)).toBe(iso);
      }),
    );
  });

  it.each([
    ...[
      '1980',
      'May 1980',
      '4 May',
      'May-80',
      '31 June 1980',
      '4 Foo 1980',
      '29345',
      '0',
      '1.234,50',
      '--05-04',
    ],
    ...['4 de 1980', '4 mai 19800', '12 34 5678', '1980-W05', 'yesterday', '1e5', '00000000', '99999999'],
  ])('refuses %j', (text) => {
    for (const read of [readDate, readDayFirst, readMonthFirst])
      expect(read(text, { pivot: 26 })).toMatchObject({ code: 'not_a_date' });
  });
});
