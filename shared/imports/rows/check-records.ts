/** Record check: decides for each record or row of a batch whether it is valid. */
import { placeholderWarnings } from '../../profiles/placeholder-identities.ts';
import { normalizeRecord, type RecordContext } from '../../profiles/normalize-record.ts';
import type { ProfilePatch } from '../../profiles/profile-patch.ts';
import type { Refusal } from '../../profiles/types.ts';
import { isObject } from '../../http/json.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import {
  attributeNamed,
  isPersonal,
  parseTarget,
  supplies,
  type Target,
  withoutTarget,
} from '../mapping/field-targets.ts';
import {
  type ColumnOf,
  located,
  type MappedColumn,
  type RowRefusal,
  sentenceOf,
} from '../mapping/field-map.ts';
import type { MappedRow } from '../mapping/row-map.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import type { ParsedRow } from '../mapping/parsed-row.ts';
import { refusedRow, type ReportedRow, rowWarning, type RowWarning } from '../reports/reported-row.ts';
import { type IdentityKind, identityKinds } from '../../table/keys.ts';
import { canonicalEmail } from '../../profiles/email-form.ts';
import { visibleText } from '../../runtime/visible-text.ts';

/**
 * Compiles the check of a definition: its mapping, its required fields, the values that it lists as nobody's identity, and
 * the rules of all records.
 */
export const recordCheck = (
  {
    mapping_fields: { required_fields },
    not_identities,
  }: Pick<ImportDefinition, 'mapping_fields' | 'not_identities'>,
  context: RecordContext,
): RecordCheck => {
  const required = required_fields.map((name) => ({ name, target: parseTarget(name) }));
  const isListed = compileNotIdentities(not_identities);
  const check: RecordCheck = (row) => {
    if (!row.ok) return err([row.error]);
    const { record, unread } = row.value;
    const missing = missingFields(required, record, unread);
    const patch = normalizeRecord(record, context);
    if (!patch.ok || missing.length > 0 || unread.length > 0) {
      const faults = [...missing, ...unread, ...(patch.ok ? [] : patch.error)];
      return dropOrRefuse(row.value, context, faults);
    }
    return ok(validRow(row.value, patch.value));
  };
  return isListed ? leavingOut(isListed, check) : check;
};

const validRow = (
  { columnOf, tagsArrived }: MappedRow,
  patch: ProfilePatch,
  warnings: readonly RowWarning[] = noWarnings,
): CheckedRecord => ({
  patch: tagsArrived && patch.tags ? { ...patch, tagsArrived } : patch,
  warnings: [...warnings, ...placeholdersIn(patch, columnOf)],
  columnOf,
});

const placeholdersIn = ({ identities }: ProfilePatch, columnOf: ColumnOf): readonly RowWarning[] => {
  const warnings = placeholderWarnings(identities);
  return warnings.length === 0 ? noWarnings : warnings.map((warning) => rowWarning(warning, columnOf));
};
const noWarnings: readonly RowWarning[] = [];

/**
 * Drops the bad cells of a row whose field maps allow it, and checks the rest. A row is refused for the faults that
 * remain. Rules come in stages, so the rest can have new faults.
 */
const dropOrRefuse = (
  row: MappedRow,
  context: RecordContext,
  first: readonly Refusal[],
): ReturnType<RecordCheck> => {
  const { columnOf } = row;
  const dropped = new Map<MappedColumn, readonly Refusal[]>();
  let { record } = row;
  for (let faults = first; ;) {
    const bad = Map.groupBy(faults, ({ field }) => droppableColumn(columnOf(field), dropped));
    const fatal = bad.get(undefined);
    if (fatal) return err(reasonsOf(fatal, [...dropped.values()].flat(), columnOf));
    for (const [column, own] of bad) {
      if (!column || !isObject(record)) continue;
      dropped.set(column, own);
      record = withoutTarget(record, column.target);
    }
    const patch = normalizeRecord(record, context);
    if (patch.ok) {
      const warnings = [...dropped.values()].map((own) => droppedCell(own, columnOf));
      return ok(validRow(row, patch.value, warnings));
    }
    faults = patch.error;
  }
};

