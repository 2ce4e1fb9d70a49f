/** Own export: recognises a file that this service exported, so that its values are imported as they were. */
import { isFormula, isGuarded } from '../../../csv/print-line.ts';
import { exportedFields } from '../../../profiles/fields.ts';
import { parseTarget } from '../../mapping/field-targets.ts';
import { type Doubt, doubtsAbout } from '../doubt.ts';
import { type Advice, none } from './advice.ts';
import type { FileColumn } from './file-column.ts';
import type { Demands, Place, PlacedColumn } from './place-columns.ts';

const fields: ReadonlySet<string> = new Set([...exportedFields, 'change', 'current_age', 'extra_data']);
const pair = /^(?:extra_data|consent)\../su;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

/** How a file that this service exported is imported. */
export interface OwnExport {
  readonly columns: readonly PlacedColumn[];
  readonly advice: (name: string, values: readonly string[]) => Advice;
  /** Doubts about the columns that are left out. */
  readonly doubts: readonly Doubt[];
}

/**
 * The rules for a file that this service exported; `undefined` for another file, or if the request names fields of its
 * own. The columns of an export are fields by name, and it has UUIDs of profiles or pairs of `extra_data`, which no other
 * system names so. Its values need no reading: only the formula guard is undone, unless a cell proves that there is none.
 */
export const ownExport = (
  columns: readonly FileColumn[],
  rows: readonly (readonly string[])[],
  targets: Demands['targets'],
): OwnExport | undefined => {
  const header = columns.map(({ name }) => name);
  const cellsOf = (name: string): readonly string[] => {
    const at = header.indexOf(name);
    return at === -1 ? [] : rows.map((cells) => cells[at] ?? '').filter((cell) => cell !== '');
  };
  const uuids = cellsOf('profile_uuid');
  const isProven =
    uuids.length > 0 ? uuids.every((cell) => uuid.test(cell)) : header.some((name) => pair.test(name));
  const isNamed = header.every((name) => fields.has(name) || pair.test(name));
  if (!isProven || !isNamed || targets.size > 0 || new Set(header).size < header.length) return undefined;
  const hasGuard = !rows.some((cells) => cells.some(isFormula));
  const [rest, removed] = [cellsOf('extra_data'), cellsOf('change').filter((cell) => cell === 'removed')];
  return {
    columns: columns.map((column) => ({ ...column, ...placeOf(column.name, header) })),
    advice: (name, values) => {
      const marked = values.filter(isGuarded);
      if (!hasGuard) return none;
      return {
        options: { transformations: [{ name: 'unguard', marks: 'formulas' }] },
        why: ['The formula guard of exports is undone.'],
        doubts: doubtsAbout(name, marked, {
          saw: 'Apostrophes that the formula guard of an export puts before cells.',
          does: 'One apostrophe is removed from each.',
        }),
      };
    },
    doubts: [
      ...doubtsAbout('extra_data', rest, {
        saw: 'Pairs of extra data in JSON, for which an export had no columns.',
        does: 'They are left out.',
      }),
      ...doubtsAbout('change', removed, {
        saw: 'Rows of people who have left the segment of an export.',
        does: 'They are imported like the others, with their identities only.',
      }),
    ],
  };
};

const placeOf = (name: string, header: readonly string[]): Place => {
  const target = left.has(name) ? undefined : parseTarget(name);
  if (target?.kind === 'consentTime' && !header.includes(`consent.${target.name}`)) {
    const why = [`No column consent.${target.name} says what was stated at that time.`];
    return { kind: 'left_out', target: null, why };
  }
  if (!target)
    return { kind: 'left_out', target: null, why: [left.get(name) ?? 'No field can have this name.'] };
  const kind = target.kind === 'extra' ? 'kept' : 'mapped';
  return { kind, target: name, why: ['It is a column of an export of this service.'] };
};

const left: ReadonlyMap<string, string> = new Map([
  ['profile_uuid', 'The service gives each profile its UUID.'],
  ['change', 'It says what an export of changes has seen, which is no field.'],
  ['current_age', 'It is the age on the day of an export, which the birthday or the stated age gave.'],
  ['extra_data', 'It has several pairs in one cell. Columns such as extra_data.color have one pair each.'],
]);
