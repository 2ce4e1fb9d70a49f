/** `judgeFile`: judges all rows of a file by the guards of its definition, before any row is stored. */
import type { DerivationSource } from '../../catalogue/derivation.ts';
import type { SegmentCatalogue } from '../../catalogue/catalogue.ts';
import { identityKey } from '../../catalogue/identity.ts';
import type { SegmentIdentity } from '../../catalogue/types.ts';
import { limits } from '../../config/limits.ts';
import { decode } from '../../csv/decode.ts';
import { streamRows } from '../../csv/stream-rows.ts';
import type { PropertyRules } from '../../properties/rules.ts';
import { stampOf } from '../../runtime/hybrid-timestamp.ts';
import { BoundedMap } from '../../runtime/bounded-map.ts';
import type { Clock } from '../../runtime/clock.ts';
import { ok } from '../../runtime/result.ts';
import type { HasTime } from '../../runtime/time-budget.ts';
import { recordCheck } from '../rows/check-records.ts';
import { cellReader, readVersion, type VersionStore } from '../rows/read-rows.ts';
import { compileRowMap, type RowMap } from '../mapping/row-map.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import type { FileFailure, ImportJob, Layout, StoredObject } from '../items/import-job.ts';
import type { GuardFailure, JobGuard } from '../items/guard-items.ts';
import type { ImportRepository } from '../repository/repository.ts';
import { utcTimeOf } from '../../http/text.ts';
import type { Tier } from '../../profiles/types.ts';
import { refusedFault, segmentFault } from './guard-rules.ts';
import { segmentsOfRecord, type RecordContext } from '../../ingest/record-segments.ts';
import { missingSegments, NewSegments } from './segment-set.ts';
import { canMakeMoreThan, segmentKeys } from './segment-columns.ts';
import { guardsIds, idGuard } from './shared-ids.ts';

/** What the guards read besides the rows. */
export interface GuardDeps {
  readonly imports: ImportRepository;
  readonly segments: Pick<SegmentCatalogue, 'findIds'>;
  readonly derivations: DerivationSource;
  readonly clock: Clock;
}

/** The same for a file. */
export interface JudgeDeps extends GuardDeps {
  readonly rulesOf: (property: number) => Promise<PropertyRules>;
  readonly uploads: VersionStore;
  readonly work: VersionStore;
}

/** A file whose rows are not in batches yet. */
export interface JudgedFile {
  readonly job: ImportJob;
  readonly definition: ImportDefinition;
  readonly source: StoredObject;
  readonly layout: Layout;
  /** Time of acceptance of the rows, in epoch milliseconds. */
  readonly accepted: number;
  readonly skipAppends: boolean;
  readonly tier: Tier;
}

/** `paused`: the time of this call is over, and the next call continues. */
export type Judgement = 'passed' | 'paused' | FileFailure;

/**
 * Judges a file, until its end or while there is time. The pass stores nothing but its own progress. It checks a row in
 * full only if a value of the row is not known yet, or if the definition limits the share of refused rows: so it costs a
 * fraction of the import. It stops at the first segment beyond the guard, so the set of new segments is bounded. Ids that
 * many people share are counted from the cells, to the end of the file. Of a dry run only they are judged, and the guard
 * remembers the failure, because all other guards judge its result.
 */
export const judgeFile = async (deps: JudgeDeps, file: JudgedFile, hasTime: HasTime): Promise<Judgement> => {
  const { job, definition, source, layout } = file;
  const judgesRows = !job.dryRun && isGuarded(definition);
  if (!judgesRows && !guardsIds(definition)) return 'passed';
  const guard = await deps.imports.guard(job);
  if (guard.passed) return 'passed';
  const context = {
    rules: await deps.rulesOf(job.property),
    now: deps.clock(),
    derivations: (await deps.derivations.of(job.property)).all,
  };
  const count = new SegmentCount(deps.segments, job.property, guard);
  const map = await compileRowMap(definition, layout.picks, utcTimeOf(file.accepted));
  const judge = judgesRows ? new RowJudge(file, map, { context, count }) : undefined;
  const ids = await idGuard(definition, layout.picks);
  const cellsIn = cellsReader(layout);
  let { offset, judged, refused } = guard.cursor ?? { offset: layout.offset, judged: 0, refused: 0 };
  const bytes = offset < source.size ? readVersion(deps[source.bucket], source, { from: offset }) : [];
  for await (const { rows, next } of streamRows(bytes, layout.dialect, {
    offset,
    rowBytes: limits.imports.rowBytes,
  })) {
    for (const row of rows) {
      const cells = row && cellsIn(row);
      if (cells) ids?.note(cells);
      if (judge) refused += Number(!cells || !judge.accepts(cells));
    }
    judged += rows.length;
    offset = next;
    await count.settle();
    const { count: made, examples } = count.found;
    const fault = segmentFault(definition, { count: made, isExact: false, examples });
    if (fault) return fault;
    if (hasTime()) continue;
    const early = ids?.fault();
    if (early) return stopAt(deps, job, early);
    await save(deps, job, { ...count.found.stored, cursor: { offset, judged, refused } });
    return 'paused';
  }
  const fault = ids?.fault();
  if (fault) return stopAt(deps, job, fault);
  const tooMany = judgesRows ? refusedFault(definition, { judged, refused }) : undefined;
  if (tooMany) return tooMany;
  await save(deps, job, { ...count.found.stored, cursor: { offset, judged, refused }, passed: true });
  return 'passed';
};

