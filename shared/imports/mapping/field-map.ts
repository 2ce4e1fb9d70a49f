import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { fullListUpTo, listUpTo } from '../../http/bounded-list.ts';
import { transformation } from './transformation-schema.ts';

const { imports } = limits;

const columnName = v.pipe(v.string(), v.minLength(1), v.maxLength(imports.nameLength));
const constant = v.pipe(v.string(), v.minLength(1), v.maxLength(imports.optionCharacters));

/** A source of a field: a column of the file, or a text that is the same in every row. */
export const source = v.variant(
  'type',
  [
    v.strictObject({ type: v.literal('source_field'), name: columnName }),
    v.strictObject({ type: v.literal('constant'), value: constant }),
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
  /** They are joined by a space. */
  sources: fullListUpTo(imports.sourcesPerField, source),
  /** They run in order. */
  transformations: v.exactOptional(listUpTo(imports.transformationsPerField, transformation)),
  target_field: targetName,
  /** The text between two values of a list. By default `;`, and `,` in `source`. */
  split: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(imports.splitCharacters))),
  /** What happens to a cell that a transformation cannot read or a rule refuses. By default its row is refused. */
  on_bad_value: v.exactOptional(v.picklist(['refuse_row', 'drop_cell'])),
  /** Whether an empty cell erases the value, as `null` does in a record. */
  erase: v.exactOptional(v.boolean()),
});

/** Field map: maps columns of a file, or constants, to one attribute. */
export type FieldMap = Readonly<v.InferOutput<typeof fieldMap>>;

/** The names of the columns that a field map reads, in the order of its sources. */
export const columnsOf = ({ sources }: Pick<FieldMap, 'sources'>): readonly string[] =>
  sources.flatMap((each) => (each.type === 'source_field' ? [each.name] : []));
