/**
 * Strict scenario: the whole work of a service under the limits of a small account. A file is imported beside lookups,
 * single profiles, batches of records, a moment and an export with a webhook. For the test, and for `bench/probes/strict.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { makeSample, sampleDefinition, type Sample } from '../../cli/sample.ts';
import { createFaults, type Faults } from '../../local/core/faults.ts';
import { newAccount, type Strictness } from '../../local/core/strictness.ts';
import { deliveriesAnswer } from '../../shared/exports/model/answers.ts';
import { segmentProfilesAnswer } from '../../shared/segments/people-schemas.ts';
import { countedTimelineAnswer } from '../../shared/timelines/schemas.ts';
import { identified, isFinal, type JobCounts, jobSchema, uploadSchema } from '../support/api-client.ts';
import type { TestService } from '../support/service.ts';
import { type SteadyClient, steadyClient } from '../support/steady-client.ts';
import { until } from '../support/until.ts';
import { openReceiver, type Receiver } from '../support/webhook-receiver.ts';
import { fieldMap } from '../support/field-map.ts';

/** The limits of the scenario: a new account, with a small table. */
export const smallAccount: Required<Strictness> = {
  ...newAccount,
  tableUnits: { write: 200, read: 600 },
};

/**
 * Faults of the scenario: 5 % of the calls of functions fail, and 5 % of the messages come twice or late. No worker is
 * killed, because its message comes back only after the visibility timeout of half an hour. No event of Transfer Family
 * is lost, because nothing comes by SFTP.
 */
export const fivePercent = (seed: number): Faults => {
  const faults = createFaults(seed, 0.05);
  return {
    ...faults,
    decide: (kind, key) => kind !== 'kill' && kind !== 'lose' && faults.decide(kind, key),
  };
};

/** How much work there is. */
export interface Size {
  /** Rows of the file. */
  readonly rows: number;
  /** Profiles that are posted one by one. */
  readonly singles: number;
  /** Batches of records over HTTP. */
  readonly batches: number;
  /** Longest time of the import, and of each request. */
  readonly patienceMs: number;
}

const KNOWN = 'known@example.org';
const RECORDS_PER_BATCH = 20;
const TICK_MS = 250;

/** A single profile is posted at every second tick, and the job is read at every fourth. */
const TICKS = { single: 2, poll: 4 };

const range = <T>(length: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length }, (_, index) => make(index));
const visitorOf = (person: number): string => `visitor.${person}@example.org`;
const singleOf = (index: number): string => `single.${index}@example.org`;
const recordsOf = (batch: number): readonly { readonly email: string }[] =>
  range(RECORDS_PER_BATCH, (index) => ({ email: `record.${batch}.${index}@example.org` }));

/** Uploads the sample; returns the path of its job. */
const upload = async (client: SteadyClient, root: string, { csv }: Sample): Promise<string> => {
  const { id } = await client.post(`${root}/imports`, sampleDefinition, identified);
  const bytes = Buffer.from(csv);
  const about = { file_name: 'sample.csv', size: bytes.length };
  const answer = await client.post(`${root}/imports/${id}/uploads`, about, uploadSchema);
  await until('the upload', async () => {
    const { url, headers } = answer;
    const put = await fetch(url, { method: 'PUT', headers, body: bytes }).catch(() => undefined);
    // 412: an earlier attempt arrived, and its answer was lost.
    return put?.ok === true || put?.status === 412 ? true : undefined;
  });
  return `${root}/imports/${id}/jobs/${answer.job_id}`;
};

/** Sends batches of records one after the other; returns the path of their job. */
const sendRecords = async (client: SteadyClient, root: string, batches: number): Promise<string> => {
  const field = fieldMap('email');
  const definition = {
    name: 'Records',
    mapping_fields: { required_fields: ['email'], field_maps: [field] },
  };
  const { id } = await client.post(`${root}/imports`, definition, identified);
  const job = await client.post(`${root}/imports/${id}/jobs`, { name: 'records' }, identified);
  for (let batch = 0; batch < batches; batch += 1)
    await client.post(
      `${root}/import-data`,
      { name: `b${batch}`, import_job: job.id, records: recordsOf(batch) },
      v.unknown(),
    );
  return `${root}/imports/${id}/jobs/${job.id}`;
};

