import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { fullListUpTo, listUpTo } from '../../http/bounded-list.ts';
import { described } from '../../http/described.ts';
import { transformation } from './transformation-schema.ts';

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
