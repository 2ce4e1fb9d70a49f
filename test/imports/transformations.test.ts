import { describe, expect, it } from 'vitest';
import { transform } from '../../shared/imports/mapping/transformations.ts';

describe('transformations', () => {
  it.each([
    [['strip'], ' \u200b\ufeff a b\u00a0\t', 'a b'],
    [['strip', 'lower'], ' ZOË@Example.ORG ', 'zoë@example.org'],
    [['lower'], 'BAR\u212a@X \u212b \u2126', 'bar\u212a@x \u212b \u2126'],
    [['title'], '\u212aELVIN', '\u212aelvin'],
    [['upper'], 'straße', 'STRASSE'],
    [['title'], "mary-jane O'NEILL von der leyen", "Mary-Jane O'Neill Von Der Leyen"],
    [['title'], "don't stop", "Don't Stop"],
    [['digits'], '+1 (512) 555-0100', '15125550100'],
    [['digits'], 'none', ''],
    [['strip', 'date'], '   ', ''],
  ] as const)('%j of %j is %j', (names, text, expected) => {
    expect(transform(text, names)).toBe(expected);
  });

  it.each([
    ['2020-02-29', '2020-02-29'],
    ['2020/2/9', '2020-02-09'],
    ['2020.12.31', '2020-12-31'],
    ['20201231', '2020-12-31'],
    ['2020-12-31T23:59:59Z', '2020-12-31'],
    ['2020-12-31 23:59', '2020-12-31'],
    ['5 Jan 1990', '1990-01-05'],
    ['05-JANUARY-1990', '1990-01-05'],
    ['January 5, 1990', '1990-01-05'],
    ['Sept 5 1990', '1990-09-05'],
    ['2021-02-30', undefined],
    ['2020-13-01', undefined],
    ['2020-12/31', undefined],
    ['03/04/2020', undefined],
    ['25/12/2020', undefined],
    ['12/25/2020', undefined],
    ['yesterday', undefined],
    ['1/1/99', undefined],
    ['0000-01-01', undefined],
  ])('date reads %j as %j', (text, expected) => {
    expect(transform(text, ['date'])).toBe(expected);
  });

  it.each([
    ['date_dmy', '03/04/2020', '2020-04-03'],
    ['date_dmy', '25.12.2020', '2020-12-25'],
    ['date_dmy', '12/25/2020', undefined],
    ['date_dmy', '2020-04-03', '2020-04-03'],
    ['date_mdy', '03/04/2020', '2020-03-04'],
    ['date_mdy', '12-25-2020', '2020-12-25'],
    ['date_mdy', '25/12/2020', undefined],
    ['date_mdy', '3/4-2020', undefined],
  ] as const)('%s reads %j as %j', (name, text, expected) => {
    expect(transform(text, [name])).toBe(expected);
  });
});
