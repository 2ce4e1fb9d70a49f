import { describe, expect, it } from 'vitest';
import { formatOf } from '../../console/src/format.ts';

/** A Monday, in the zone of the reader. */
const now = new Date(2026, 10, 30, 9, 41, 12).getTime();
const at = (...[month, day, hour, minute]: [number, number, number, number]): number =>
  new Date(2026, month - 1, day, hour, minute).getTime();
const english = formatOf('en', () => now);
const german = formatOf('de', () => now);

describe('a time', () => {
  it.each([
    ['today', at(11, 30, 8, 52), 'Today, 08:52'],
    ['just after midnight', at(11, 30, 0, 0), 'Today, 00:00'],
    ['yesterday, a minute before it', at(11, 29, 23, 59), 'Yesterday, 23:59'],
    ['tomorrow', at(12, 1, 6, 0), 'Tomorrow, 06:00'],
    ['six days ago', at(11, 24, 6, 0), 'Tue 06:00'],
    ['in six days', at(12, 6, 6, 0), 'Sun 06:00'],
    ['a week ago', at(11, 23, 6, 0), 'Nov 23, 2026'],
    ['nothing', null, '–'],
  ])('%s', (_, time, text) => {
    expect(english.when(time)).toBe(text);
  });

  it('is written as the reader writes it', () => {
    expect(german.when(at(11, 30, 8, 52))).toBe('Heute, 08:52');
    expect(german.when(at(11, 23, 8, 52))).toBe('23. Nov. 2026');
    expect(english.clock(now)).toBe('09:41:12');
  });

  it('a date without a time is that day', () => {
    expect(english.day('1971-05-14')).toBe('May 14, 1971');
  });
});

describe('a number', () => {
  it.each([
    [10_412, '10,412'],
    [-7, '−7'],
    [0, '0'],
  ])('%d', (value, text) => {
    expect(english.number(value)).toBe(text);
  });

  it.each([
    [410, 1_187, '35 %'],
    [0, 0, '–'],
    [3, 3, '100 %'],
  ])('%d of %d as a share', (part, whole, text) => {
    expect(english.percent(part, whole)).toBe(text);
  });

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [4_100_000, '4.1 MB'],
    [2e15, '2,000 TB'],
  ])('%d bytes', (value, text) => {
    expect(english.bytes(value)).toBe(text);
  });

  it.each([
    [0.2, '0 s'],
    [77, '1 min 17 s'],
    [3_720, '1 h 2 min'],
    [-5, '0 s'],
  ])('%d seconds', (value, text) => {
    expect(english.span(value)).toBe(text);
  });

  it('times in a sentence of the API', () => {
    const sentence = 'The next moment may come at 2026-11-06T12:17:28.000Z, not before.';
    expect(english.timesIn(sentence)).toBe(
      `The next moment may come at ${english.when('2026-11-06T12:17:28.000Z')}, not before.`,
    );
    expect(english.timesIn('Must be a date such as 2026-05-17.')).toBe('Must be a date such as 2026-05-17.');
  });
});
