/** Header failures: tells a client why the header of a file does not fit its definition, and what to do. */
import type { Delimiter, Dialect } from '../../csv/dialect.ts';
import type { Header } from '../../csv/read-header.ts';
import { nearest } from '../../http/did-you-mean.ts';
import { shortened } from '../../runtime/shortened.ts';
import { fileFailure } from '../jobs/fail-import.ts';
import type { FileFailure } from '../items/import-job.ts';

/** Names of columns that a message lists. */
const MOST_NAMES = 20;

/** Characters of the header line that a message shows. */
const MOST_SHOWN = 100;

const plurals: Readonly<Record<Delimiter, string>> = {
  comma: 'commas',
  semicolon: 'semicolons',
  tab: 'tabs',
  pipe: 'pipes',
};

/** Where more columns of a definition are found: in a later line, or in the header as another dialect reads it. */
interface Better {
  readonly later: number | undefined;
  readonly dialect: Pick<Dialect, 'encoding' | 'delimiter'> | undefined;
}

/**
 * The failure of a header without some columns of the definition. `better` tells where more of them are. Without
 * it, a column of `spare`, which the definition does not use, may have almost the same name.
 */
export const missingColumns = (
  missing: readonly string[],
  header: Header,
  spare: readonly string[],
  better: Better,
): FileFailure => {
  const isElsewhere = better.later !== undefined || better.dialect !== undefined;
  // The comparison of names is slow, and only these names are shown.
  const names = missing.slice(0, MOST_NAMES).map((name) => {
    if (header.cells.includes(name)) return `${quoted(name)} (too few of this name)`;
    // A header of one column is shown as a whole anyway.
    const near = isElsewhere || header.cells.length === 1 ? undefined : nearest(name, spare);
    return near === undefined ? quoted(name) : `${quoted(name)} (the header has ${quoted(near)})`;
  });
  const message = `Columns missing in the header: ${listed(names, missing.length)}. ${found(header, better)}${hint(header, better)}`;
  return fileFailure('missing_column', message, { field: missing[0] ?? null, line: header.at });
};

/** The failure of a header with some columns of the definition more than once. */
export const repeatedColumns = (repeated: readonly string[], { at }: Header): FileFailure =>
  fileFailure(
    'duplicate_column',
    `Columns more than once in the header: ${listed(repeated.slice(0, MOST_NAMES).map(quoted), repeated.length)}. Give each column a name of its own, or state the \`occurrence\` of its source.`,
    { field: repeated[0] ?? null, line: at },
  );

const found = ({ cells, text, dialect, at }: Header, { later }: Better): string => {
  if (later === undefined && cells.some((cell) => cell.includes('@'))) {
    return at > 1
      ? `Line ${at} looks like a row of data. Set \`header_line\` to the line with the column names.`
      : 'The first line looks like a row of data. The file must begin with a line of column names.';
  }
  const columns =
    cells.length === 1 ? '1 column' : `${cells.length} columns, delimited by ${plurals[dialect.delimiter]}`;
  return `The header has ${columns}: ${quoted(shortened(text, MOST_SHOWN))}.`;
};

const hint = ({ dialect }: Header, { later, dialect: better }: Better): string => {
  if (later !== undefined) return ` Line ${later} looks like the header: set \`header_line\` to ${later}.`;
  if (!better) return '';
  const { encoding, delimiter } = better;
  const hints = [
    ...(delimiter === dialect.delimiter
      ? []
      : [` It looks delimited by ${plurals[delimiter]}: set \`delimiter\` to ${delimiter} or auto.`]),
    ...(encoding === dialect.encoding
      ? []
      : [` It looks like ${encoding}: set \`encoding\` to ${encoding} or auto.`]),
  ];
  return hints.join('');
};

const quoted = (text: string): string => JSON.stringify(text);

const listed = (names: readonly string[], total: number): string =>
  names.length === total ? names.join(', ') : `${names.join(', ')} and ${total - names.length} more`;
