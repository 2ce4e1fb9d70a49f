/** `processSlices`: validates and stores the rows of a batch, a few slices at once, for `importBatch`. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from '../../config/limits.ts';
import type { AcceptedRecord } from '../../profiles/contribution.ts';
import { importOrigin } from '../../profiles/origin.ts';
import type { ProfilePatch } from '../../profiles/profile-patch.ts';
import { normalizeRecord, type RecordContext } from '../../profiles/normalize-record.ts';
import { stampOf } from '../../runtime/hybrid-timestamp.ts';
import type { RecordOutcome, Refusal } from '../../profiles/types.ts';
import { batchesOf, mapLimited } from '../../runtime/pool.ts';
import { parseTarget, supplies, type Target } from '../mapping/field-targets.ts';
import type { ImportDefinition } from '../model/import-definition.ts';
import type { ParsedRow } from '../model/parsed-row.ts';
import { refusedRow, type ReportedRow, warnedRows } from '../reports/reported-row.ts';
import type { BatchAttempt, BatchDeps } from './batch-attempt.ts';

/** The outcomes of the valid rows of a slice, and the ordinals of their profiles. */
interface StoredRows {
  readonly failed: readonly ReportedRow[];
  readonly warned: readonly ReportedRow[];
  readonly ordinals: readonly number[];
}
const nothingStored: StoredRows = { failed: [], warned: [], ordinals: [] };

/** The outcomes of the rows of a slice. */
export interface SliceResult extends StoredRows {
  readonly refused: readonly ReportedRow[];
}

/** Validates and stores rows slice by slice, a few slices at once. Returns the results in the order of the rows. */
export const processSlices = async (
  deps: BatchDeps,
  attempt: BatchAttempt,
  rows: readonly ParsedRow[],
): Promise<readonly SliceResult[]> => {
  const { rowsPerSlice, slicesAtOnce } = limits.imports;
  const { job, batch, definition, repeated } = attempt;
  const scope = await deps.scopeOf(job.property);
  const traced = await deps.enrichment.asksAboutNew(job.property);
  return mapLimited([...batchesOf(rows, rowsPerSlice)], slicesAtOnce, async (slice, index) => {
    // Yields, so that this slice is validated while the requests of other slices are in flight.
    await nextTurn();
    const { valid, refused } = validateRows(definition, slice, { now: batch.accepted, tier: batch.tier });
    if (definition.test_mode || valid.length === 0) return { refused, ...nothingStored };
    const records = valid.map((row) => acceptedRecord(attempt, row, traced));
    const attemptId = `import-${job.id}-${batch.uuid}-${attempt.attemptId}-${index}`;
    const outcomes = await deps.store(scope, records, { attemptId, repeated });
    await deps.enrichment.request(scope, records, outcomes);
    return { refused, ...storedRows(valid, outcomes) };
  });
};

/** A row whose record is valid. */
interface ValidRow {
  readonly row: ParsedRow;
  readonly patch: ProfilePatch;
}

interface ValidatedRows {
  readonly valid: readonly ValidRow[];
  readonly refused: readonly ReportedRow[];
}

/** Validates rows one by one: first the required fields of the definition, then the rules of all records. */
const validateRows = (
  { mapping_fields: { required_fields } }: ImportDefinition,
  rows: readonly ParsedRow[],
  context: RecordContext,
): ValidatedRows => {
  const required = required_fields.map((name) => ({ name, target: parseTarget(name) }));
  const valid: ValidRow[] = [];
  const refused: ReportedRow[] = [];
  for (const row of rows) {
    const record = row.record();
    const missing = record.ok ? missingField(required, record.value) : undefined;
    if (!record.ok) {
      refused.push(refusedRow(row, [record.error]));
    } else if (missing !== undefined) {
      refused.push(refusedRow(row, [requiredRefusal(missing)]));
    } else {
      const patch = normalizeRecord(record.value, context);
      if (patch.ok) valid.push({ row, patch: patch.value });
      else refused.push(refusedRow(row, patch.error));
    }
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

const storedRows = (valid: readonly ValidRow[], outcomes: readonly RecordOutcome[]): StoredRows => {
  const failed: ReportedRow[] = [];
  const warned: ReportedRow[] = [];
  const ordinals: number[] = [];
  valid.forEach(({ row }, position) => {
    const outcome = outcomes[position];
    if (!outcome) throw new Error('import: a record has no outcome');
    if (outcome.kind === 'refused') {
      failed.push({ ...refusedRow(row, [outcome.refusal]), failed: true });
      return;
    }
    if (outcome.warnings.length > 0) warned.push(...warnedRows(row, outcome.warnings));
    if (outcome.kind !== 'forgotten') ordinals.push(outcome.ordinal);
  });
  return { failed, warned, ordinals };
};

/**
 * The timestamp (`stamp`) depends only on the acceptance of the batch and the number of the row, so a redelivery does
 * not change it.
 */
const acceptedRecord = (
  { job, batch, definition }: BatchAttempt,
  { row, patch }: ValidRow,
  traced: boolean,
): AcceptedRecord => ({
  patch,
  stamp: stampOf(batch.accepted, row.row),
  skipAppends: batch.skipAppends,
  origin: importOrigin(definition.id, job.id),
  ...(traced ? { trace: `${batch.uuid}#${row.row}` } : {}),
});
