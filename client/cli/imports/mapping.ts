/** The mapping of the columns of a file, as the service suggests it and as the user changes it. */
import * as v from 'valibot';
import { type OptionAt, optionWith } from '../faults.ts';
import { failed, ok, type Result } from '../result.ts';
import type { Column } from '../terminal/table.ts';

const fieldMap = v.looseObject({
  sources: v.array(v.looseObject({ type: v.string(), name: v.optional(v.string()) })),
  target_field: v.string(),
});
const definition = v.looseObject({
  name: v.string(),
  mapping_fields: v.looseObject({ field_maps: v.array(fieldMap) }),
});

/** The definition of an import, as far as commands change it. The service judges the rest. */
export type ImportDefinition = v.InferOutput<typeof definition>;

/** Reads a definition from a file or an answer. */
export const readDefinition = (value: unknown): ImportDefinition | undefined => {
  const parsed = v.safeParse(definition, value);
  return parsed.success ? parsed.output : undefined;
};

/** Changes of a mapping: `column=field` for each column with another field, and the columns to leave out. */
export interface MappingChanges {
  readonly map?: readonly string[];
  readonly skip?: readonly string[];
}

/**
 * The definition with the changes. Fails with a sentence if a change names no column of the file. A column that gets another
 * field loses its transformations, because they belong to the old field.
 */
export const changeMapping = (
  original: ImportDefinition,
  header: readonly string[],
  { map = [], skip = [] }: MappingChanges,
): Result<ImportDefinition, string> => {
  const targets = new Map<string, string | null>(skip.map((column) => [column, null]));
  for (const change of map) {
    const at = change.lastIndexOf('=');
    if (at < 1 || at === change.length - 1) return failed(`Write --map as "column=field", not "${change}".`);
    targets.set(change.slice(0, at), change.slice(at + 1));
  }
  const unknown = [...targets.keys()].find((column) => !header.includes(column));
  if (unknown !== undefined)
    return failed(`The file has no column "${unknown}"; its columns are ${header.join(', ')}.`);
  const kept = original.mapping_fields.field_maps.filter(
    ({ sources }) => !sources.some(({ name }) => name !== undefined && targets.has(name)),
  );
  const added = [...targets].flatMap(([name, target_field]) =>
    target_field === null ? [] : [{ sources: [{ type: 'source_field', name }], target_field }],
  );
  return ok({
    ...original,
    mapping_fields: { ...original.mapping_fields, field_maps: [...kept, ...added] },
  });
};

/** The option `--map` behind a place in a definition with these changes. */
export const mappingOptionAt =
  ({ mapping_fields }: ImportDefinition, { map = [] }: Pick<MappingChanges, 'map'>): OptionAt =>
  (pointer) => {
    const [, index] = /^\/mapping_fields\/field_maps\/(\d+)(?:\/|$)/.exec(pointer) ?? [];
    const found = index === undefined ? undefined : mapping_fields.field_maps[Number(index)];
    const change = found && `${found.sources[0]?.name ?? ''}=${found.target_field}`;
    return change !== undefined && map.includes(change) ? optionWith('--map', change) : undefined;
  };

/** A column of the file in the answer of an inspection. */
export interface InspectedColumn {
  readonly column: string;
  readonly target_field: string | null;
  readonly why: readonly string[];
}

export const mappingColumns: readonly Column[] = [
  { heading: 'Column', least: 8 },
  { heading: 'Field' },
  { heading: 'Example', least: 8 },
  { heading: 'Why', least: 20, wrap: true },
];

/** The rows of the table of a mapping: each column of the file with its field, a value and the reason. */
export const mappingRows = (
  { mapping_fields }: ImportDefinition,
  columns: readonly InspectedColumn[],
  sample: readonly (readonly string[])[],
): readonly (readonly string[])[] =>
  columns.map(({ column, target_field, why }, index) => {
    const targets = mapping_fields.field_maps
      .filter(({ sources }) => sources.some(({ name }) => name === column))
      .map((map) => map.target_field);
    const example = sample.map((cells) => cells[index] ?? '').find((cell) => cell.trim() !== '') ?? '';
    const isSuggested = targets.length === 1 && targets[0] === target_field;
    return [
      column,
      targets.join(', ') || '(left out)',
      example,
      isSuggested ? why.join(' ') : 'Your choice.',
    ];
  });