/** The column of a fault, if its cell may be dropped and was not dropped before. */
const droppableColumn = (
  column: MappedColumn | undefined,
  dropped: ReadonlyMap<MappedColumn, unknown>,
): MappedColumn | undefined => (column?.dropsBad === true && !dropped.has(column) ? column : undefined);

/**
 * The faults for which a row is refused. A row without an identity is refused for the identities that cannot be read,
 * if it has any.
 */
const reasonsOf = (
  fatal: readonly Refusal[],
  dropped: readonly Refusal[],
  columnOf: ColumnOf,
): readonly RowRefusal[] => {
  const isIdentity = ({ field }: Refusal): boolean => {
    const target = field === null ? undefined : parseTarget(field);
    return target !== undefined && isPersonal(target);
  };
  const identities = [...fatal, ...dropped].filter(isIdentity);
  const others = fatal.filter((fault) => !isIdentity(fault));
  const rest = identities.length === 0 ? others : others.filter(({ code }) => code !== 'identity_missing');
  const needsIdentity = others.length > rest.length;
  const kept = needsIdentity ? identities : fatal.filter(isIdentity);
  return [...kept, ...rest].map((fault) => located(fault, columnOf));
};

const droppedCell = (faults: readonly Refusal[], columnOf: ColumnOf): RowWarning => {
  const places = faults.map((fault) => located(fault, columnOf));
  const [first] = places;
  return {
    code: 'dropped_cell',
    detail: `${places.map(sentenceOf).join(' ')} The cell was dropped.`,
    field: first?.field ?? null,
    column: first?.column ?? null,
  };
};

/** A row whose record is valid. */
export interface ValidRow extends CheckedRecord {
  readonly row: ParsedRow;
}

/** The rows of a slice after the check. */
export interface CheckedRows {
  readonly valid: readonly ValidRow[];
  readonly refused: readonly ReportedRow[];
}

/** Checks rows one by one. */
export const checkRows = (check: RecordCheck, rows: readonly ParsedRow[]): CheckedRows => {
  const valid: ValidRow[] = [];
  const refused: ReportedRow[] = [];
  for (const row of rows) {
    const checked = check(row.record());
    if (checked.ok) valid.push({ row, ...checked.value });
    else refused.push(refusedRow(row, checked.error));
  }
  return { valid, refused };
};

interface RequiredField {
  readonly name: string;
  readonly target: Target | undefined;
}

/**
 * A fault for each required field that a record lacks, except for fields with a fault of their own. The rules of records
 * refuse a value that is no object.
 */
const missingFields = (
  required: readonly RequiredField[],
  record: unknown,
  unread: readonly Refusal[],
): readonly Refusal[] => {
  const missing = isObject(record)
    ? required.filter(({ target }) => target && !supplies(record, target))
    : [];
  if (missing.length === 0) return [];
  const faulty = new Set(unread.map(({ field }) => field !== null && attributeNamed(field)));
  return missing
    .filter(({ name }) => !faulty.has(attributeNamed(name)))
    .map(({ name }) => requiredRefusal(name));
};

const requiredRefusal = (field: string): Refusal => ({
  field,
  code: 'required',
  message: 'Is required by the import definition, and empty.',
});

/** A valid record: its changes to a profile, and warnings about cells and identities. */
export interface CheckedRecord {
  readonly patch: ProfilePatch;
  readonly warnings: readonly RowWarning[];
  readonly columnOf: ColumnOf;
}

/** Checks a parsed row: returns the valid record, or the faults for which the row is refused. */
export type RecordCheck = (
  row: Result<MappedRow, RowRefusal>,
) => Result<CheckedRecord, readonly RowRefusal[]>;