/** Exports a segment beside the import; returns the path of the definition. */
const exportTo = async (client: SteadyClient, root: string, segment: number, receiver: Receiver) => {
  const created = v.looseObject({ id: v.string() });
  const { id } = await client.post(
    `${root}/exports`,
    { segment: [segment], field_set: 'email', data_format: 'csv', webhook_url: receiver.url },
    created,
  );
  return `${root}/exports/${id}`;
};

const exportJobs = v.looseObject({ jobs: v.array(v.looseObject({ id: v.string(), status: v.string() })) });
const notice = v.looseObject({ location: v.nullable(v.string()) });

/** The outcome of the export: the states of its deliveries, and the addresses in its file. */
const readExport = async (client: SteadyClient, path: string, receiver: Receiver) => {
  const [job] = (await client.get(`${path}/jobs`, exportJobs)).jobs;
  const { deliveries } = await client.get(`${path}/jobs/${job?.id}/deliveries`, deliveriesAnswer);
  const { location } = v.parse(notice, JSON.parse(receiver.calls[0]?.body ?? '{}'));
  const states = [job?.status ?? 'no job', ...deliveries.map(({ state }) => state)];
  if (location === null) return { deliveries: states, exportedAddresses: [] };
  const text = await until('the file of the export', async () => {
    const answer = await fetch(location);
    return answer.ok ? answer.text() : undefined;
  });
  return { deliveries: states, exportedAddresses: text.trimEnd().split('\r\n').slice(1) };
};

/** The addresses of all members of a segment, by pages. */
const membersOf = async (client: SteadyClient, property: number, segment: number): Promise<string[]> => {
  const found: string[] = [];
  let next: string | null = `/v2/properties/${property}/segments/${segment}/profiles?limit=500`;
  while (next !== null) {
    const page: v.InferOutput<typeof segmentProfilesAnswer> = await client.get(
      new URL(next, 'http://local').pathname + new URL(next, 'http://local').search,
      segmentProfilesAnswer,
    );
    found.push(...page.profiles.map(({ email }) => email ?? 'nobody'));
    next = page.paging.next_page;
  }
  return found.toSorted();
};

/** Lookups, single profiles and polls of the job, each at its time, until the job has ended. */
const workBeside = async (
  client: SteadyClient,
  root: string,
  { singles, patienceMs }: Size,
  job: Promise<string>,
) => {
  const begun = performance.now();
  const lookups: number[] = [];
  const pending: Promise<unknown>[] = [];
  let counts: JobCounts | undefined;
  const lookUp = async (): Promise<void> => {
    const since = performance.now();
    await client.get(`${root}/profile?email=${KNOWN}`, v.unknown());
    lookups.push(performance.now() - since);
  };
  const poll = async (): Promise<void> => {
    ({ counts } = await client.get(await job, jobSchema));
  };
  const isOver = (ticks: number): boolean =>
    (ticks >= TICKS.single * singles && counts !== undefined && isFinal(counts)) ||
    performance.now() - begun > patienceMs;
  for (let ticks = 0; !isOver(ticks); ticks += 1) {
    pending.push(lookUp());
    if (ticks % TICKS.single === 0 && ticks / TICKS.single < singles)
      pending.push(client.post(`${root}/profiles`, { email: singleOf(ticks / TICKS.single) }, v.unknown()));
    if (ticks % TICKS.poll === 0) pending.push(poll());
    await sleep(TICK_MS);
  }
  await Promise.all(pending);
  return { lookups: lookups.toSorted((a, b) => a - b) };
};

