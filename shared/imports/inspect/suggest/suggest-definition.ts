/** Suggest definition: a complete import definition for a file, from its header and its first rows. */
import { limits } from '../../../config/limits.ts';
import { textFaults } from '../../../http/text.ts';
import { identityKinds } from '../../../table/keys.ts';
import type { FieldMap } from '../../mapping/field-map.ts';
import { parseTarget, statementDatedBy } from '../../mapping/field-targets.ts';
import { type Doubt, doubtsAbout } from '../doubt.ts';
import type { Advice } from './advice.ts';
import { doubtsOfContradictions, doubtsOfConsent, doubtsOfLeftOut } from './doubts-of-consent.ts';
import { fileColumns } from './file-column.ts';
import { withFirstNames, columnTargets, languageOf } from './match-columns.ts';
import { fileOrigin } from './file-origin.ts';
import { noIdentity } from './likely-identity.ts';
import type { ColumnKind, Demands, Place, PlacedColumn } from './place-columns.ts';
import { doubtsOfParts, doubtsOfWholeAddresses } from './doubts-of-parts.ts';
import { ownExport } from './own-export.ts';
import type { ShiftedHeader } from './shifted-header.ts';
import { suggestIdentities } from './suggest-identities.ts';
import { unquotedRows } from './suggest-marks.ts';
import { decodedRows } from './suggest-references.ts';
import { suggestValues } from './suggest-values.ts';

/** What becomes of one column of the file, and why. */
export interface ColumnAdvice {
  readonly column: string;
  readonly kind: ColumnKind;
  /** The field that the column fills; `null` for a column that is left out. */
  readonly target_field: string | null;
  readonly why: readonly string[];
}

/** The suggested mapping of a file. */
export interface SuggestedMapping {
  readonly fieldMaps: readonly FieldMap[];
  readonly columns: readonly ColumnAdvice[];
  /** What a person should look at before the file is imported. */
  readonly doubts: readonly Doubt[];
  /** The values that are nobody's identity. */
  readonly notIdentities: readonly string[];
  /** Whether a column says whose record a row is. */
  readonly hasIdentity: boolean;
  /** Remarks about the suggestion as a whole. */
  readonly notes: readonly string[];
}

/** What a suggestion knows besides the columns: the demands of the request, the present year, and how the header fits. */
export interface SuggestionContext extends Demands {
  readonly year: number;
  readonly shift: ShiftedHeader | undefined;
}

const identities: ReadonlySet<string> = new Set(identityKinds);

/** Suggests a field map for each column. */
export const suggestMapping = async (
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { year, shift, ...demands }: SuggestionContext,
): Promise<SuggestedMapping> => {
  // What a column is shows in its cells as they are imported.
  const decoded = unquotedRows(await decodedRows(rows));
  const named = withFirstNames(header, columnTargets(header), decoded);
  const language = languageOf(named);
  const readable = fileColumns(header, decoded, named);
  const own = ownExport(readable, rows, demands.targets);
  // The people of an own export come back as they are.
  const placed = own
    ? { ...own, notIdentities: [] }
    : suggestIdentities({ columns: readable, rows: decoded, year }, shift, demands);
  const country = placed.columns.findIndex(({ target }) => target === 'country');
  const origin = fileOrigin(placed.columns, rows.length);
  const fieldMaps: FieldMap[] = [];
  const advices: ColumnAdvice[] = [];
  const doubts: Doubt[] = [...placed.doubts, ...doubtsOfNames(placed.columns, decoded)];
  const hasRoom = roomForMaps();
  for (const { name, index, values, occurrence } of fileColumns(header, rows, named)) {
    const { target, kind, why, withdrawsOnly = false } = placed.columns[index] ?? nowhere;
    if (target === null) {
      advices.push({ column: name, kind, target_field: null, why });
      continue;
    }
    const rowCountries = rows.flatMap((cells, row) =>
      isFilled(cells[index]) ? [decoded[row]?.[country] ?? ''] : [],
    );
    const advice =
      own?.advice(name, values) ??
      (await suggestValues({ name, values, target, language, year, rowCountries, origin, withdrawsOnly }));
    const map: FieldMap = { sources: sourcesOf(name, occurrence), target_field: target, ...advice.options };
    const further = furtherMaps(advice, map, placed.columns, fieldMaps);
    const refusal = refusalOf([map, ...further], hasRoom);
    if (refusal !== undefined) {
      advices.push({ column: name, kind: 'left_out', target_field: null, why: [refusal] });
      doubts.push(...doubtsOfLeftOut(name, values, target));
      continue;
    }
    fieldMaps.push(map, ...further);
    doubts.push(...(advice.doubts ?? []));
    advices.push({ column: name, kind, target_field: target, why: [...why, ...advice.why] });
  }
  const hasIdentity = fieldMaps.some(({ target_field }) => identities.has(target_field));
  return {
    ...withoutUndated(fieldMaps, advices, demands),
    doubts,
    notIdentities: placed.notIdentities,
    hasIdentity,
    notes: hasIdentity ? [] : [shift?.why ?? noIdentity(placed.columns)],
  };
};

