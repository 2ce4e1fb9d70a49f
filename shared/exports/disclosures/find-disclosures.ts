/** Find disclosures: tells which exports and enrichers may have had the data of a person lately. */
import { limits } from '../../config/limits.ts';
import { readEnrichers, type Enricher } from '../../enrichment/enrichers.ts';
import type { Disclosures, DisclosuresOf } from '../../profiles/disclosures.ts';
import { enricherOfOrigin } from '../../profiles/profile-state.ts';
import { parseEntry } from '../../profiles/stored-profile.ts';
import { DAY_MS, isoTime, type Clock } from '../../runtime/clock.ts';
import { mapAhead } from '../../runtime/map-ahead.ts';
import { mapLimited } from '../../runtime/pool.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { DeliveryKind, ExportDefinition, ExportDelivery } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { candidateKeys, mayHold } from '../model/frozen-set.ts';
import { recentJobs, type JobWithFile } from './recent-jobs.ts';

const { disclosureJobs, disclosureSeconds, disclosedJobs, namedJobs, retentionDays } = limits.exports;

export interface DisclosureDeps {
  readonly table: Table;
  readonly exports: ExportRepository;
  readonly files: Pick<ObjectStore, 'get'>;
  readonly clock: Clock;
}

/** Frozen sets that are read at the same time: each may have some megabytes. */
const SETS_AT_ONCE = 8;

/** Definitions that are read at the same time. */
const DEFINITIONS_AT_ONCE = 8;

/**
 * Tells who may have got the data of a person in the days for which files are kept: the jobs whose frozen members, or the
 * members of their base, have the person. Such a person may have no row, for example without an e-mail address, so the
 * answer may have too much, never too little: if there is not enough time to look at all, the newest of each export were
 * looked at, and the answer says so.
 */
export const findDisclosures =
  (deps: DisclosureDeps): DisclosuresOf =>
  async (property, ordinal, now) => {
    const since = now - retentionDays * DAY_MS;
    const until = deps.clock() + disclosureSeconds * 1_000;
    const [recent, enrichers] = await Promise.all([
      recentJobs(deps, property, { since, until }),
      askedEnrichers(deps.table, property, ordinal),
    ]);
    const { found, more, isWhole } = await jobsWith(deps, recent.jobs, { ordinal, until });
    return {
      since: isoTime(since),
      all_looked_at: recent.isWhole && isWhole,
      exports: await exportViews(deps, found, more),
      enrichers,
    };
  };

/** Names the settings of a job: jobs with the same settings go to the same receivers. */
const settingsOf = ({ export: id, plan }: JobWithFile): string => `${id} ${plan.revision}`;

interface Found {
  readonly found: readonly JobWithFile[];
  /** Exports with earlier jobs that nobody looked at, because enough jobs with their settings had the person. */
  readonly more: ReadonlySet<number>;
  readonly isWhole: boolean;
}

/**
 * Jobs in the order in which they are looked at: the newest job of each export, then the next one of each. So an export with
 * very many jobs, such as a change feed, leaves looks for the others.
 */
const inTurns = (jobs: readonly JobWithFile[]): readonly JobWithFile[] =>
  [...Map.groupBy(jobs, (job) => job.export).values()]
    .flatMap((own) => own.map((job, turn) => ({ job, turn })))
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ job }) => job);

