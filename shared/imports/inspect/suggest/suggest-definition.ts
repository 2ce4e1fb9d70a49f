/** Suggest definition: a complete import definition for a file, from its header and its first rows. */
import { limits } from '../../../config/limits.ts';
import { identityKinds } from '../../../table/keys.ts';
import type { FieldMap } from '../../mapping/field-map.ts';
import { attributeOf, parseTarget } from '../../mapping/field-targets.ts';
import type { Doubt } from '../doubt.ts';
import { columnTargets, languageOf } from './match-columns.ts';
import { readsAsConsent } from './suggest-consent.ts';
import { suggestValues } from './suggest-values.ts';

/** What becomes of one column of the file, and why. */
export interface ColumnAdvice {
  readonly column: string;
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
  /** Whether a column says whose record a row is. */
  readonly hasIdentity: boolean;
}

/** Column of a file: its name, and its cells that are not empty. */
interface Column {
  readonly name: string;
  readonly values: readonly string[];
}

/** What a suggestion knows besides the file: the columns with social tokens, and the present year. */
export interface SuggestionContext {
  readonly tokens: ReadonlySet<string>;
  readonly year: number;
}

/** Suggests a field map for each column. */
export const suggestMapping = async (
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { tokens, year }: SuggestionContext,
): Promise<SuggestedMapping> => {
  const named = columnTargets(header);
  const language = languageOf(named);
  const fieldMaps: FieldMap[] = [];
  let bytes = Buffer.byteLength(JSON.stringify({ required_fields: [], field_maps: [] }));
  const columns: ColumnAdvice[] = [];
  const doubts: Doubt[] = [];
  const columnsOfFile = header.map((name, index): Column => ({
    name,
    values: rows.map((cells) => cells[index] ?? '').filter((cell) => cell.trim() !== ''),
  }));
  const targets = withConsent(
    columnsOfFile.map(({ name, values }, index) =>
      tokens.has(name) ? 'social_token' : targetOf(named[index]?.target, values),
    ),
  );
  const fullest = fullestColumns(columnsOfFile, targets);
  for (const [index, { name, values }] of columnsOfFile.entries()) {
    const own = targets[index] ?? '';
    const target = fullest.get(own) === index ? own : '';
    const place = placeOf(name, target, { header, tokens });
    if (place.target === null) {
      columns.push({ column: name, target_field: null, why: place.why });
      continue;
    }
    const advice = await suggestValues({ name, values, target: place.target, language, year });
    const { options, why } = advice;
    const map: FieldMap = {
      sources: [{ type: 'source_field', name }],
      target_field: place.target,
      ...options,
    };
    bytes += Buffer.byteLength(JSON.stringify(map)) + 1;
    if (fieldMaps.length === limits.imports.fieldMaps || bytes > limits.imports.mappingBytes) {
      columns.push({ column: name, target_field: null, why: [noRoom] });
      continue;
    }
    fieldMaps.push(map);
    doubts.push(...(advice.doubts ?? []));
    columns.push({ column: name, target_field: place.target, why: [...place.why, ...why] });
  }
  const identities: ReadonlySet<string> = new Set(identityKinds);
  return {
    fieldMaps,
    columns,
    doubts,
    hasIdentity: fieldMaps.some(({ target_field }) => identities.has(target_field)),
  };
};

/** The target that the name of a column means. `Newsletter` means consent only if the values of the column say so. */
const targetOf = (named: string | undefined, values: readonly string[]): string | undefined => {
  const isConsent = named !== undefined && parseTarget(named)?.kind === 'consent';
  return isConsent && !readsAsConsent(values) ? undefined : named;
};

/** Targets without times of consent whose consent is no target. */
const withConsent = (targets: readonly (string | undefined)[]): readonly (string | undefined)[] =>
  targets.map((target) => {
    const parsed = target === undefined ? undefined : parseTarget(target);
    if (parsed?.kind !== 'consentTime') return target;
    return targets.includes(attributeOf({ kind: 'consent', name: parsed.name })) ? target : undefined;
  });

const noRoom = 'A definition has no room for more columns.';

/** For each target the column that has most values, so that each target is filled once. */
const fullestColumns = (
  columns: readonly Column[],
  targets: readonly (string | undefined)[],
): ReadonlyMap<string, number> => {
  const fullest = new Map<string, number>();
  for (const [index, { values, name }] of columns.entries()) {
    const target = targets[index];
    // A column whose name occurs twice cannot be mapped.
    if (target === undefined || columns.filter((column) => column.name === name).length > 1) continue;
    const known = fullest.get(target);
    if (known === undefined || values.length > (columns[known]?.values.length ?? 0))
      fullest.set(target, index);
  }
  return fullest;
};

interface Place {
  readonly target: string | null;
  readonly why: readonly string[];
}

/** The place of a column whose name means a target, or no target (`''`). */
const placeOf = (
  name: string,
  target: string,
  { header, tokens }: { readonly header: readonly string[]; readonly tokens: ReadonlySet<string> },
): Place => {
  const why = tokens.has(name) ? 'A definition maps social tokens from it.' : `Its name means ${target}.`;
  if (target !== '') return { target, why: [why] };
  return tokens.has(name) ? { target: null, why: [why] } : otherPlace(name, header);
};

/** The place of a column that fills no field. */
const otherPlace = (name: string, header: readonly string[]): Place => {
  if (name === '') return { target: null, why: ['The column has no name.'] };
  if (header.filter((other) => other === name).length > 1)
    return { target: null, why: ['Several columns have this name. Give each column a name of its own.'] };
  if (name.length > limits.imports.nameLength)
    return { target: null, why: ['The name of the column is too long.'] };
  const target = `extra_data.${name}`;
  return parseTarget(target)
    ? { target, why: ['No field has this name, so the values go into extra data.'] }
    : { target: null, why: ['No field can have this name.'] };
};
