/** Row map: maps the cells of a row to a record, compiled once per batch from the field maps of a definition. */
import { limits } from '../../config/limits.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { Refusal } from '../../profiles/types.ts';
import type { FieldMap } from './field-map.ts';
import { parseTarget, type Target } from './field-targets.ts';
import { transform, type TransformationName } from './transformations.ts';

/** Maps the cells of a row to a record in the form that the API accepts. */
export type RowMap = (cells: readonly string[]) => Result<Readonly<Record<string, unknown>>, Refusal>;

type Draft = Record<string, unknown>;

interface Column {
  readonly pick: readonly number[];
  readonly transformations: readonly TransformationName[];
  readonly targetField: string;
  /** Maximum number of characters before the transformations. */
  readonly most: number;
  readonly set: (record: Draft, text: string) => void;
}

/** The part of an import definition that a row map is compiled from. */
interface MappedDefinition {
  readonly mapping_fields: { readonly field_maps: readonly FieldMap[] };
}

/**
 * Compiles the field maps of a definition for a file whose source columns are at `picks`. Tags in a file have no time
 * of their own. They get `taggedAt` (`YYYY-MM-DD HH:MM:SS`, UTC), the time at which the service accepted the file. An
 * empty cell supplies nothing.
 */
export const compileRowMap = (
  { mapping_fields: { field_maps } }: MappedDefinition,
  picks: readonly (readonly number[])[],
  taggedAt: string,
): RowMap => {
  const columns = field_maps.map((map, index) => columnOf(map, picks[index] ?? [], taggedAt));
  return (cells) => {
    const record: Draft = {};
    for (const { pick, transformations, targetField, most, set } of columns) {
      const joined = textAt(cells, pick);
      if (joined === '') continue;
      if (joined.length > most) return err(tooLong(targetField, most));
      const text = transform(joined, transformations);
      if (text === undefined) return err(unreadable(targetField));
      if (text !== '') set(record, text);
    }
    return ok(record);
  };
};

const columnOf = (map: FieldMap, pick: readonly number[], taggedAt: string): Column => {
  const target = parseTarget(map.target_field);
  if (!target) throw new Error('import: a definition has an unknown target');
  const transformations = (map.transformations ?? []).map(({ name }) => name);
  const most = isList(target) ? limits.imports.cellCharacters : limits.imports.mappedCharacters;
  return { pick, transformations, targetField: map.target_field, most, set: setterOf(target, taggedAt) };
};

const lists: ReadonlySet<string> = new Set(['tags', 'social_likes', 'source']);
const isList = ({ kind, name }: Target): boolean => kind === 'field' && lists.has(name);

/** The text of one column, or of several columns joined by a space. Empty columns leave no gap. */
const textAt = (cells: readonly string[], pick: readonly number[]): string => {
  const [only] = pick;
  if (pick.length === 1 && only !== undefined) return cells[only] ?? '';
  return pick
    .map((index) => cells[index] ?? '')
    .filter((cell) => cell !== '')
    .join(' ');
};

const tooLong = (field: string, most: number): Refusal => ({
  field,
  code: 'too_long',
  message: `Has over ${most} characters in its columns.`,
});

/** Only transformations that read dates can fail. */
const unreadable = (field: string): Refusal => ({
  field,
  code: 'not_a_date',
  message: 'Is no date in a form that its transformation reads.',
});

const setterOf = (target: Target, taggedAt: string): Column['set'] => {
  const { kind, name } = target;
  if (kind === 'address') return (record, text) => setIn(record, 'address', name, text);
  if (kind === 'extra') return (record, text) => setIn(record, 'extra_data', name, text);
  return (record, text) => {
    const value = valueOf(name, text, taggedAt);
    if (value !== undefined) record[name] = value;
  };
};

const setIn = (record: Draft, parent: 'address' | 'extra_data', name: string, text: string): void => {
  const object = record[parent];
  if (isDraft(object)) object[name] = text;
  else record[parent] = { [name]: text };
};

const isDraft = (value: unknown): value is Draft => typeof value === 'object' && value !== null;

/** The value of a field for the text of a cell; `undefined` for an empty list. */
const valueOf = (name: string, text: string, taggedAt: string): unknown => {
  if (name === 'age') return /^\d{1,3}$/.test(text) ? Number(text) : text;
  if (name !== 'tags' && name !== 'social_likes') return text;
  const parts = text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) return undefined;
  return name === 'tags' ? [{ datetime: taggedAt, tag: parts }] : parts.map((id) => ({ id }));
};
