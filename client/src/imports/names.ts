/** The name of a definition that comes from the name of a file. */

const endings = /\.(?:csv|tsv|tab|txt|gz)$/i;

/** What differs between the files of a series, in front of the name and behind it: dates, numbers, marks of copies. */
const marks: readonly RegExp[] = [
  /^(?:copy of|kopie von|copie de|copia de) /i,
  /^\d{4}[-_.]?\d\d[-_.]?\d\d[ ._-]/,
  /\(\d{1,4}\)$/,
  /(?<=[ ._-])(?:copy|kopie|copie|copia)$/i,
  // The hour of a time stamp: `20261126T0930Z`.
  /(?<=\d)T\d\d[-:_.]?\d\d(?:[-:_.]?\d\d)?Z?$/i,
  /(?<=[ ._-])(?:kw|cw|week|w|q)[ _-]?\d{1,2}$/i,
  /(?<=[ ._-]|\p{L}{3})\d+$/u,
  /^[ ._-]|[ ._-]$/,
];

/**
 * The name of a file without its endings, and without dates, numbers and marks of copies at its ends. So the files of a
 * series have one name: `visitors-2026-11-26 (1).csv.gz` is `visitors`. A name without a letter is kept.
 */
export const seriesOf = (fileName: string): string => {
  const stem = shortened(fileName, [endings]);
  const name = shortened(stem, marks);
  return /\p{L}/u.test(name) ? name : stem;
};

/** A text without the patterns, as often as they fit. It never becomes empty. */
const shortened = (text: string, patterns: readonly RegExp[]): string => {
  const shorter = patterns.reduce((rest, pattern) => rest.replace(pattern, '') || rest, text);
  return shorter === text ? text : shortened(shorter, patterns);
};
