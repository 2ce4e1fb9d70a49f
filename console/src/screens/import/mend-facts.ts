/** What a table of the rows of a report shows: groups by reason, the cells at fault, and whose row it is. */
import { columnsOf } from '../../../../client/src/imports/mapping.ts';
import type { Reason } from './row-words.ts';
import type { ReportedRow, ReportedRows } from './report-rows.ts';
import type { Stored } from './read-file.ts';

/** Rows with one reason. */
export interface Group {
  readonly key: string;
  /** The column or field at fault; empty if the row as a whole is. */
  readonly name: string;
  readonly code: string;
  /** All rows of the job with this reason. `rows` may be fewer. */
  readonly count: number;
  readonly rows: readonly ReportedRow[];
  /** The positions of the cells to correct. */
  readonly columns: readonly number[];
}

/** Cells that a table has room for. All cells of a row can be opened. */
const COLUMNS = 3;

const keyOf = (code: string, column: string | null, field: string | null): string =>
  [code, column ?? '', field ?? ''].join('\n');

/** Whether a message says that a column is at fault. */
export const isAtFault = ({ column, message }: ReportedRow, name: string): boolean =>
  name !== '' && (column === name || message.includes(`${name} (`));

/** The columns that fill a field of the definition. */
const columnsFor = (definition: Stored | undefined, fields: readonly string[]): readonly string[] =>
  (definition?.mapping_fields.field_maps ?? [])
    .filter(({ target_field }) => fields.includes(target_field))
    .toSorted((one, other) => fields.indexOf(one.target_field) - fields.indexOf(other.target_field))
    .flatMap((map) => columnsOf(map));

const positions = (header: readonly string[], names: readonly string[]): readonly number[] =>
  names.map((name) => header.indexOf(name)).filter((at) => at >= 0);

/** The groups of the rows that were read, the largest first, as the reasons of the job. */
export const groupsOf = (
  reasons: readonly Reason[],
  { header, rows }: ReportedRows,
  definition: Stored | undefined,
): readonly Group[] => {
  const byReason = Map.groupBy(rows, ({ code, column, field }) => keyOf(code, column, field));
  const identities = positions(header, columnsFor(definition, ['unique_id', 'email', 'social_id']));
  const groups = [...byReason].map(([key, own]): Group => {
    const [first] = own;
    const reason = reasons.find((one) => keyOf(one.code, one.column, one.field) === key);
    const faulty = header.flatMap((name, at) => (own.some((row) => isAtFault(row, name)) ? [at] : []));
    const usual = identities.length > 0 ? identities : header.map((_, at) => at);
    return {
      key,
      name: first?.column || first?.field || '',
      code: first?.code ?? '',
      count: Math.max(reason?.count ?? 0, own.length),
      rows: own,
      columns: (faulty.length > 0 ? faulty : usual).slice(0, COLUMNS),
    };
  });
  return groups.toSorted((one, other) => other.count - one.count);
};

/** Whose row it is: a name and an identity, as far as cells that are not at fault say it. */
export const personOf = (
  row: ReportedRow,
  header: readonly string[],
  definition: Stored | undefined,
): { readonly name: string; readonly second: string } => {
  const texts = (fields: readonly string[]): readonly string[] =>
    columnsFor(definition, fields)
      .filter((name) => !isAtFault(row, name))
      .map((name) => row.cells[header.indexOf(name)] ?? '')
      .filter((text) => text.trim() !== '');
  const names = texts(['first_name', 'last_name', 'full_name']);
  const ids = texts(['unique_id', 'email', 'social_id']);
  return names.length > 0
    ? { name: names.join(' '), second: ids[0] ?? '' }
    : { name: ids[0] ?? '', second: ids[1] ?? '' };
};
