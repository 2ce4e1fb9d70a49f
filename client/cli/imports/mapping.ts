/** The mapping of the columns of a file, as the service suggests it and as the user changes it. */
import * as v from 'valibot';
import {
  columnsOf,
  type FieldMap,
  type ImportDefinition,
  isExtra,
  type Targets,
} from '../../src/imports/mapping.ts';
import { type OptionAt, optionWith } from '../faults.ts';
import { failed, ok, type Result } from '../result.ts';

const fieldMap = v.looseObject({
  sources: v.array(
    v.looseObject({
      type: v.string(),
      name: v.optional(v.string()),
      occurrence: v.optional(v.number()),
    }),
  ),
  target_field: v.string(),
});
const definition = v.looseObject({
  name: v.string(),
  mapping_fields: v.looseObject({ field_maps: v.array(fieldMap) }),
});

/** Reads a definition from a file or an answer. */
export const readDefinition = (value: unknown): ImportDefinition | undefined => {
  const parsed = v.safeParse(definition, value);
  return parsed.success ? parsed.output : undefined;
};

/** What the user wants otherwise than the service suggests it. */
export interface MappingChanges {
  /** `column=field` for each column with another field. */
  readonly map?: readonly string[];
  /** Columns to leave out. */
  readonly skip?: readonly string[];
  /** Columns to keep; the others are left out. A value may have several, with commas between them. */
  readonly only?: readonly string[];
}

/** The fields that the user wants for columns. Fails with a sentence if a change names no column of the file. */
export const wantedTargets = (
  header: readonly string[],
  { map = [], skip = [], only = [] }: MappingChanges,
): Result<Targets, string> => {
  const kept = only.flatMap((text) => columnsIn(text, header));
  const targets = new Map<string, string | null>();
  if (only.length > 0) {
    // A column without a name of its own cannot be kept, and needs no word.
    for (const column of header) if (!kept.includes(column) && column !== '') targets.set(column, null);
  }
  for (const column of skip) targets.set(column, null);
  const named = [...kept, ...skip];
  for (const change of map) {
    const at = change.lastIndexOf('=');
    if (at < 1 || at === change.length - 1) return failed(`Write --map as "column=field", not "${change}".`);
    const column = change.slice(0, at);
    targets.set(column, change.slice(at + 1));
    named.push(column);
  }
  const unknown = named.find((column) => !header.includes(column));
  return unknown === undefined
    ? ok(targets)
    : failed(
        `The file has no column "${unknown}"; its columns are ${header.map((name) => `"${name}"`).join(', ')}.`,
      );
};

/** The columns in a value of `--only`. The name of a column may have commas itself. */
const columnsIn = (text: string, header: readonly string[]): readonly string[] =>
  header.includes(text) ? [text] : text.split(',').map((name) => name.trim());

/**
 * A definition with other fields for some columns. What these columns do is taken from `suggested`, in which the service
 * has looked at their values.
 */
export const withTargets = (
  original: ImportDefinition,
  targets: Targets,
  suggested: Pick<ImportDefinition, 'mapping_fields'>,
): ImportDefinition => {
  const isWanted = (map: FieldMap): boolean => columnsOf(map).some((column) => targets.has(column));
  const kept = original.mapping_fields.field_maps.filter((map) => !isWanted(map));
  const added = suggested.mapping_fields.field_maps.filter((map) => isWanted(map));
  return withMaps(original, [...kept, ...added]);
};

/** A definition without the columns that fill no field but extra data, and of which the user does not speak. */
export const withoutUnknown = (original: ImportDefinition, targets: Targets): ImportDefinition =>
  withMaps(
    original,
    original.mapping_fields.field_maps.filter(
      (map) => !isExtra(map.target_field) || columnsOf(map).some((column) => targets.has(column)),
    ),
  );

const withMaps = (original: ImportDefinition, field_maps: readonly FieldMap[]): ImportDefinition => ({
  ...original,
  mapping_fields: { ...original.mapping_fields, field_maps },
});

/** The option `--map` behind a place in a definition with these changes, or behind a target of an inspection. */
export const mappingOptionAt =
  (
    { mapping_fields }: Pick<ImportDefinition, 'mapping_fields'>,
    { map = [] }: Pick<MappingChanges, 'map'>,
  ): OptionAt =>
  (pointer) => {
    const [, target] = /^\/targets\/([^/]*)$/.exec(pointer) ?? [];
    if (target !== undefined) {
      const column = target.replaceAll('~1', '/').replaceAll('~0', '~');
      const change = map.findLast((one) => one.slice(0, one.lastIndexOf('=')) === column);
      return change === undefined ? undefined : optionWith('--map', change);
    }
    const [, index] = /^\/mapping_fields\/field_maps\/(\d+)(?:\/|$)/.exec(pointer) ?? [];
    const found = index === undefined ? undefined : mapping_fields.field_maps[Number(index)];
    const change = found && `${found.sources[0]?.name ?? ''}=${found.target_field}`;
    return change !== undefined && map.includes(change) ? optionWith('--map', change) : undefined;
  };
