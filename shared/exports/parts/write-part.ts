/** Write part: prints the rows of one shard into a sealed object, as a step of the export workflow. */
import type { ResolvedProfile } from '../../profiles/types.ts';
import type { PropertyScope } from '../../properties/scope.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { KeyService, ObjectStore } from '../../runtime/ports.ts';
import type { ReadProfileSteps } from '../../profiles/profile-repository.ts';
import { readCandidates, readFrozen, type CandidateState } from './candidates.ts';
import { encodeFrozen, ordinalsBetween, setOf } from '../model/frozen-set.ts';
import type { ExportPart, ExportPlan, JobRef } from '../model/items.ts';
import { keyCollector, lineEndOf } from '../file/layout.ts';
import { packRows, type PartRow } from '../file/part-rows.ts';
import {
  gonePrinter,
  ordinaryPrinter,
  profilePrinter,
  wantedBy,
  type ProfilePrinter,
} from './print-profile.ts';
import type { ExportRepository } from '../model/repository.ts';
import { dataKeyOf, requireDefinition, requireJob, requirePlan } from '../model/named-items.ts';
import { SALT_BYTES, seal } from '../file/sealed-frames.ts';
import { shardRange } from './shards.ts';
import { ATTEMPT_ID_BYTES, objectKeys, sealContext } from '../model/work-keys.ts';

export interface PartDeps {
  readonly exports: ExportRepository;
  readonly work: ObjectStore;
  readonly files: ObjectStore;
  readonly keyService: KeyService;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly readProfiles: ReadProfileSteps;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
}

/**
 * Writes the rows of one shard as a sealed object of this attempt, then stores the part with the name of this object
 * unless another attempt was faster. A repeated call does nothing.
 */
export const writePart = async (deps: PartDeps, ref: JobRef, shard: number): Promise<void> => {
  const [{ value: job }, written] = await Promise.all([
    requireJob(deps.exports, ref),
    deps.exports.part(ref, shard),
  ]);
  if (job.status !== 'running' || written) return;
  const plan = requirePlan(job);
  // Four calls that need nothing of each other: one behind another, they would take longer than some parts.
  const [definition, { keys, rules }, { ordinals, stateOf }, dataKey] = await Promise.all([
    requireDefinition(deps.exports, ref),
    deps.scopeOf(ref.property),
    candidatesOf(deps.files, plan, shard),
    dataKeyOf(deps.keyService, job),
  ]);
  const printer = profilePrinter(definition, keys.uuid, plan);
  const print = rules.specialCategories ? printer : ordinaryPrinter(printer, deps.clock);
  const isWanted = definition.changes === null ? () => true : wantedBy(definition);
  const printGone = gonePrinter(definition, keys.uuid);
  const rows = new ShardRows({ print, printGone, isWanted, ordinals, stateOf });
  const attemptId = deps.ids.hex(ATTEMPT_ID_BYTES);
  const store = (
    kind: 'rows' | 'keys' | 'omitted',
    key: string,
    plain: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ) =>
    deps.work.putStream(
      key,
      seal(
        { dataKey, context: sealContext(ref, shard, kind) },
        Buffer.from(deps.ids.hex(SALT_BYTES), 'hex'),
        plain,
      ),
    );
  const key = objectKeys.part(ref, shard, attemptId);
  const profiles = deps.readProfiles(ref.property, ordinals);
  const { etag } = await store('rows', key, packRows(rows.print(profiles), lineEndOf(definition)));
  const names = rows.keys();
  const keys_key = names.length === 0 ? null : `${key}.keys`;
  if (keys_key !== null) await store('keys', keys_key, [Buffer.from(JSON.stringify(names))]);
  const omitted_key = definition.changes === null || rows.omitted.length === 0 ? null : `${key}.omitted`;
  if (omitted_key !== null) await store('omitted', omitted_key, [encodeFrozen(setOf(rows.omitted))]);
  const skipped = ordinals.length - rows.profiles;
  const part: ExportPart = { shard, key, etag, rows: rows.count, skipped, keys_key, omitted_key };
  await deps.exports.insertPart(ref, part, deps.clock());
};

interface Candidates {
  readonly ordinals: readonly number[];
  readonly stateOf: (ordinal: number) => CandidateState;
}

/** The candidates of a shard. */
const candidatesOf = async (
  files: ObjectStore,
  { members_key, base, candidates, shards }: ExportPlan,
  shard: number,
): Promise<Candidates> => {
  const members = await readFrozen(files, members_key);
  const { all, stateOf } = await readCandidates(files, members, base);
  const { from, to } = shardRange(candidates, shards, shard);
  return { ordinals: [...ordinalsBetween(all, from, to)], stateOf };
};

interface RowPrinters extends Candidates {
  readonly print: ProfilePrinter;
  /** Whether changes have a member. */
  readonly isWanted: (profile: ResolvedProfile) => boolean;
  readonly printGone: ReturnType<typeof gonePrinter>;
}

/** Prints the rows of a shard, counts them, and collects the keys of their `extra_data`. */
class ShardRows {
  count = 0;
  /** Candidates that the file can show. The others were forgotten since the planning, or have no e-mail. */
  profiles = 0;
  /** Members whom changes leave out: they were forgotten, or have withdrawn consent, after the members were frozen. */
  readonly omitted: number[] = [];
  readonly #from: RowPrinters;
  readonly #keys = keyCollector();
  /** The candidates before this one have had their turn. */
  #next = 0;

  constructor(from: RowPrinters) {
    this.#from = from;
  }

  /** The rows of the profiles, each printed when it is taken, so that no more than one large profile is printed at once. */
  async *print(steps: AsyncIterable<Iterable<ResolvedProfile>>): AsyncGenerator<Iterable<PartRow>, void> {
    for await (const profiles of steps) yield this.#printed(profiles);
    yield this.#goneBefore(Infinity);
  }

  *#printed(profiles: Iterable<ResolvedProfile>): Generator<PartRow, void> {
    for (const profile of profiles) {
      yield* this.#goneBefore(profile.ordinal);
      this.#next += 1;
      yield* this.#rowsOf(profile);
    }
  }

  /** The rows of the candidates before an ordinal who have no profile any more. A receiver knows all but the added ones. */
  *#goneBefore(ordinal: number): Generator<PartRow, void> {
    const { ordinals, stateOf, printGone } = this.#from;
    for (let gone = ordinals[this.#next]; gone !== undefined && gone < ordinal; gone = ordinals[this.#next]) {
      this.#next += 1;
      if (stateOf(gone) !== 'removed') this.omitted.push(gone);
      if (!printGone || stateOf(gone) === 'added') continue;
      this.profiles += 1;
      this.count += 1;
      yield printGone(gone);
    }
  }

  /** The keys of `extra_data` that occurred, as many as the columns need. */
  keys(): readonly string[] {
    return this.#keys.smallest();
  }

  #rowsOf(profile: ResolvedProfile): readonly PartRow[] {
    const { print, isWanted, stateOf } = this.#from;
    const state = stateOf(profile.ordinal);
    if (state !== 'removed' && !isWanted(profile)) this.omitted.push(profile.ordinal);
    const printed = print(profile, state);
    if (printed === 'skipped') return [];
    this.profiles += 1;
    if (printed === 'filtered') return [];
    this.count += printed.length;
    for (const { extra = {} } of printed) for (const key of Object.keys(extra)) this.#keys.add(key);
    return printed;
  }
}
