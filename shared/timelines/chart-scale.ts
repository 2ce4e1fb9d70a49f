import { escapeMarkup } from '../runtime/markup.ts';

/** Round numbers from 0 up to at least `most`, a few of them, all whole. */
export const ticksTo = (most: number, about = 4): readonly number[] => {
  const step = roundUp(Math.max(most, 1) / about);
  const last = Math.ceil(Math.max(most, 1) / step);
  return Array.from({ length: last + 1 }, (_, index) => index * step);
};

/** The next of 1, 2, 5, 10, 20, 50… that is not below a number. */
const roundUp = (least: number): number => {
  const magnitude = 10 ** Math.max(Math.floor(Math.log10(least)), 0);
  const factor = [1, 2, 5, 10].find((one) => one * magnitude >= least);
  return (factor ?? 10) * magnitude;
};

/** A line from values to places: `from` lies at `start`, `to` at `end`; in the middle when there is one value only. */
export const linear =
  (from: number, to: number, start: number, end: number) =>
  (value: number): number =>
    from === to ? (start + end) / 2 : start + ((value - from) / (to - from)) * (end - start);

/** A place in a drawing, to a tenth. */
export const coordinate = (place: number): string => (Math.round(place * 10) / 10).toString();

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const full = new Intl.NumberFormat('en');

/** A number short enough for an axis. */
export const compactNumber = (value: number): string => compact.format(value);

/** A number with all its digits, in groups. */
export const fullNumber = (value: number): string => full.format(value);

/** Text as it may stand in XML, also in an attribute. What XML cannot hold is replaced. */
export const escapeXml = (text: string): string =>
  escapeMarkup(text.replaceAll(/[\ufffe\uffff]/g, '\ufffd')).replaceAll("'", '&#39;');
