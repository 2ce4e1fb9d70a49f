/** `processSlices`: reads, validates and stores the rows of a batch, a few slices at once, for `importBatch`. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import type { AcceptedRecord } from '../../profiles/contribution.ts';
import { importOrigin } from '../../profiles/profile-state.ts';
import type { Rehearsal } from '../../ingest/rehearsal.ts';
import { stampOf } from '../../runtime/hybrid-timestamp.ts';
import type { RecordOutcome } from '../../profiles/types.ts';
import { batchesOf, mapLimited } from '../../runtime/pool.ts';
import { located, columnsOf, type FieldMap } from '../mapping/field-map.ts';
import { type ListCells, noCells, withCell } from '../items/row-findings.ts';
import type { ParsedRow } from '../mapping/parsed-row.ts';
import { refusedRow, type ReportedRow, rowWarning, warnedRows } from '../reports/reported-row.ts';
import { type CheckedRows, checkRows, recordCheck, type ValidRow } from '../rows/check-records.ts';
import type { ProfilePatch } from '../../profiles/profile-patch.ts';
import { utcTimeOf } from '../../http/text.ts';
import { type ObjectStore, ObjectChangedError } from '../../runtime/ports.ts';
import { err, ok } from '../../runtime/result.ts';
import { fileChanged } from '../files/inspect-file.ts';
import type { Batch } from '../items/batch.ts';
import { loseFile } from '../jobs/fail-import.ts';
import { compileRowMap, unmapped } from '../mapping/row-map.ts';
import { readCorrections } from '../retry/sealed-corrections.ts';
import { cellHider, readRows, type VersionStore } from '../rows/read-rows.ts';
import { openToken, hideToken } from '../rows/social-tokens.ts';
import type { Enrichment } from '../../enrichment/enrichers.ts';
import type { PropertyScope } from '../../properties/scope.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { GuardDeps } from '../guards/judge-file.ts';
import type { ChangeDeps } from '../repository/change-job.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import type { ImportJob } from '../items/import-job.ts';

export interface BatchDeps extends ChangeDeps, GuardDeps {
  readonly uploads: VersionStore;
  readonly work: VersionStore & Pick<ObjectStore, 'get' | 'put'>;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  /**
   * Stores records on their profiles. `attemptId` is unique per call. `repeated` means that an earlier call may have
   * stored the records. The drainer updates the index later.
   */
  readonly store: (
    scope: PropertyScope,
    records: readonly AcceptedRecord[],
    attempt: { readonly attemptId: string; readonly repeated: boolean },
  ) => Promise<readonly RecordOutcome[]>;
  /** Begins a rehearsal of the records of a batch, for dry runs. It stores nothing. */
  readonly rehearse: (scope: PropertyScope) => Rehearsal;
  readonly enrichment: Enrichment;
  /** Asks the drainer to bring groups of ordinals into the index. */
  readonly requestDrains: (property: number, groups: readonly number[]) => Promise<void>;
  readonly ids: Ids;
}

/** One attempt of a worker at a batch. */
export interface BatchAttempt {
  readonly job: ImportJob;
  readonly batch: Batch;
  readonly definition: ImportDefinition;
  readonly attemptId: string;
  /** Whether another worker has begun the batch before, or begins it at the same time. */
  readonly repeated: boolean;
}

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
  readonly lists: readonly ListCells[];
}

/** A slice of the rows of a batch. `check` validates them, at the moment when the slice is stored. */
export interface Slice {
  readonly check: () => CheckedRows;
}

/** The rows of a batch in slices that are not validated yet. */
export const slicesOf = (
  { batch, definition }: BatchAttempt,
  rows: readonly ParsedRow[],
): readonly Slice[] => {
  const check = recordCheck(definition, { now: batch.accepted, tier: batch.tier });
  return [...batchesOf(rows, limits.imports.rowsPerSlice)].map((slice) => ({
    check: () => checkRows(check, slice),
  }));
};

/**
 * Validates and stores slices, a few at once. Returns the results in the order of the rows. A dry run rehearses the
 * records and stores none.
 */
export const processSlices = async (
  deps: BatchDeps,
  attempt: BatchAttempt,
  slices: readonly Slice[],
  rehearsal: Rehearsal | undefined,
): Promise<readonly SliceResult[]> => {
  const { job, batch, repeated } = attempt;
  const countLists = listCounter(attempt);
  const scope = await deps.scopeOf(job.property);
  const traced = await deps.enrichment.asksAboutNew(job.property);
  return mapLimited(slices, limits.imports.slicesAtOnce, async (slice, index) => {
    // Yields, so that this slice is validated while the requests of other slices are in flight.
    await nextTurn();
    const { valid, refused } = slice.check();
    const judged = { refused, lists: countLists(valid) };
    if (valid.length === 0) return { ...judged, ...nothingStored };
    const records = valid.map((row) => acceptedRecord(attempt, row, traced));
    if (rehearsal) return { ...judged, ...storedRows(valid, await rehearsal.apply(records)), ordinals: [] };
    const attemptId = `import-${job.id}-${batch.uuid}-${attempt.attemptId}-${index}`;
    const outcomes = await deps.store(scope, records, { attemptId, repeated });
    await deps.enrichment.request(scope, records, outcomes);
    return { ...judged, ...storedRows(valid, outcomes) };
  });
};

