import { escapeMarkup } from '../runtime/markup.ts';

/** About `about` ticks of an axis: round whole numbers from 0 to at least `most`. */
export const ticksTo = (most: number, about = 4): readonly number[] => ticksBetween(0, most, about);

/** The least span of an axis, as a share of its highest value: what differs by less should look so. */
const LEAST_SPAN = 1 / 50;

/** Up to about `about` ticks of an axis: round whole numbers from at most `least` to at least `most`. */
export const ticksBetween = (least: number, most: number, about = 4): readonly number[] => {
  const step = roundUp(Math.max(most - least, most * LEAST_SPAN, 1) / about);
  const below = Math.floor(least / step);
  // A number of people that never changes lies above the lowest line, which otherwise looks like zero.
  const first = least === most && least > 0 && below * step === least ? below - 1 : below;
  const last = Math.max(Math.ceil(most / step), first + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
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

/** A number with all digits, in groups. */
export const fullNumber = (value: number): string => full.format(value);

/** From this number on, a short form is shorter. */
const LONG = 10_000;

/** The numbers of an axis with their labels: short where that is shorter and exact, otherwise with all digits. */
export const axisNumbers = (values: readonly number[]) => {
  const short =
    Math.max(...values) >= LONG && values.every((value) => Number.isInteger(value / roundness(value)));
  return values.map((value) => ({ value, label: (short ? compact : full).format(value) }));
};

/** What a short number rounds to: a tenth of a thousand, of a million, and so on. */
const roundness = (value: number): number =>
  value < 1_000 ? 1 : 10 ** (Math.floor(Math.log10(value) / 3) * 3 - 1);

/** Escapes a text for XML, attributes included. Characters that XML forbids are replaced. */
export const escapeXml = (text: string): string =>
  escapeMarkup(text.replaceAll(/[\ufffe\uffff]/g, '\ufffd')).replaceAll("'", '&#39;');