/** Units so far: of all writes, and of writes whose condition failed; and throttled reads and writes. */
const unitsOf = ({ cloud }: TestService) => {
  const units = { write: 0, refused: 0, throttles: 0 };
  for (const { writeUnits, refusedUnits, throttles } of cloud.gateway.meter.snapshot()) {
    units.write += writeUnits;
    units.refused += refusedUnits;
    units.throttles += throttles;
  }
  return units;
};

const parkedIn = ({ cloud }: TestService): number =>
  cloud.deployment.queues
    .filter(({ name }) => name.includes('dead-letters'))
    .reduce((sum, { name }) => sum + cloud.parts.storage.sqs.queue(name).counts().visible, 0);

/** Plays the scenario on a service that has done nothing else, waits until it rests, and reads what came of it. */
export const playStrict = async (service: TestService, size: Size) => {
  const { property } = service;
  const client = steadyClient(service, size.patienceMs);
  const root = `/v1/${property}`;
  const sample = makeSample(size.rows);
  await using receiver = await openReceiver();
  await client.post(`${root}/profiles`, { email: KNOWN }, v.unknown());
  await client.get(`${root}/profile?email=${KNOWN}`, v.unknown());
  const [everyone] = await client.get(`${root}/segments?name=everyone`, v.array(identified));
  const segment = everyone?.id ?? 0;

  service.cloud.gateway.meter.reset();
  const started = performance.now();
  const timelines = `/v2/properties/${property}/timelines`;
  const job = upload(client, root, sample);
  const [fileJob, recordsJob, exported, timeline, { lookups }] = await Promise.all([
    job,
    sendRecords(client, root, size.batches),
    exportTo(client, root, segment, receiver),
    client.post(timelines, { name: 'Everyone', reference_tile: segment }, identified),
    workBeside(client, root, size, job),
  ]);
  const seconds = (performance.now() - started) / 1_000;
  const units = unitsOf(service);
  await service.cloud.idle();

  await client.post(`${timelines}/${timeline.id}/moments`, {}, v.unknown());
  const { moments } = await client.get(`${timelines}/${timeline.id}`, countedTimelineAnswer);
  const people = [
    KNOWN,
    ...range(sample.planted.people, visitorOf),
    ...range(size.singles, singleOf),
    ...range(size.batches, recordsOf)
      .flat()
      .map(({ email }) => email),
  ];
  return {
    sample,
    /** Counts of the file's job and of the job of the batches. */
    file: (await client.get(fileJob, jobSchema)).counts,
    records: (await client.get(recordsJob, jobSchema)).counts,
    /** Addresses of all people who must be there, and of all who are, both sorted. */
    expected: people.toSorted(),
    found: await membersOf(client, property, segment),
    /** Members of the moment that was taken at the end. */
    momentMembers: moments.at(-1)?.count ?? 0,
    webhooks: receiver.calls,
    ...(await readExport(client, exported, receiver)),
    /** Messages among the dead letters. */
    parked: parkedIn(service),
    /** Milliseconds of each lookup until its answer, with repetitions, in ascending order. */
    lookups,
    /** Seconds from the upload to the end of the file's job. */
    seconds,
    units,
  };
};

/** What a client saw, and the units that the run took. */
export type Played = Awaited<ReturnType<typeof playStrict>>;

/** The value that this share of the sorted values does not exceed (nearest rank). */
const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.ceil(share * sorted.length) - 1] ?? 0;

/** The figures of a run, in percent, seconds and milliseconds. */
export const figuresOf = ({ units, lookups, seconds }: Played) => ({
  /** Share of the consumed write units that went to writes that succeeded. */
  succeeded: 1 - units.refused / units.write,
  /** Share of the units that the table had to give. */
  used: units.write / (seconds * smallAccount.tableUnits.write),
  lookupMs: {
    p50: percentile(lookups, 0.5),
    p95: percentile(lookups, 0.95),
    p99: percentile(lookups, 0.99),
  },
});