/** Why a definition cannot have the field maps of a column; `undefined` if it can. */
const refusalOf = (maps: readonly FieldMap[], hasRoom: (map: FieldMap) => boolean): string | undefined => {
  if (textFaults({ maps }).length > 0) return unclean;
  return maps.every(hasRoom) ? undefined : noRoom;
};

/**
 * A suggestion without the times of statements whose column could not be named in a definition. Times that the request
 * demands stay, because it is told what they lack.
 */
const withoutUndated = (
  maps: readonly FieldMap[],
  columns: readonly ColumnAdvice[],
  { targets }: Demands,
): Pick<SuggestedMapping, 'fieldMaps' | 'columns'> => {
  const filled = new Set(maps.map(({ target_field }) => target_field));
  const demanded = new Set(targets.values());
  const isUndated = (target: string | null): boolean => {
    const statement = statementDatedBy(parseTarget(target ?? ''));
    return statement !== undefined && !filled.has(statement) && !demanded.has(target);
  };
  return {
    fieldMaps: maps.filter(({ target_field }) => !isUndated(target_field)),
    columns: columns.map((advice) =>
      isUndated(advice.target_field)
        ? { ...advice, kind: 'left_out', target_field: null, why: [noStatement] }
        : advice,
    ),
  };
};

const sourcesOf = (name: string, occurrence: number | undefined): FieldMap['sources'] => [
  { type: 'source_field', name, ...(occurrence !== undefined && { occurrence }) },
];

/** The further field maps of a column, for fields that nothing else fills. */
const furtherMaps = (
  { further = [] }: Advice,
  { sources }: FieldMap,
  columns: readonly PlacedColumn[],
  maps: readonly FieldMap[],
): readonly FieldMap[] => {
  const filled = [...columns.map(({ target }) => target), ...maps.map(({ target_field }) => target_field)];
  return further
    .filter(({ target_field }) => !filled.includes(target_field))
    .map((more) => ({ sources, ...more }));
};

/** The doubts about columns whose names say more than the fields that they fill. */
const doubtsOfNames = (
  columns: readonly PlacedColumn[],
  rows: readonly (readonly string[])[],
): readonly Doubt[] => [
  ...doubtsOfConsent(columns),
  ...doubtsOfContradictions(columns, rows),
  ...doubtsOfParts(columns),
  ...doubtsOfWholeAddresses(columns),
  ...doubtsOfRepeatedNames(columns),
];

/** The doubts about names that several columns have, of which one is taken. */
const doubtsOfRepeatedNames = (columns: readonly PlacedColumn[]): readonly Doubt[] =>
  columns
    .filter(({ target, occurrence }) => occurrence !== undefined && target !== null)
    .flatMap(({ name }) => {
      const left = columns
        .filter((column) => column.name === name && column.isSurplus)
        .flatMap(({ values }) => values);
      return doubtsAbout(name, left, repeatedName);
    });

const repeatedName = {
  saw: 'Several columns of this name have values.',
  does: 'The first of them is taken, and the others are left out.',
};

const isFilled = (cell = ''): boolean => cell.trim() !== '';

const nowhere: Place = { kind: 'left_out', target: null, why: [] };
const noStatement = 'It has the times of statements, and the column of the statements is left out.';
const noRoom = 'A definition has no room for more columns.';
const unclean =
  'Its name, or a cell that a definition would name, has a control character or U+FFFD, which no definition may have.';

/** Tells for one field map after the other whether the definition has room for it. */
const roomForMaps = (): ((map: FieldMap) => boolean) => {
  let bytes = Buffer.byteLength(JSON.stringify({ required_fields: [], field_maps: [] }));
  let maps = 0;
  return (map) => {
    const more = Buffer.byteLength(JSON.stringify(map)) + 1;
    if (maps === limits.imports.fieldMaps || bytes + more > limits.imports.mappingBytes) return false;
    bytes += more;
    maps += 1;
    return true;
  };
};
