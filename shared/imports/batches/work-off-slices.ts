import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from '../../config/limits.ts';
import { tiers, type RecordOutcome } from '../../profiles/types.ts';
import type { AcceptedRecord } from '../../profiles/contribution.ts';
import { stampOf } from '../../profiles/hybrid-timestamp.ts';
import type { PropertyScope } from '../../properties/scope.ts';
import { batchesOf, mapLimited } from '../../runtime/pool.ts';
import type { ParsedRow } from '../model/candidates.ts';
import { validateRows, type ValidRow } from './judge.ts';
import type { BatchDeps, BatchAttempt } from './batch-work.ts';
import { refusedRow, type ReportedRow, warnedRows } from '../reports/reported-row.ts';

/** What is to be told of rows that keep all rules, and who they are about. */
interface StoredSlice {
  readonly failed: readonly ReportedRow[];
  readonly warned: readonly ReportedRow[];
  readonly ordinals: readonly number[];
}
const nothingStored: StoredSlice = { failed: [], warned: [], ordinals: [] };

/** What became of a few rows of a batch. */
export interface SliceResult extends StoredSlice {
  readonly refused: readonly ReportedRow[];
}

/** Judges and stores candidates a slice at a time, a few slices at once; their results in the order of the rows. */
export const processSlices = async (
  deps: BatchDeps,
  work: BatchAttempt,
  candidates: readonly ParsedRow[],
): Promise<readonly SliceResult[]> => {
  const { rowsPerSlice, slicesAtOnce } = limits.imports;
  const { job, batch, definition } = work;
  const context = { now: batch.accepted, tier: batch.tier ?? tiers[definition.attribute_source] };
  const scope = await deps.scopeOf(job.property);
  const traced = await deps.enrichment.asksAboutNew(job.property);
  return mapLimited([...batchesOf(candidates, rowsPerSlice)], slicesAtOnce, async (slice, index) => {
    // One slice is judged while the requests of others are under way, not all of them first.
    await nextTurn();
    const { valid, refused } = validateRows(definition, slice, context);
    const records = valid.map((record) => acceptedRecord(work, record, traced));
    const stored =
      definition.test_mode || records.length === 0
        ? nothingStored
        : outcomeOf(
            valid,
            await store(deps, scope, records, {
              attemptId: attemptIdOf(work, index),
              repeated: work.repeated,
            }),
          );
    return { refused, ...stored };
  });
};

const store = async (
  deps: BatchDeps,
  scope: PropertyScope,
  records: readonly AcceptedRecord[],
  attempt: { readonly attemptId: string; readonly repeated: boolean },
): Promise<readonly RecordOutcome[]> => {
  const outcomes = await deps.store(scope, records, attempt);
  await deps.enrichment.request(scope, records, outcomes);
  return outcomes;
};

const outcomeOf = (valid: readonly ValidRow[], outcomes: readonly RecordOutcome[]): StoredSlice => {
  const failed: ReportedRow[] = [];
  const warned: ReportedRow[] = [];
  const ordinals: number[] = [];
  valid.forEach(({ candidate }, position) => {
    const outcome = outcomes[position];
    if (!outcome) throw new Error('import: a record has no outcome');
    if (outcome.kind === 'refused') {
      failed.push({ ...refusedRow(candidate, [outcome.refusal]), failed: true });
      return;
    }
    warned.push(...warnedRows(candidate, outcome.warnings));
    if (outcome.kind !== 'forgotten') ordinals.push(outcome.ordinal);
  });
  return { failed, warned, ordinals };
};

const attemptIdOf = ({ job, batch, attemptId }: BatchAttempt, slice: number): string =>
  `import-${job.id}-${batch.uuid}-${attemptId}-${slice}`;

/** The stamp is fixed by when the batch was accepted and the record's place in it, so redelivery never changes it. */
const acceptedRecord = (
  { batch, definition }: BatchAttempt,
  { candidate, patch }: ValidRow,
  traced: boolean,
): AcceptedRecord => ({
  patch,
  stamp: stampOf(batch.accepted, candidate.row),
  skipAppends: batch.skipAppends,
  origin: `import:${definition.id}`,
  ...(traced ? { trace: `${batch.uuid}#${candidate.row}` } : {}),
});
