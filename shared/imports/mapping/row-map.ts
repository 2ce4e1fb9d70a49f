/** Row map: maps the cells of a row to a record, compiled once per batch from the field maps of a definition. */
import { limits } from '../../config/limits.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { Refusal } from '../../profiles/types.ts';
import type { FieldMap } from './field-map.ts';
import { parseTarget, type Target } from './field-targets.ts';
import { hiddenColumns } from './hidden-columns.ts';
import type { CellFault } from './cell-fault.ts';
import { compileTransformations, fillEmpty, type Transform } from './transformations.ts';

/** Maps the cells of a row to a record in the form that the API accepts. */
export type RowMap = (cells: readonly string[]) => Result<Readonly<Record<string, unknown>>, Refusal>;

type Draft = Record<string, unknown>;

interface Column {
  readonly pick: readonly number[];
  readonly transform: Transform;
  /** Whether an empty cell can get a text. */
  readonly fillsEmpty: boolean;
  /** Whether messages may show the text of the cell. */
  readonly isShown: boolean;
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
export const compileRowMap = async (
  { mapping_fields: { field_maps } }: MappedDefinition,
  picks: readonly (readonly number[])[],
  taggedAt: string,
): Promise<RowMap> => {
  const hidden = hiddenColumns(field_maps, picks);
  const columns: Column[] = [];
  for (const [index, map] of field_maps.entries()) {
    const pick = picks[index] ?? [];
    const isShown = !pick.some((column) => hidden.has(column));
    columns.push(await columnOf(map, { pick, isShown }, taggedAt));
  }
  return (cells) => {
    const record: Draft = {};
    for (const { pick, transform, fillsEmpty, isShown, targetField, most, set } of columns) {
      const joined = textAt(cells, pick);
      if (joined === '' && !fillsEmpty) continue;
      if (joined.length > most) return err(tooLong(targetField, most));
      const text = transform(joined);
      if (typeof text !== 'string') return err(unreadable(targetField, isShown ? joined : undefined, text));
      if (text !== '') set(record, text);
    }
    return ok(record);
  };
};

const columnOf = async (
  { target_field, transformations = [] }: FieldMap,
  place: Pick<Column, 'pick' | 'isShown'>,
  taggedAt: string,
): Promise<Column> => {
  const target = parseTarget(target_field);
  if (!target) throw new Error('import: a definition has an unknown target');
  const most = isList(target) ? limits.imports.cellCharacters : limits.imports.mappedCharacters;
  return {
    ...place,
    transform: await compileTransformations(transformations, most),
    fillsEmpty: fillEmpty(transformations),
    targetField: target_field,
    most,
    set: setterOf(target, taggedAt),
  };
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

/** Longest text of a cell that a message quotes. */
const QUOTED = 50;

/** The row belongs to the client, so the message may quote its text, except for social tokens. */
const unreadable = (field: string, text: string | undefined, { code, predicate }: CellFault): Refusal => {
  const subject = text !== undefined && text.length <= QUOTED ? JSON.stringify(text) : 'The cell';
  return { field, code, message: `${subject} ${predicate}.` };
};

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