const storedRows = (valid: readonly ValidRow[], outcomes: readonly RecordOutcome[]): StoredRows => {
  const failed: ReportedRow[] = [];
  const warned: ReportedRow[] = [];
  const ordinals: number[] = [];
  valid.forEach(({ row, warnings: own, columnOf }, position) => {
    const outcome = outcomes[position];
    if (!outcome) throw new Error('import: a record has no outcome');
    if (outcome.kind === 'refused') {
      failed.push({ ...refusedRow(row, [located(outcome.refusal, columnOf)]), failed: true });
      return;
    }
    const warnings = [...own, ...outcome.warnings.map((warning) => rowWarning(warning, columnOf))];
    if (warnings.length > 0) warned.push(...warnedRows(row, warnings));
    if (outcome.kind !== 'forgotten') ordinals.push(outcome.ordinal);
  });
  return { failed, warned, ordinals };
};

/**
 * The timestamp (`stamp`) depends only on the acceptance of the batch and the number of the row, so a redelivery does
 * not change it.
 */
export const acceptedRecord = (
  { job, batch, definition }: Pick<BatchAttempt, 'job' | 'batch' | 'definition'>,
  { row, patch }: ValidRow,
  traced: boolean,
): AcceptedRecord => ({
  patch,
  stamp: stampOf(batch.accepted, row.row),
  skipAppends: batch.skipAppends,
  origin: importOrigin(definition.id, job.id),
  ...(traced ? { trace: `${batch.uuid}#${row.row}` } : {}),
});

/** The values of a list target in a valid row. They cannot contain the separator at which the cell was split. */
const valuesOf: ReadonlyMap<string, (patch: ProfilePatch) => readonly string[]> = new Map([
  ['tags', ({ tags }: ProfilePatch) => tags?.map(({ tag }) => tag) ?? []],
  ['social_likes', ({ likes }: ProfilePatch) => likes ?? []],
  ['source', ({ labels }: ProfilePatch) => labels ?? []],
]);

/**
 * Compiles a function that counts the list cells of valid rows. Only rows of a file count: records of the API have their
 * values in lists, and corrected rows would count twice.
 */
const listCounter = ({
  batch,
  definition: { mapping_fields },
}: Pick<BatchAttempt, 'batch' | 'definition'>): ((rows: readonly ValidRow[]) => readonly ListCells[]) => {
  const maps = batch.source.kind === 'rows' ? mapping_fields.field_maps : [];
  const counters = maps.flatMap(counterOf);
  return (rows) => counters.map((count) => count(rows));
};

const counterOf = (map: FieldMap): readonly ((rows: readonly ValidRow[]) => ListCells)[] => {
  const values = valuesOf.get(map.target_field);
  const columns = columnsOf(map);
  if (!values || columns.length === 0) return [];
  const none: ListCells = { field: map.target_field, column: columns.join(' + '), ...noCells };
  return [(rows) => rows.reduce((counted, { patch }) => withCell(counted, values(patch)), none)];
};

/** Reads the rows of a batch. If its file has changed since the inspection, the job fails and each row is refused. */
export const readBatchRows = async (
  deps: BatchDeps,
  { job, batch, definition }: BatchAttempt,
): Promise<readonly ParsedRow[]> => {
  const { source } = batch;
  if (source.kind === 'records') {
    const { keys } = await deps.scopeOf(job.property);
    return readRecords(deps.work, source.key, keys.tokens);
  }
  const { source: object, layout } = job;
  // Corrected rows count as rows of the file: they must not outrank a consent that was withdrawn in the meantime.
  const arrived = utcTimeOf(job.arrived ?? batch.accepted);
  const map = layout && (await compileRowMap(definition, layout.picks, arrived));
  if (source.kind === 'corrections') {
    const { keys } = await deps.scopeOf(job.property);
    const file = layout && map && { layout, map };
    return readCorrections(deps.work, { key: source.key, tokens: keys.tokens, definition, file });
  }
  if (!object || !layout || !map) throw new Error('import: the file of a batch was not inspected');
  const shown = cellHider(definition, layout);
  try {
    return await readRows(deps[object.bucket], { source, object, layout, map, shown });
  } catch (error) {
    if (!(error instanceof ObjectChangedError)) throw error;
    await loseFile(deps, { property: job.property, job: job.id }, fileChanged);
    return lostRows(batch, source.row);
  }
};

const recordList = v.pipe(v.string(), v.parseJson(), v.array(v.unknown()));

/**
 * Reads the records of a batch that came over the API; `tokens` is the key that opens their social tokens. Throws when the
 * object does not exist, because it was stored before the batch.
 */
const readRecords = async (
  store: Pick<ObjectStore, 'get'>,
  key: string,
  tokens: Uint8Array,
): Promise<readonly ParsedRow[]> => {
  const bytes = await store.get(key);
  if (!bytes) throw new Error('import: the records of a batch do not exist');
  return v.parse(recordList, Buffer.from(bytes).toString('utf8')).map((record, index) => ({
    row: index + 1,
    line: null,
    record: () => ok(unmapped(openToken(tokens, record))),
    original: () => JSON.stringify(hideToken(record)),
  }));
};

const lostRows = ({ records }: Batch, first: number): readonly ParsedRow[] =>
  Array.from({ length: records }, (_, index) => ({
    row: first + index,
    line: null,
    record: () => err({ field: null, code: fileChanged.code, message: fileChanged.message }),
    original: () => null,
  }));
