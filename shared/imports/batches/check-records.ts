/** Record check: decides for each record or row of a batch whether it is valid. */
import { normalizeRecord, type RecordContext } from '../../profiles/normalize-record.ts';
import type { ProfilePatch } from '../../profiles/profile-patch.ts';
import type { Refusal } from '../../profiles/types.ts';
import { err, type Result } from '../../runtime/result.ts';
import { parseTarget, supplies, type Target } from '../mapping/field-targets.ts';
import type { ImportDefinition } from '../model/import-definition.ts';
import type { ParsedRow } from '../model/parsed-row.ts';
import { refusedRow, type ReportedRow } from '../reports/reported-row.ts';

/** Checks a parsed record: returns its changes to a profile, or the faults for which it is refused. */
export type RecordCheck = (record: Result<unknown, Refusal>) => Result<ProfilePatch, readonly Refusal[]>;

/** Compiles the check of a definition: first its required fields, then the rules of all records. */
export const recordCheck = (
  { mapping_fields: { required_fields } }: Pick<ImportDefinition, 'mapping_fields'>,
  context: RecordContext,
): RecordCheck => {
  const required = required_fields.map((name) => ({ name, target: parseTarget(name) }));
  return (record) => {
    if (!record.ok) return err([record.error]);
    const missing = missingField(required, record.value);
    if (missing !== undefined) return err([requiredRefusal(missing)]);
    return normalizeRecord(record.value, context);
  };
};

/** A row whose record is valid. */
export interface ValidRow {
  readonly row: ParsedRow;
  readonly patch: ProfilePatch;
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
    const patch = check(row.record());
    if (patch.ok) valid.push({ row, patch: patch.value });
    else refused.push(refusedRow(row, patch.error));
  }
  return { valid, refused };
};

/** The first required field that a record lacks. The rules of records refuse a value that is no object. */
const missingField = (
  required: readonly { readonly name: string; readonly target: Target | undefined }[],
  record: unknown,
): string | undefined => {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return undefined;
  return required.find(({ target }) => target && !supplies(record, target))?.name;
};

const requiredRefusal = (field: string): Refusal => ({
  field,
  code: 'required',
  message: 'Is required by the import definition, and empty.',
});