/** Whether the rows of a definition could exceed one of its guards. */
const isGuarded = (definition: ImportDefinition): boolean =>
  definition.max_refused_share !== null ||
  (definition.max_new_segments !== null && canMakeMoreThan(definition.max_new_segments, definition));

/** Ends the judgement of a file with shared ids. A dry run goes on, and its result names the guard. */
const stopAt = async (deps: JudgeDeps, job: ImportJob, fault: GuardFailure): Promise<Judgement> => {
  if (!job.dryRun) return fault;
  await save(deps, job, { passed: true, stopped: { code: fault.code, message: fault.message } });
  return 'passed';
};

/** Stores the progress, unless another call has judged the whole file. */
const save = ({ imports }: JudgeDeps, job: ImportJob, set: Partial<JobGuard>): Promise<void> =>
  imports.changeGuard(job, (seen) => ({ result: undefined, ...(seen.passed ? {} : { set }) }));

/** Compiles the reader of the cells of a row: `undefined` for a row that does not parse, or is no person. */
const cellsReader = (layout: Layout): ((bytes: Buffer) => readonly string[] | undefined) => {
  const cellsOf = cellReader(layout);
  return (bytes) => {
    const text = decode(bytes, layout.dialect.encoding);
    const cells = text === undefined ? undefined : cellsOf(text);
    return cells?.ok === true ? cells.value : undefined;
  };
};

/** Values that the judge remembers, and the longest of them. */
const KNOWN_VALUES = 200_000;
const KNOWN_LENGTH = 500;

/** Judges the rows of a file one by one. */
class RowJudge {
  readonly #file: JudgedFile;
  readonly #context: RecordContext;
  readonly #count: SegmentCount;
  readonly #keysOf: (cells: readonly string[]) => readonly string[];
  readonly #map: RowMap;
  readonly #check: ReturnType<typeof recordCheck>;
  /** Values of valid rows: their segments are counted. */
  readonly #known = new BoundedMap<string, true>(KNOWN_VALUES);

  constructor(
    file: JudgedFile,
    map: RowMap,
    { context, count }: { readonly context: RecordContext; readonly count: SegmentCount },
  ) {
    const { definition, layout, accepted, tier } = file;
    this.#file = file;
    this.#context = context;
    this.#count = count;
    this.#keysOf = segmentKeys(definition, layout.picks);
    this.#map = map;
    this.#check = recordCheck(definition, { now: accepted, tier });
  }

  /** Judges a row; `false` when the row is refused. A row without a new value may pass unchecked. */
  accepts(cells: readonly string[]): boolean {
    const { definition, accepted, skipAppends } = this.#file;
    const keys = this.#keysOf(cells);
    const isKnown = keys.every((key) => this.#known.get(key));
    if (isKnown && definition.max_refused_share === null) return true;
    const checked = this.#check(ok(this.#map(cells)));
    if (!checked.ok) return false;
    if (isKnown) return true;
    const record = { patch: checked.value.patch, stamp: stampOf(accepted), skipAppends };
    this.#count.note(segmentsOfRecord(record, this.#context).values());
    for (const key of keys) if (key.length <= KNOWN_LENGTH) this.#known.set(key, true);
    return true;
  }
}

/** Counts the new segments of a file. */
class SegmentCount {
  readonly found: NewSegments;
  readonly #catalogue: GuardDeps['segments'];
  readonly #property: number;
  /** Segments that exist or are counted. The catalogue of the property and the guard bound their number. */
  readonly #known = new Set<string>();
  #noted = new Map<string, SegmentIdentity>();

  constructor(catalogue: GuardDeps['segments'], property: number, guard: JobGuard) {
    this.#catalogue = catalogue;
    this.#property = property;
    this.found = new NewSegments(guard);
  }

  note(segments: Iterable<SegmentIdentity>): void {
    for (const identity of segments) {
      const key = identityKey(identity);
      if (!this.#known.has(key)) this.#noted.set(key, identity);
    }
  }

  /** Looks the noted segments up in the catalogue, and counts those that it has not got. */
  async settle(): Promise<void> {
    if (this.#noted.size === 0) return;
    const noted = this.#noted;
    this.#noted = new Map();
    this.found.add(await missingSegments(this.#catalogue, this.#property, [...noted.values()]));
    for (const key of noted.keys()) this.#known.add(key);
  }
}
