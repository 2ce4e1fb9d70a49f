/** Compares what two definitions make of the first rows of a file. */
import { isRecord } from '../json.ts';

/** A row as a definition reads it. */
export interface ReadRow {
  readonly row: number;
  readonly record: Readonly<Record<string, unknown>> | null;
  /** Remarks about fields. A dropped cell fills none, although the record of the row has it. */
  readonly warnings?: readonly { readonly field: string | null; readonly code: string }[];
}

/** A value that a definition reads otherwise. */
export interface OtherValue {
  readonly row: number;
  readonly field: string;
  /** The value of the definition; `undefined` if it reads none. */
  readonly is: unknown;
  /** The value that the file suggests. */
  readonly suggested: unknown;
}

const identities: ReadonlySet<string> = new Set(['unique_id', 'email', 'social_id']);

/**
 * The values that differ between two readings of the same rows. A value that only the definition has is a gain, and no
 * difference. An identity is one: it may be nobody's. `fields` are those that the definition fills.
 */
export const otherValues = (
  own: readonly ReadRow[],
  suggested: readonly ReadRow[],
  fields: ReadonlySet<string>,
): readonly OtherValue[] => {
  const rows = new Map(own.map((read) => [read.row, valuesOf(read)]));
  return suggested.flatMap((read) => {
    const { row } = read;
    const is = rows.get(row) ?? new Map<string, unknown>();
    const wanted = valuesOf(read);
    return [...new Set([...is.keys(), ...wanted.keys()])].flatMap((field) => {
      const other = { row, field, is: is.get(field), suggested: wanted.get(field) };
      return isDifference(other) && (other.is !== undefined || fields.has(field)) ? [other] : [];
    });
  });
};

const isDifference = ({ field, is, suggested }: OtherValue): boolean =>
  suggested === undefined ? identities.has(field) : JSON.stringify(is) !== JSON.stringify(suggested);

/**
 * Whether a person has to decide: a wrong value would be stored in a field, or the values have another form than before. Extra
 * data that is read in another way is shown only.
 */
export const isGrave = ({ field, is }: OtherValue): boolean =>
  is === undefined || !field.startsWith('extra_data.');

/** The values that a row stores, by their fields. */
const valuesOf = ({ record, warnings = [] }: ReadRow): ReadonlyMap<string, unknown> => {
  const dropped = new Set(warnings.filter(({ code }) => code === 'dropped_cell').map(({ field }) => field));
  return new Map(
    Object.entries(record ?? {})
      .flatMap(([field, value]): readonly (readonly [string, unknown])[] =>
        isRecord(value)
          ? Object.entries(value).map(([key, one]) => [`${field}.${key}`, one] as const)
          : [[field, value]],
      )
      .filter(([field, value]) => value !== null && value !== '' && !dropped.has(field)),
  );
};

const SHOWN = 3;

/** The sentences about values that differ. */
export const otherValueLines = (values: readonly OtherValue[]): readonly string[] => {
  const byField = [...Map.groupBy(values, ({ field }) => field).values()];
  return byField.slice(0, SHOWN).flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const { row, field, is, suggested } = first;
    const rows = more.length === 0 ? `Row ${row}` : `Row ${row} and ${more.length} more of the first rows`;
    return [`${rows}: it reads ${textOf(is)} into ${field}; the file looks like ${textOf(suggested)}.`];
  });
};

const textOf = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));
