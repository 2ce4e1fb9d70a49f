import { escapeMarkup } from '../runtime/markup.ts';

/** About `about` ticks of an axis: round whole numbers from 0 to at least `most`. */
export const ticksTo = (most: number, about = 4): readonly number[] => {
  const step = roundUp(Math.max(most, 1) / about);
  const last = Math.ceil(Math.max(most, 1) / step);
  return Array.from({ length: last + 1 }, (_, index) => index * step);
};

/** The smallest of 1, 2, 5, 10, 20, 50… that is at least `least`. */
const roundUp = (least: number): number => {
  const magnitude = 10 ** Math.max(Math.floor(Math.log10(least)), 0);
  const factor = [1, 2, 5, 10].find((one) => one * magnitude >= least);
  return (factor ?? 10) * magnitude;
};

/** A linear scale from values to coordinates: `from` lies at `start`, `to` at `end`. A single value lies in the middle. */
export const linear =
  (from: number, to: number, start: number, end: number) =>
  (value: number): number =>
    from === to ? (start + end) / 2 : start + ((value - from) / (to - from)) * (end - start);

/** A coordinate in a drawing, to a tenth. */
export const coordinate = (place: number): string => (Math.round(place * 10) / 10).toString();

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const full = new Intl.NumberFormat('en');

/** A number short enough for an axis. */
export const compactNumber = (value: number): string => compact.format(value);

/** A number with all digits, in groups. */
export const fullNumber = (value: number): string => full.format(value);

/** Escapes a text for XML, attributes included. Characters that XML forbids are replaced. */
export const escapeXml = (text: string): string =>
  escapeMarkup(text.replaceAll(/[\ufffe\uffff]/g, '\ufffd')).replaceAll("'", '&#39;');
