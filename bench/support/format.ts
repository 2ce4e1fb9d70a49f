/** Format: numbers as the terminal, the page and the pictures show them. */
import type { Figure } from './scenario.ts';

/** A number with three digits, and thousands in groups. */
export const figure = (value: number): string => {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
};

/** A figure, with the spread of its pairs if it has one: `2.1 (1.9 to 2.4)`. */
export const figureOf = ({ value, least, most }: Pick<Figure, 'value' | 'least' | 'most'>): string =>
  least === undefined || most === undefined
    ? figure(value)
    : `${figure(value)} (${figureRange([{ value: least }, { value: most }])})`;

/** The least and the greatest of some values: `1.6 to 2.3`. */
export const figureRange = (figures: readonly { readonly value: number }[]): string => {
  const values = figures.map(({ value }) => value);
  return [...new Set([Math.min(...values), Math.max(...values)].filter(Number.isFinite))]
    .map(figure)
    .join(' to ');
};

/** The sizes of a run: `rows 10,000`. */
export const sizesText = (sizes: Readonly<Record<string, number | readonly number[]>>): string =>
  Object.entries(sizes)
    .map(([name, size]) => `${name} ${[size].flat().map(figure).join(' / ')}`)
    .join(', ');
