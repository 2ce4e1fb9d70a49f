/**
 * Field map: its schema, and the columns that it reads. Tells from which column of a file a field of a record comes, for
 * faults and warnings of rows.
 */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { fullListUpTo, listUpTo } from '../../http/bounded-list.ts';
import { described } from '../../http/described.ts';
import { transformation } from './transformation-schema.ts';
import type { Refusal } from '../../profiles/types.ts';
import { isList, parseTarget, type Target } from './field-targets.ts';

const { imports } = limits;

/** The name of a column in a header. */
export const columnName = v.pipe(v.string(), v.minLength(1), v.maxLength(imports.nameLength));
const constant = v.pipe(v.string(), v.minLength(1), v.maxLength(imports.optionCharacters));

/** A source of a field: a column of the file, or a text that is the same in every row. */
export const source = v.variant(
  'type',
  [
    v.strictObject({
      type: described('A column of the file.', v.literal('source_field')),
      name: described('The name of the column in the header, exactly as it is written there.', columnName),
      occurrence: described(
        'Which of several columns of this name, from 1. If left out, the header must have the name once.',
        v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(imports.columns))),
      ),
    }),
    v.strictObject({
      type: described('The same text in every row.', v.literal('constant')),
      value: described('The text.', constant),
    }),
  ],
  'Must be an object like {"type": "source_field", "name": "E-Mail"} or {"type": "constant", "value": "box office"}.',
);

/** The name of a target as sent. `parseTarget` tells whether records have the field. */
export const targetName = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(imports.nameLength + 'extra_data.'.length),
);

/** A field map, in requests, answers and stored definitions. */
export const fieldMap = v.strictObject({
  sources: described(
    'The columns and constants that the value is made of. Several sources are joined by a space; empty ones leave no gap.',
    fullListUpTo(imports.sourcesPerField, source),
  ),
  transformations: described(
    'Changes to the text of the cell, in order, before the rules of the field judge it.',
    v.exactOptional(listUpTo(imports.transformationsPerField, transformation)),
  ),
  target_field: described(
    'The field of the profile that the value fills: a field of a record, `address.<part>`, `extra_data.<key>` or `consent.<channel>`.',
    targetName,
  ),
  split: described(
    'The text between two values of a list. If left out, `tags`, `remove_tags` and `social_likes` split at `;`, and `source` splits at `,`.',
    v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(imports.splitCharacters))),
  ),
  on_bad_value: described(
    'What happens to a cell that a transformation cannot read or a rule refuses. `refuse_row` (also if left out): the row is refused. `drop_cell`: the row is stored without the cell, with a warning.',
    v.exactOptional(v.picklist(['refuse_row', 'drop_cell'])),
  ),
  erase: described(
    'Whether an empty cell erases the value that the profile has. If left out, an empty cell changes nothing.',
    v.exactOptional(v.boolean()),
  ),
});

/** Field map: maps columns of a file, or constants, to one attribute. */
export type FieldMap = Readonly<v.InferOutput<typeof fieldMap>>;

/** A source of a field map that is a column. */
export type SourceColumn = Extract<FieldMap['sources'][number], { readonly type: 'source_field' }>;

/** The sources of a field map that are columns, in order. */
export const sourceColumns = ({ sources }: Pick<FieldMap, 'sources'>): readonly SourceColumn[] =>
  sources.filter((each) => each.type === 'source_field');

/** The names of the columns that a field map reads, in the order of its sources. */
export const columnsOf = (map: Pick<FieldMap, 'sources'>): readonly string[] =>
  sourceColumns(map).map(({ name }) => name);

/** The column, or the columns, from which a field of a record comes. */
export interface MappedColumn {
  readonly target: Target;
  readonly targetField: string;
  /** Name of the column in the file; `null` for a constant. */
  readonly name: string | null;
  /** Whether a bad cell is dropped instead of its row being refused. */
  readonly dropsBad: boolean;
}

/** Finds the column of a fault by the field of the fault; `undefined` when no column is at fault. */
export type ColumnOf = (field: string | null) => MappedColumn | undefined;

