import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from '../../shared/http/did-you-mean.ts';

const fields = ['email', 'phone_number', 'first_name', 'last_name', 'birthday', 'tags', 'age'];

describe('did you mean', () => {
  it.each([
    ['emial', 'email'],
    ['phone', 'phone_number'],
    ['Email', 'email'],
    ['birthdy', 'birthday'],
    ['firstname', 'first_name'],
    ['tag', 'tags'],
    ['naem', undefined],
    ['xyz', undefined],
    ['', undefined],
    ['a', undefined],
    ['x'.repeat(100_000), undefined],
  ])('%# a name with few errors, or a word of a name, is recognised', (given, meant) => {
    expect(nearest(given, fields)).toBe(meant);
  });

  it.each([
    ['65+', 'Age: 65+'],
    ['München', 'München, DE'],
    ['berlin', 'Berlin, DE'],
    ['neue musik', 'Musik > Neue Musik > Oper'],
    ['nchen', undefined],
    ['Opera', undefined],
  ])('%s is a part of %s', (given, meant) => {
    const names = ['Age: 65+', 'München, DE', 'Berlin, DE', 'Musik > Neue Musik > Oper', 'Musikoperas'];
    expect(nearest(given, names)).toBe(meant);
  });

  it('swapped neighbours are one error', () => {
    expect(nearest('ab-cd', ['ba-dc'])).toBe(undefined);
    expect(nearest('abc', ['acb'])).toBe('acb');
  });

  it('a long text is not compared at all', () => {
    expect(nearest('x'.repeat(64), ['x'.repeat(63)])).toBe('x'.repeat(63));
    expect(nearest('x'.repeat(65), ['x'.repeat(64)])).toBe(undefined);
    expect(nearest('x'.repeat(64), ['x'.repeat(65)])).toBe(undefined);
  });

  it('the nearest of several names wins', () => {
    expect(nearest('color', ['colour', 'colors', 'color_'].toReversed())).toBe('color_');
  });

  it('a name is never suggested for itself', () => {
    expect(nearest('age', ['age'])).toBe(undefined);
  });

  it('a message ends with the suggestion, or is not changed', () => {
    expect(`There is no field.${didYouMean('emial', fields)}`).toBe('There is no field. Did you mean email?');
    expect(`There is no field.${didYouMean('zzz', fields)}`).toBe('There is no field.');
  });
});
