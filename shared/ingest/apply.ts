import { limits } from '../config/limits.ts';
import type { BrandVersions, BrandVersionSource } from '../catalogue/brand-versions.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Pause } from '../runtime/pause.ts';
import { fewRounds, nextRound } from '../runtime/retry.ts';
import type { Table } from '../table/table.ts';
import { identityRef, readWorld } from '../profiles/claims.ts';
import { makeClaims, numberPersons, writeProfiles } from './commit.ts';
import type { AcceptedRecord } from '../profiles/contribution.ts';
import { releaseClaims } from './free-claims.ts';
import { indexChange, type SegmentIds } from './index-change.ts';
import { Ledger, type ChangeJournal, type IndexMode, type Reindex } from './ledger.ts';
import type { Ordinals } from '../profiles/ordinals.ts';
import type { Person } from './person.ts';
import { planRecords, type Decision, type PendingRecord } from './plan.ts';
import type { RecordOutcome, Refusal, Stamp, Warning } from '../profiles/types.ts';
import type { PropertyScope } from '../properties/scope.ts';

/** What applying records needs. */
export interface ApplyDeps {
  readonly table: Table;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly ordinals: Ordinals;
  readonly segments: SegmentIds;
  readonly journal: ChangeJournal;
  readonly membership: Reindex;
  readonly brands: BrandVersionSource;
}

/** How a batch is applied. */
export interface ApplyOptions {
  /** Names this attempt in the journal: unique per attempt. */
  readonly cause: string;
  readonly index: IndexMode;
  /** Whether the records may have been stored before, wholly or in part: their warnings are then told again. */
  readonly again?: boolean;
}

/**
 * Stores records on the profiles of their people: finds or makes each one's profile through its identities' claims,
 * merges, announces in the journal what changes in segments, and writes what differs. Outcomes are in the order of the
 * records. A record that is applied again changes nothing. Throws when the table fails or races do not end; what was
 * done by then stays consistent, and the records can be applied again.
 */
export const applyRecords = async (
  deps: ApplyDeps,
  scope: PropertyScope,
  records: readonly AcceptedRecord[],
  { cause, index, again = false }: ApplyOptions,
): Promise<readonly RecordOutcome[]> => {
  const ledger = new Ledger(deps.journal, deps.membership, scope, cause);
  const outcomes: RecordOutcome[] = [];
  let pending: readonly PendingRecord[] = records.map((record, position) => ({
    index: position,
    record,
    refs: record.patch.identities.map((identity) => identityRef(scope, identity)),
  }));
  for (let round = 0; pending.length > 0; round += 1) {
    await nextRound(deps.pause, round, fewRounds, `profiles: ${pending.length} records`);
    // What a round gave up may have been written all the same, when the table's answer was lost.
    pending = await applyRound(deps, scope, { pending, ledger, outcomes, again: again || round > 0 });
  }
  await ledger.settle(index);
  return outcomes;
};

interface Round {
  readonly pending: readonly PendingRecord[];
  readonly ledger: Ledger;
  readonly outcomes: RecordOutcome[];
  readonly again: boolean;
}

/** Takes all pending records as far as they get; returns those that start over. */
const applyRound = async (
  deps: ApplyDeps,
  scope: PropertyScope,
  { pending, ledger, outcomes, again }: Round,
): Promise<readonly PendingRecord[]> => {
  const { table, ordinals } = deps;
  const now = deps.clock();
  const world = await readWorld(
    table,
    scope.id,
    pending.flatMap(({ refs }) => refs),
  );
  const plan = planRecords(world, pending, now);
  await numberPersons(ordinals, scope.id, plan);
  await releaseClaims(table, scope.id, plan, now);
  await makeClaims(table, scope.id, plan);
  const writing = [...plan.persons].filter(({ failed, changed }) => !failed && changed !== undefined);
  const repeated = again ? stampsOf(plan.decisions) : undefined;
  const beyondLimit = await announce(deps, scope, { ledger, writing, now, repeated });
  await ledger.write(deps.clock, () => writeProfiles(table, scope.id, writing, now));
  for (const decision of plan.decisions)
    if (!decision.person.failed)
      outcomes[decision.pending.index] = outcomeOf(decision, beyondLimit.has(decision.person));
  for (const { index } of plan.outdated) outcomes[index] = { kind: 'refused', refusal: outdated };
  for (const { index } of plan.forgotten) outcomes[index] = { kind: 'forgotten', warnings: [forgotten] };
  const failed = plan.decisions.filter(({ person }) => person.failed).map((decision) => decision.pending);
  return [...failed, ...plan.deferred].sort((a, b) => a.index - b.index);
};

interface Announced {
  readonly ledger: Ledger;
  readonly writing: readonly Person[];
  readonly now: number;
  readonly repeated: ReadonlyMap<Person, ReadonlySet<Stamp>> | undefined;
}

/** The stamps of the records that went into each person. */
const stampsOf = (decisions: readonly Decision[]): ReadonlyMap<Person, ReadonlySet<Stamp>> => {
  const stamps = new Map<Person, Set<Stamp>>();
  for (const { person, stamp, refusal } of decisions)
    if (!refusal && !person.failed) stamps.set(person, (stamps.get(person) ?? new Set()).add(stamp));
  return stamps;
};

/**
 * Announces what writing these persons changes in segments, by every version of the brands that is in use; again when there
 * is another one by then, so that a version takes effect only after all is written that was not announced by it. Returns
 * who has a segment that there is no room for.
 */
const announce = async (
  { segments, brands }: ApplyDeps,
  scope: PropertyScope,
  { ledger, writing, now, repeated }: Announced,
): Promise<ReadonlySet<Person>> => {
  const persons = repeated ? [...new Set([...writing, ...repeated.keys()])] : writing;
  for (let known: BrandVersions = await brands(); ;) {
    const deciding = { now, brands: known.all, ...(repeated ? { repeated } : {}) };
    const { pairs, beyondLimit } = await indexChange(segments, scope.id, persons, deciding);
    await ledger.announce(pairs);
    const later = await brands();
    if (later === known) return beyondLimit;
    known = later;
  }
};

const segmentLimit: Warning = {
  code: 'segment_limit',
  detail: 'The property has no room for more segments; the values are stored without them.',
};

const outdated: Refusal = {
  field: null,
  code: 'too_old',
  message: `The record was accepted more than ${limits.profiles.forgottenDays} days ago; send it again.`,
};

const forgotten: Warning = {
  code: 'forgotten',
  detail: 'The person was forgotten after this record was accepted; nothing was stored.',
};

const outcomeOf = (
  { pending, person, stamp, warnings, refusal }: Decision,
  beyondLimit: boolean,
): RecordOutcome => {
  if (refusal) return { kind: 'refused', refusal };
  if (person.ordinal === undefined) throw new Error('profiles: a stored person has no ordinal');
  return {
    kind: isCreator(person, pending) ? 'created' : 'updated',
    ordinal: person.ordinal,
    stamp,
    warnings: beyondLimit ? [...warnings, segmentLimit] : warnings,
  };
};

/** Whether a record made its profile: now, or when it was applied before. */
const isCreator = ({ slot, records }: Person, { index, record: { trace } }: PendingRecord): boolean =>
  slot.kind === 'vacant' ? records[0] === index : trace !== undefined && slot.trace === trace;