/** Records of batches have no columns. */
export const noColumns: ColumnOf = () => undefined;

/** Faults name at most this many characters of a key of `extra_data`. */
const NAMED_CHARACTERS = 100;

/** The name of a field in a fault. */
const faultName = (text: string): string => {
  const [, head, key] = /^(extra_data)\.(.*)$/su.exec(text) ?? [];
  return head === undefined || key === undefined ? text : `${head}.${key.slice(0, NAMED_CHARACTERS)}`;
};

/** The column of a field map. A bad cell of a required field is never dropped. */
export const mappedColumn = (map: FieldMap, isRequired: boolean): MappedColumn => {
  const target = parseTarget(map.target_field);
  if (!target) throw new Error('import: a definition has an unknown target');
  const names = columnsOf(map);
  return {
    target,
    targetField: map.target_field,
    name: names.length === 0 ? null : names.join(' + '),
    dropsBad: map.on_bad_value === 'drop_cell' && !isRequired,
  };
};

/** Columns that fill one field, as columns of consent may, as one: a bad cell of any may refuse the row. */
const together = (one: MappedColumn, other: MappedColumn): MappedColumn => ({
  ...one,
  name: [one.name, other.name].filter((name) => name !== null).join(' + ') || null,
  dropsBad: one.dropsBad && other.dropsBad,
});

/** Finds the columns of faults. A fault in a list, such as `tags.0.tag.3`, belongs to the column of the list. */
export const columnFinder = (columns: readonly MappedColumn[]): ColumnOf => {
  const groups = Map.groupBy(columns, ({ targetField }) => faultName(targetField));
  const byName = new Map([...groups].map(([name, group]) => [name, group.reduce(together)]));
  return (field) => {
    if (field === null) return undefined;
    const own = byName.get(field);
    if (own) return own;
    const [head = ''] = field.split('.', 1);
    const list = byName.get(head);
    return list && isList(list.target) ? list : undefined;
  };
};

/** Why a row is refused. `column` names the column at fault, and `position` the value in the list of its cell, from 1. */
export interface RowRefusal extends Refusal {
  readonly column?: string;
  readonly position?: number;
}

/** Advice for the values of columns, by target. A record of the API needs other advice. */
const advice: ReadonlyMap<string, string> = new Map([
  ['has_children', ' Map other words with the transformation map.'],
]);

/** Adds the column to a fault of a record, and names its field as the field map does. */
export const located = (fault: Refusal, columnOf: ColumnOf): RowRefusal => {
  const column = columnOf(fault.field);
  if (!column) return fault;
  const { target, targetField, name } = column;
  const [, position] = (isList(target) && /\.(\d+)(?:\.id)?$/u.exec(fault.field ?? '')) || [];
  const advised = fault.code === 'not_allowed' ? (advice.get(targetField) ?? '') : '';
  return {
    field: targetField,
    code: fault.code,
    message: `${fault.message}${advised}`,
    ...(name === null ? {} : { column: name }),
    ...(position === undefined ? {} : { position: Number(position) + 1 }),
  };
};

/** A fault as a sentence that begins with its place. */
export const sentenceOf = ({ field, column, position, message }: RowRefusal): string => {
  const value = position === undefined ? '' : `, value ${position}`;
  if (column === undefined || column === field)
    return field === null ? message : `${field}${value}: ${message}`;
  return `${column}${field === null ? '' : ` (${field})`}${value}: ${message}`;
};

/**
 * Indexes of the columns of a file that are mapped to social tokens. Reports and messages hide their cells. `picks` has
 * the indexes of the source columns of each field map.
 */
export const hiddenColumns = (
  fieldMaps: readonly Pick<FieldMap, 'target_field'>[],
  picks: readonly (readonly number[])[],
): ReadonlySet<number> =>
  new Set(
    fieldMaps.flatMap(({ target_field }, index) =>
      target_field === 'social_token' ? (picks[index] ?? []) : [],
    ),
  );
