/** Row map: maps the cells of a row to a record, compiled once per batch from the field maps of a definition. */
import { limits } from '../../config/limits.ts';
import type { Refusal } from '../../profiles/types.ts';
import { isBlank } from '../../runtime/visible-text.ts';
import type { WorkBudget } from '../../runtime/work-budget.ts';
import type { CellFault } from './cell-fault.ts';
import {
  type ChannelRules,
  completeStatements,
  consentTimeReader,
  readConsent,
  addToStatement,
  attributeNamed,
  attributeOf,
  isList,
  type Target,
} from './field-targets.ts';
import {
  type FieldMap,
  hiddenColumns,
  type ColumnOf,
  columnFinder,
  type MappedColumn,
  mappedColumn,
  noColumns,
} from './field-map.ts';
import {
  compileTransformations,
  fillEmpty,
  type RowCountry,
  type RowInWork,
  rowInWork,
  tooMuchWork,
  type Transform,
} from './transformations.ts';

/** A row as a record in the form that the API accepts. */
export interface MappedRow {
  readonly record: unknown;
  /** Faults of the cells that the mapping cannot read. The record lacks these cells. */
  readonly unread: readonly Refusal[];
  readonly columnOf: ColumnOf;
  /** Whether the tags of the record come from cells, which say no time: they have that of the arrival. */
  readonly tagsArrived: boolean;
}

/** A record of a batch, which needs no mapping. */
export const unmapped = (record: unknown): MappedRow => ({
  ...{ record, unread: [], columnOf: noColumns },
  tagsArrived: false,
});

/** Maps the cells of a row to a record, with the work that the row may cost. */
export type RowMap = (cells: readonly string[], work?: WorkBudget) => MappedRow;

/** A source of a field: the index of a column, or a constant text. */
type Part = number | string;

interface CompiledMap extends FieldSetter {
  readonly column: MappedColumn;
  readonly parts: readonly Part[];
  readonly transform: Transform;
  /** Whether an empty cell can get a text. */
  readonly fillsEmpty: boolean;
  readonly erases: boolean;
  /** Whether messages may show the text of the cell. */
  readonly isShown: boolean;
  /** Maximum number of characters before the transformations. */
  readonly most: number;
}

/** The part of an import definition that a row map is compiled from. */
interface MappedDefinition {
  readonly tags_mode: 'add' | 'replace';
  readonly mapping_fields: {
    readonly field_maps: readonly FieldMap[];
    readonly required_fields: readonly string[];
  };
}

/**
 * Compiles the field maps of a definition for a file whose source columns are at `picks`. Tags, and withdrawals of
 * consent without a time, get `arrived` (`YYYY-MM-DD HH:MM:SS`, UTC), the time at which the file arrived. A cell without
 * visible text is empty: it supplies nothing, unless its map fills it or erases with it. A cell that a short row lacks
 * never erases.
 */
export const compileRowMap = async (
  { mapping_fields: { field_maps, required_fields }, tags_mode }: MappedDefinition,
  picks: readonly (readonly number[])[],
  arrived: string,
): Promise<RowMap> => {
  const required = new Set(required_fields.map(attributeNamed));
  const hidden = hiddenColumns(field_maps, picks);
  const maps: CompiledMap[] = [];
  const rowCountry = await rowCountryOf(field_maps, picks);
  for (const [index, map] of field_maps.entries()) {
    const column = mappedColumn(map, required.has(attributeNamed(map.target_field)));
    const parts = partsOf(map, picks[index] ?? []);
    const isShown = !parts.some((part) => typeof part === 'number' && hidden.has(part));
    maps.push({
      ...(await compileMap(map, column, { arrived, tags_mode, rowCountry })),
      column,
      parts,
      isShown,
    });
  }
  const columnOf = columnFinder(maps.map(({ column }) => column));
  const mapsByChannel = Map.groupBy(
    maps.filter(({ column }) => column.target.kind === 'consent'),
    ({ column }) => column.target.name,
  );
  const rulesOf = (name: string): ChannelRules => ({
    maps: mapsByChannel.get(name)?.length ?? 0,
    isTimeRequired: required.has(attributeOf({ kind: 'consentTime', name })),
  });
  return (cells, work) => {
    const record: Draft = tags_mode === 'replace' ? { tags_mode } : {};
    const unread: Refusal[] = [];
    const row = work ? { cells, work } : rowInWork(cells);
    for (const map of maps) {
      const fault = mapCell(record, map, row);
      if (fault) unread.push(fault);
      if (fault === tooMuchOfRow) break;
    }
    completeStatements(record, arrived, rulesOf);
    return { record, unread, columnOf, tagsArrived: true };
  };
};

