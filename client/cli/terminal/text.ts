/** Texts for people: numbers, sizes, times, and data that may contain anything. */
export { listed } from '../../src/listed.ts';

/** An escape sequence of a colour or a weight, as `paint` makes them. Others can hide text. */
const colour = /(\x1b\[(?:1|2|22|3[1236]|39)m)/g;

/** A whole number with groups: 10,000. */
export const count = (value: number): string => value.toLocaleString('en-US');

/** A number with its noun: `1 row`, `2,000 rows`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** A share from 0 to 1 in whole per cent, rounded down: `45 %`. */
export const percent = (share: number): string => `${Math.floor(share * 100)} %`;

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** A size in decimal units, as file managers show it: `812 KB`. */
export const bytes = (value: number): string => {
  let rest = value;
  let unit = 0;
  // 999.5 KB would be printed as 1000 KB.
  while (rest >= (unit === 0 ? 1000 : 999.5) && unit < units.length - 1) {
    rest /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || rest >= 9.95 ? 0 : 1;
  return `${rest.toFixed(digits)} ${units[unit] ?? ''}`;
};

/** A span of time: `0.3 s`, `12 s`, `3:05 min`, `2:00:07 h`. */
export const duration = (ms: number): string => {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)} min`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)} h`;
};

/** An ISO 8601 time without its fractions of a second: `2026-11-22 09:00:00 UTC`. An unknown time is `–`. */
export const moment = (time: string | null): string =>
  time === null ? '–' : `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

/** A sentence of the service, in which times are written as `moment` writes them. */
export const withMoments = (sentence: string): string =>
  sentence.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z/g, moment);

/** An ISO 8601 time as a clock in a zone shows it: `2026-12-07 03:00:00 Europe/Berlin`. In an unknown zone, it is in UTC. */
export const momentIn = (time: string | null, zone: string | undefined): string => {
  if (time === null || zone === undefined) return moment(time);
  try {
    const clock = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    return `${clock.format(new Date(time))} ${zone}`;
  } catch {
    return moment(time);
  }
};

/** What a terminal obeys: control characters, line separators, and marks that turn the direction of writing. */
const obeyed = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Ends of lines, which many cells have. */
const lineEnd = /\r?\n/gu;

/**
 * Data without characters that a terminal obeys; a cell of a file could otherwise clear the screen or hide a part of a line.
 * Ends of lines become `↵`, tabs become `⇥`, and others become `�`.
 */
export const plain = (data: string): string =>
  data.replaceAll(lineEnd, '↵').replaceAll('\t', '⇥').replaceAll(obeyed, '�');

/** A name in a sentence. One with quotes has none around it: many conditions have, such as `"Last visit" within 90 days`. */
export const asName = (name: string): string => (name.includes('"') ? plain(name) : `"${plain(name)}"`);

/** A line that keeps its colours, and nothing else that a terminal obeys. */
export const plainButColours = (line: string): string =>
  line
    .split(colour)
    .map((part, index) => (index % 2 === 0 ? plain(part) : part))
    .join('');

/** A JSON document with the same values, in which escapes stand for characters that a terminal obeys. */
export const plainJson = (value: unknown): string => {
  const lines = JSON.stringify(value, undefined, 2).split('\n');
  const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return lines.map((line) => line.replaceAll(obeyed, escape)).join('\n');
};

/** A word of a command to copy, with quotes if a shell would divide it. */
export const quoted = (word: string): string =>
  /[^\p{L}\p{N}_./:=@%+,-]/u.test(word) ? `'${word.replaceAll("'", String.raw`'\''`)}'` : word;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Wide characters of East Asian scripts, and pictures, take two columns. */
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** The number of columns that a text takes in a terminal. */
export const widthOf = (text: string): number => {
  const bare = text.replaceAll(colour, '');
  if (/^[ -~]*$/.test(bare)) return bare.length;
  let width = 0;
  for (const { segment } of graphemes.segment(bare)) width += wide.test(segment) ? 2 : 1;
  return width;
};

/** A text of at most `most` columns; a longer text ends with `…`. Expects a text without colours. */
export const clip = (text: string, most: number): string => {
  if (widthOf(text) <= most) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment);
    if (width > most - 1) break;
    kept += segment;
  }
  return `${kept}…`;
};

/** A text in lines of at most `most` columns, divided between words. A longer word is clipped. */
export const wrapped = (text: string, most: number): readonly string[] => {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const joined = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && widthOf(joined) <= most) lines[lines.length - 1] = joined;
    else lines.push(clip(word, most));
  }
  return lines;
};
