import { normalizeRecord, type RecordContext } from '../../profiles/normalize-record.ts';
import type { ProfilePatch } from '../../profiles/profile-patch.ts';
import type { Refusal } from '../../profiles/types.ts';
import type { ParsedRow } from '../model/candidates.ts';
import type { ImportDefinition } from '../model/definition.ts';
import { refusedRow, type ReportedRow } from '../reports/reported-row.ts';
import { parseTarget, supplies, type Target } from '../mapping/targets.ts';

/** A record that keeps all rules. */
export interface ValidRow {
  readonly candidate: ParsedRow;
  readonly patch: ProfilePatch;
}

/** What the rules make of candidates, each in its order. */
export interface ValidatedRows {
  readonly valid: readonly ValidRow[];
  readonly refused: readonly ReportedRow[];
}

/** Judges candidates one by one: required fields of the definition, then the rules that every record keeps. */
export const validateRows = (
  { mapping_fields: { required_fields } }: ImportDefinition,
  candidates: readonly ParsedRow[],
  context: RecordContext,
): ValidatedRows => {
  const required = required_fields.map((name) => ({ name, target: parseTarget(name) }));
  const valid: ValidRow[] = [];
  const refused: ReportedRow[] = [];
  for (const candidate of candidates) {
    const sent = candidate.record();
    const missing = sent.ok ? missingField(required, sent.value) : undefined;
    if (!sent.ok) refused.push(refusedRow(candidate, [sent.error]));
    else if (missing !== undefined) refused.push(refusedRow(candidate, [lacks(missing)]));
    else {
      const record = normalizeRecord(sent.value, context);
      if (record.ok) valid.push({ candidate, patch: record.value });
      else refused.push(refusedRow(candidate, record.error));
    }
  }
  return { valid, refused };
};

/** The first required field that a record lacks. What is no object at all is for the record's own rules to refuse. */
const missingField = (
  required: readonly { readonly name: string; readonly target: Target | undefined }[],
  record: unknown,
): string | undefined => {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return undefined;
  return required.find(({ target }) => target && !supplies(record, target))?.name;
};

const lacks = (field: string): Refusal => ({
  field,
  code: 'required',
  message: 'Is required by the import definition, and empty.',
});