/**
 * The country of a row is what the field map of `country` makes of its cells, wherever it stands in the definition, and
 * also if the row is stored without it. A text that its transformations cannot read is still the country of the row.
 */
const rowCountryOf = async (
  maps: readonly FieldMap[],
  picks: readonly (readonly number[])[],
): Promise<RowCountry | undefined> => {
  const index = maps.findIndex(({ target_field }) => attributeNamed(target_field) === 'country');
  const map = maps[index];
  if (!map) return undefined;
  const parts = partsOf(map, picks[index] ?? []);
  const transform = await compileTransformations(map.transformations ?? [], limits.imports.mappedCharacters);
  return (row) => {
    if (!row.work.take(lengthAt(row.cells, parts))) return '';
    const joined = textAt(row.cells, parts);
    const text = transform(joined, row);
    return typeof text === 'string' ? text : joined;
  };
};

const compileMap = async (
  { transformations = [], split, erase = false }: FieldMap,
  { target }: MappedColumn,
  {
    arrived,
    tags_mode,
    rowCountry,
  }: Pick<MappedDefinition, 'tags_mode'> & {
    readonly arrived: string;
    readonly rowCountry: RowCountry | undefined;
  },
): Promise<Omit<CompiledMap, 'column' | 'parts' | 'isShown'>> => {
  // Where the tags of a row replace others, an empty cell means that the person has none of them any more.
  const replaces = tags_mode === 'replace' && target.kind === 'field' && target.name === 'tags';
  const erases = erase || replaces;
  const most = isList(target) ? limits.imports.cellCharacters : limits.imports.mappedCharacters;
  const transform = await compileTransformations(transformations, most, rowCountry);
  return {
    ...setterOf(target, { split, erases, replaces, arrived }),
    transform: thenRead(transform, readerOf(target, arrived)),
    fillsEmpty: fillEmpty(transformations),
    erases,
    most,
  };
};

/** How a target reads the text that transformations leave; `undefined` when the rules of records read the text. */
const readerOf = ({ kind }: Target, arrived: string): Transform | undefined => {
  if (kind === 'consent') return readConsent;
  return kind === 'consentTime' ? consentTimeReader(arrived) : undefined;
};

const thenRead = (transform: Transform, read: Transform | undefined): Transform => {
  if (!read) return transform;
  return (text, row) => {
    const left = transform(text, row);
    return typeof left === 'string' ? read(left, row) : left;
  };
};

/** The sources of a field map in order. `pick` has the indexes of its columns. */
const partsOf = ({ sources }: FieldMap, pick: readonly number[]): readonly Part[] => {
  const indexes = pick.values();
  return sources.flatMap((source): readonly Part[] => {
    if (source.type === 'constant') return [source.value];
    const { value } = indexes.next();
    return value === undefined ? [] : [value];
  });
};

const mapCell = (record: Draft, map: CompiledMap, row: RowInWork): Refusal | undefined => {
  const { column, parts, transform, fillsEmpty, erases, isShown, most, set, erase } = map;
  const { cells, work } = row;
  if (!work.take(lengthAt(cells, parts))) return tooMuchOfRow;
  const joined = textAt(cells, parts);
  if (joined === '' && !fillsEmpty && !erases) return undefined;
  if (joined.length > most) return tooLong(column.targetField, most);
  const text = transform(joined, row);
  if (text === tooMuchWork) return tooMuchOfRow;
  if (typeof text !== 'string') return unreadable(column.targetField, isShown ? joined : undefined, text);
  if (!work.take(text.length * limits.work.row.written)) return tooMuchOfRow;
  if (!isBlank(text)) set(record, text);
  else if (erases && hasCells(cells, parts)) erase(record);
  return undefined;
};

/** The characters of the sources of a field map. */
const lengthAt = (cells: readonly string[], parts: readonly Part[]): number =>
  parts.reduce<number>(
    (sum, part) => sum + (typeof part === 'number' ? (cells[part] ?? '') : part).length,
    0,
  );

/** The text of one source, or of several sources joined by a space. Empty sources leave no gap. */
const textAt = (cells: readonly string[], parts: readonly Part[]): string => {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return textOf(cells, only);
  return parts
    .map((part) => textOf(cells, part))
    .filter((cell) => cell !== '')
    .join(' ');
};

/** Databases pad their fields, so that an empty one is a cell of spaces. */
const textOf = (cells: readonly string[], part: Part): string => {
  const text = typeof part === 'number' ? (cells[part] ?? '') : part;
  return isBlank(text) ? '' : text;
};