/** The jobs that may have a person, the newest first. */
const jobsWith = async (
  { files, clock }: DisclosureDeps,
  jobs: readonly JobWithFile[],
  { ordinal, until }: { readonly ordinal: number; readonly until: number },
): Promise<Found> => {
  const found: JobWithFile[] = [];
  const more = new Set<number>();
  const counts = new Map<string, number>();
  const known = new Map<string, Promise<boolean>>();
  let looks = 0;
  let isWhole = true;
  // A set is the base of one job and the members of another.
  const isIn = async (key: string): Promise<boolean> => mayHold(await files.get(key), [ordinal]);
  const read = (key: string): Promise<boolean> => {
    const reading = known.get(key) ?? isIn(key);
    known.set(key, reading);
    return reading;
  };
  const look = async (job: JobWithFile): Promise<JobWithFile | undefined> => {
    if ((counts.get(settingsOf(job)) ?? 0) >= disclosedJobs) {
      more.add(job.export);
      return undefined;
    }
    looks += 1;
    if (looks > disclosureJobs || found.length >= namedJobs || clock() >= until) {
      isWhole = false;
      return undefined;
    }
    return (await Promise.all(candidateKeys(job.plan).map(read))).includes(true) ? job : undefined;
  };
  for await (const job of mapAhead(inTurns(jobs), SETS_AT_ONCE, look)) {
    if (!job) continue;
    found.push(job);
    counts.set(settingsOf(job), (counts.get(settingsOf(job)) ?? 0) + 1);
  }
  return { found: found.toSorted((a, b) => b.job - a.job), more, isWhole };
};

const exportViews = async (
  { exports }: DisclosureDeps,
  found: readonly JobWithFile[],
  more: ReadonlySet<number>,
): Promise<Disclosures['exports']> => {
  const deliveries = await exports.deliveries(found);
  const groups = [...Map.groupBy(found.entries(), ([, job]) => settingsOf(job)).values()];
  // All jobs of one revision have one definition.
  const definitions = await mapLimited(groups, DEFINITIONS_AT_ONCE, async ([first]) =>
    first ? exports.frozenDefinition(first[1]) : undefined,
  );
  const definitionOf = new Map(
    groups.flatMap((group, index) => group.map(([, job]) => [job.job, definitions[index]] as const)),
  );
  const byExport = Map.groupBy(found.entries(), ([, job]) => job.export);
  return [...byExport].map(([id, jobs]) => ({
    id: String(id),
    name: jobs.map(([, { job }]) => definitionOf.get(job)?.name ?? null)[0] ?? null,
    jobs: jobs.map(([index, job]) => jobView(job, deliveries[index] ?? [], definitionOf.get(job.job))),
    more_jobs: more.has(id),
  }));
};

const jobView = (
  job: JobWithFile,
  deliveries: readonly ExportDelivery[],
  definition: ExportDefinition | undefined,
): Disclosures['exports'][number]['jobs'][number] => ({
  id: String(job.job),
  finished: job.finished === null ? null : isoTime(job.finished),
  file_name: job.file.name,
  location_until: isoTime(job.file.expires),
  deliveries: deliveries.map(({ kind, state, delivered }) => ({
    kind,
    receiver: (definition && receiverOf(kind, definition)) ?? 'unknown',
    state,
    delivered: delivered === null ? null : isoTime(delivered),
  })),
});

const receiverOf = (kind: DeliveryKind, definition: ExportDefinition): string | null => {
  switch (kind) {
    case 'sftp':
      return definition.destination?.domain ?? null;
    case 's3':
      return definition.s3_destination?.bucket ?? null;
    case 'changes':
      return definition.changes === null ? null : new URL(definition.changes.url).host;
    case 'webhook':
      // The rest of the address may be a secret of the receiver.
      return definition.webhook_url === null ? null : new URL(definition.webhook_url).host;
    case 'email':
      return definition.notification_email;
  }
};

/** The enrichers of the property, and those that the values of a person came from. */
const askedEnrichers = async (
  table: Table,
  property: number,
  ordinal: number,
): Promise<Disclosures['enrichers']> => {
  const [set, item] = await Promise.all([
    readEnrichers(table, property),
    table.get(keys.profile(property, ordinal)),
  ]);
  const entry = parseEntry(item);
  const origins = entry.kind === 'profile' ? [...entry.state.values()].map(({ origin }) => origin) : [];
  const answered = new Set(origins.flatMap((origin) => enricherOfOrigin(origin) ?? []));
  const former = [...answered].filter((name) => set.every((enricher) => enricher.name !== name));
  return [
    ...set.map(({ name, url }: Enricher) => ({ name, url, answered: answered.has(name) })),
    ...former.map((name) => ({ name, url: null, answered: true })),
  ];
};