/**
 * A check of records without the identities that `isListed` names. They are left out before the rules of records, so that
 * `n/a` in a column of addresses is no bad address. Each is a warning; a record that keeps no identity is refused.
 */
const leavingOut =
  (isListed: NotIdentities, check: RecordCheck): RecordCheck =>
  (row) => {
    const listed = row.ok ? listedIn(row.value.record, isListed) : [];
    if (!row.ok || listed.length === 0) return check(row);
    const { record, columnOf } = row.value;
    const kept = Object.fromEntries(
      Object.entries(isObject(record) ? record : {}).filter(
        ([name]) => !listed.some((kind) => kind === name),
      ),
    );
    const checked = check(ok({ ...row.value, record: kept }));
    if (checked.ok) {
      const warnings = listed.map((kind) => leftOut(kind, columnOf));
      return ok({ ...checked.value, warnings: [...warnings, ...checked.value.warnings] });
    }
    const rest = checked.error.filter(({ code }) => code !== 'identity_missing');
    const missing = rest.length === checked.error.length ? [] : listed.map(noIdentity);
    return err([...missing.map((fault) => located(fault, columnOf)), ...rest.map(listedIfRequired(listed))]);
  };

/** The identities of a record that are listed. */
const listedIn = (record: unknown, isListed: NotIdentities): readonly IdentityKind[] => {
  if (!isObject(record)) return [];
  return identityKinds.filter((kind) => {
    const value = record[kind];
    return typeof value === 'string' && value !== '' && isListed(value);
  });
};

const leftOut = (kind: IdentityKind, columnOf: ColumnOf): RowWarning => ({
  code: 'not_an_identity',
  detail: `The ${kind} stands for nobody (\`not_identities\`), so it was left out of the record.`,
  field: kind,
  column: columnOf(kind)?.name ?? null,
});

const noIdentity = (kind: IdentityKind): Refusal => ({
  field: kind,
  code: 'identity_missing',
  message: 'Stands for nobody (`not_identities`), and the record has no other identity.',
});

/** A required field whose value is listed is not empty. */
const listedIfRequired =
  (listed: readonly IdentityKind[]) =>
  (fault: RowRefusal): RowRefusal =>
    fault.code === 'required' && listed.some((kind) => kind === fault.field)
      ? {
          ...fault,
          message: 'Is required by the import definition, and stands for nobody (`not_identities`).',
        }
      : fault;

/** Whether a value is one of those that a definition lists. */
export type NotIdentities = (value: string) => boolean;

/**
 * Compiles a list of values: `*` stands for any characters, also none; every other character for itself. Case, white
 * space at the ends and invisible characters do not matter. A definition compiles its list once. A value costs one
 * look-up, and at most one pass for each pattern, because the parts of a pattern are looked for from left to right.
 */
export const compileNotIdentities = (listed: readonly string[]): NotIdentities | undefined => {
  if (listed.length === 0) return undefined;
  const keys = listed.map(keyOf);
  const plain = new Set(keys.filter((key) => !key.includes('*')));
  const patterns = keys.filter((key) => key.includes('*')).map(patternOf);
  return (value) => {
    const key = keyOf(value);
    return plain.has(key) || patterns.some((matches) => matches(key));
  };
};

/** The form in which identities are compared, whatever their case. */
const keyOf = (text: string): string => canonicalEmail(visibleText(text).toLowerCase());

const patternOf = (pattern: string): NotIdentities => {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.at(-1) ?? '';
  const middle = rest.slice(0, -1).filter((part) => part !== '');
  return (key) => {
    if (!key.startsWith(first)) return false;
    let from = first.length;
    for (const part of middle) {
      const at = key.indexOf(part, from);
      if (at === -1) return false;
      from = at + part.length;
    }
    return key.length - last.length >= from && key.endsWith(last);
  };
};