/** Whether a row has all cells of a field map, even if they are empty. */
const hasCells = (cells: readonly string[], parts: readonly Part[]): boolean =>
  parts.every((part) => typeof part === 'string' || part < cells.length);

const tooLong = (field: string, most: number): Refusal => ({
  field,
  code: 'too_long',
  message: `Has over ${most} characters in its columns.`,
});

/** The refusal of a row that a definition multiplies. No cell alone is at fault, so none is dropped for it. */
const tooMuchOfRow: Refusal = {
  field: null,
  code: 'too_long',
  message: `The field maps of the definition make too much text of the row: over ${limits.work.row.least} characters, and ${limits.work.row.each} for each of its own, with those of all transformations.`,
};

/** Longest text of a cell that a message quotes. */
const QUOTED = 50;

/** The row belongs to the client, so the message may quote its text, except for social tokens. */
const unreadable = (field: string, text: string | undefined, { code, predicate }: CellFault): Refusal => {
  const subject = text !== undefined && text.length <= QUOTED ? JSON.stringify(text) : 'The cell';
  return { field, code, message: `${subject} ${predicate}.` };
};

/** A record that is being made. */
type Draft = Record<string, unknown>;

/** Writes a text into a record; `null` erases the value of the profile. A list without a value counts as empty. */
interface FieldSetter {
  readonly set: (record: Draft, text: string) => void;
  readonly erase: (record: Draft) => void;
}

/** How the values of a list are read. */
export interface ListOptions {
  /** The text between two values; `undefined` is the default of the target. */
  readonly split: string | undefined;
  /** Whether a list without a value erases the values of the profile. */
  readonly erases: boolean;
  /** Whether that is an empty list, which replaces the tags of this source only. */
  readonly replaces: boolean;
  /** Time of tags (`YYYY-MM-DD HH:MM:SS`, UTC). */
  readonly arrived: string;
}

/** The setter of a target. */
const setterOf = (target: Target, options: ListOptions): FieldSetter => {
  const write = writerOf(target);
  const erase = (record: Draft): void => write(record, options.replaces ? [] : null);
  const valuesOf = target.kind === 'field' ? listOf(target.name, options) : undefined;
  if (valuesOf) {
    return {
      erase,
      set: (record, text) => {
        const values = valuesOf(text);
        if (values !== undefined) write(record, values);
        else if (options.erases) erase(record);
      },
    };
  }
  if (target.kind === 'field' && target.name === 'age')
    return { erase, set: (record, text) => write(record, /^\d{1,3}$/.test(text) ? Number(text) : text) };
  return { erase, set: write };
};

const writerOf = ({ kind, name }: Target): ((record: Draft, value: unknown) => void) => {
  if (kind === 'consent') return (record, state) => addToStatement(record, name, { state });
  if (kind === 'consentTime') return (record, datetime) => addToStatement(record, name, { datetime });
  if (kind === 'address') return (record, value) => setIn(record, 'address', name, value);
  if (kind === 'extra') return (record, value) => setIn(record, 'extra_data', name, value);
  return (record, value) => {
    record[name] = value;
  };
};

const setIn = (record: Draft, parent: 'address' | 'extra_data', name: string, value: unknown): void => {
  const object = record[parent];
  if (isDraft(object)) object[name] = value;
  else record[parent] = { [name]: value };
};

const isDraft = (value: unknown): value is Draft => typeof value === 'object' && value !== null;

type ListOf = (values: readonly string[], arrived: string) => unknown;

/** What the values of a cell are in a record, by the name of the field. */
const lists = new Map<string, ListOf>([
  ['tags', (tag, datetime) => [{ datetime, tag }]],
  ['remove_tags', (tags) => tags],
  ['social_likes', (ids) => ids.map((id) => ({ id }))],
  ['source', (labels) => labels.join(',')],
]);

/** A function from a text to the list of a target, `undefined` for an empty list; `undefined` for other targets. */
const listOf = (name: string, { split, arrived }: ListOptions): ((text: string) => unknown) | undefined => {
  const list = lists.get(name);
  if (!list) return undefined;
  // A record takes labels with commas between them.
  if (name === 'source' && split === undefined) return (text) => text;
  return (text) => {
    const values = entriesOf(text, split ?? ';');
    return values.length === 0 ? undefined : list(values, arrived);
  };
};

const entriesOf = (text: string, split: string): readonly string[] =>
  text
    .split(split)
    .map((part) => part.trim())
    .filter((part) => part !== '');
