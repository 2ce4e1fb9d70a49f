/** Cast: the people, the import and the enricher that the extras of scenes need, and what several extras do. */
import * as v from 'valibot';
import type { EnrichmentRequest } from '../support/reference-enricher.ts';
import { limits } from '../../shared/config/limits.ts';
import { hasEnded, jobStatuses } from '../../shared/imports/items/job-status.ts';
import { keys } from '../../shared/table/keys.ts';
import { fieldMap } from '../support/field-map.ts';
import { bucketOf } from '../support/buckets.ts';
import { putItem } from '../support/items.ts';
import { operate } from '../support/operate.ts';
import { openReferenceEnricher } from '../support/reference-enricher.ts';
import { until } from '../support/until.ts';
import type { Stage } from './stage.ts';

/** What the extras use besides the stage. */
export interface Cast extends Stage {
  /** A definition of imports. */
  readonly importId: number;
  /** The segment of everyone. */
  readonly everyone: number;
}

/**
 * Makes functions use permissions that no success needs: after a death halfway, with objects that are gone, on the second
 * page of a list. It may play several times.
 */
export interface Extra {
  /** The functions that it makes use permissions. */
  readonly of: readonly string[];
  readonly play: (cast: Cast) => Promise<unknown>;
}

/** An answer with the id of what was made. */
export const made = v.looseObject({ id: v.number() });

/** A definition of imports. */
export const definition = (name: string) => ({
  name,
  mapping_fields: {
    required_fields: ['email'],
    field_maps: ['email', 'first_name', 'tags'].map((field) => fieldMap(field)),
  },
});

/** A person whom the service knows. */
export const KNOWN = 'known@example.org';

/** A tag of a record. */
export const tagged = (...tag: readonly string[]) => [{ datetime: '2026-01-01 00:00:00', tag }];

/** An ordinal that no property gives out in these tests. */
const NOBODY = 4_000_000;

/** The enricher's answer: a social id, a town and a new tag. */
const enriched = ({ social_token = '' }: EnrichmentRequest): unknown => ({
  values: [
    {
      tier: 'social_network',
      fields: {
        social_id: social_token,
        city: `Town ${social_token}`,
        tags: tagged(`tag of ${social_token}`),
      },
    },
  ],
});

/** Prepares the extras on a stage on which the scenes were played. Its end leaves the stage open. */
export const openCast = async (stage: Stage): Promise<Cast> => {
  const { call, service } = stage;
  const { property } = service;
  await using parts = new AsyncDisposableStack();
  const enricher = parts.use(await openReferenceEnricher(enriched));
  const asked = { url: enricher.url, asks: 'social_token', tiers: ['social_network'] };
  const set = await operate(service, { command: 'enricher.set', property, name: 'network', ...asked });
  enricher.useSecret(v.parse(v.looseObject({ secret: v.string() }), set).secret);
  // A worker reads the results of earlier batches for this guard.
  const body = { ...definition('Exercised'), max_refused_share: 1 };
  const { id: importId } = await call('createImport', { body }, made);
  const [segment] = await call('findSegments', { query: { name: 'everyone' } }, v.tuple([made]));
  const cast = { ...stage, importId, everyone: segment.id };
  // A reader fetches this many neighbours by block, not one by one.
  const neighbours = Array.from({ length: 100 }, (_, index) => ({ email: `n${index}@example.org` }));
  await runBatch(cast, [{ email: KNOWN }, ...neighbours]);
  // Somebody who is in no file is forgotten all the time, so that each file is searched for forgotten people.
  const later = Date.now() + 3_600_000;
  await putItem(service, keys.forgottenPeople(property, later, NOBODY), {
    ordinals: [NOBODY],
    until: later,
  });
  const owned = parts.move();
  return { ...cast, [Symbol.asyncDispose]: () => owned.disposeAsync() };
};

/** Plays a schedule of a function. */
export const fire = ({ service }: Stage, name: string): Promise<unknown> =>
  service.cloud.fireSchedule(`tidemark-local-${name}`);

/** Does something while a function lacks an action: it dies halfway. */
export const without = async (
  { service }: Stage,
  [name, action]: readonly [name: string, action: string],
  work: () => Promise<unknown>,
): Promise<void> => {
  const restore = service.cloud.gateway.withoutAction(name, action);
  await work()
    .catch(() => undefined)
    .finally(restore);
};

/**
 * Lets another request lead the first group of people for some seconds. It has served a crowd: otherwise a process that has
 * met others before would go to a track of its own, and not wait.
 */
export const letOthersLead = ({ service }: Stage): Promise<void> => {
  const until = Date.now() - limits.clockSkewSeconds * 1_000 + 3_000;
  const lease = { holder: 'another request', until, served: 8 };
  return putItem(service, keys.drainLease(service.property, 0), lease);
};

type Bucket = Parameters<typeof bucketOf>[1];

/** Puts an object into a bucket. */
export const putObject = ({ service: { cloud } }: Stage, bucket: Bucket, key: string) =>
  cloud.parts.storage.s3.put(bucketOf(cloud, bucket), key, Buffer.from('x'));

/** Removes the objects of a bucket below a prefix, as after the days for which a property keeps its files. */
export const removeObjects = ({ service: { cloud } }: Stage, bucket: Bucket, prefix: string): void => {
  const { s3 } = cloud.parts.storage;
  const name = bucketOf(cloud, bucket);
  for (const key of s3.list(name, prefix)) s3.remove(name, key);
};

/** The path of a job of an import. */
export interface ImportJob extends Readonly<Record<string, number>> {
  readonly import_id: number;
  readonly job_id: number;
}

const counted = v.looseObject({
  counts: v.looseObject({ status: v.picklist(jobStatuses), completed: v.number() }),
});

/** Where a writer has died, because a scene refuses it something, its journal entry holds up every job, and every erasure, for three minutes. */
export const JOB_ENDS_WITHIN_MS = 200_000;

/** Waits for the end of a job. */
export const ended = ({ call }: Stage, path: ImportJob): Promise<true> =>
  until(
    'the end of a job',
    async () => hasEnded((await call('getImportJob', { path }, counted)).counts.status) || undefined,
    JOB_ENDS_WITHIN_MS,
  );

/** Waits until the rows of a job are stored; they may not be in the index yet. */
export const stored = ({ call }: Stage, path: ImportJob): Promise<true> =>
  until('stored rows', async () => {
    const { completed } = (await call('getImportJob', { path }, counted)).counts;
    return completed > 0 || undefined;
  });

/** A new job for batches. */
export const makeJob = async ({ call, importId, fresh }: Cast, more: object = {}): Promise<ImportJob> => {
  const body = { name: `J${fresh()}`, ...more };
  const { id } = await call('createImportJob', { path: { import_id: importId }, body }, made);
  return { import_id: importId, job_id: id };
};

/** Sends records as the batch of a job. */
export const sendBatch = async (
  { call }: Stage,
  { job_id: import_job }: ImportJob,
  records: readonly object[],
) => {
  const answer = v.looseObject({ batch_job_uuid: v.string() });
  return (await call('importData', { body: { name: 'b', import_job, records } }, answer)).batch_job_uuid;
};

/** A job of its own whose batch was processed. */
export const runBatch = async (
  cast: Cast,
  records: readonly object[],
  more: object = {},
): Promise<ImportJob> => {
  const job = await makeJob(cast, more);
  await sendBatch(cast, job, records);
  await ended(cast, job);
  return job;
};

/**
 * Holds drains back until a function has asked for one, because it has found rows that are not indexed; then lets the drains
 * finish. `begin` makes it look.
 */
export const withDrainsHeld = (cast: Cast, name: string, begin: () => Promise<unknown>): Promise<void> => {
  const { denials, meter } = cast.service.cloud.gateway;
  const isRefused = (caller: string) => denials.list().some((one) => one.caller === caller) || undefined;
  const asked = (): number =>
    meter.snapshot().find(({ caller, action }) => `${caller} ${action}` === `${name} sqs:SendMessage`)
      ?.calls ?? 0;
  return without(cast, ['drain', 'sqs:ReceiveMessage'], async () => {
    await sendBatch(cast, await makeJob(cast), [{ email: KNOWN, tags: tagged(`held ${cast.fresh()}`) }]);
    // A receiver that already waits for a message still gets this message, and is refused at its next call.
    await until('drains being held back', () => isRefused('drain'));
    const before = asked();
    await begin();
    await until('a request for a drain', () => isRefused(name) ?? (asked() > before || undefined));
  });
};

/** The address of an upload in one part. */
export const uploadAddress = v.looseObject({
  job_id: v.number(),
  url: v.string(),
  headers: v.record(v.string(), v.string()),
});

/** Sends a file, or a part of it, to its address. */
export const putFile = async (
  url: string,
  body: string | Buffer<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const { status } = await fetch(url, { method: 'PUT', headers, body });
  if (status !== 200) throw new Error(`The upload answered ${status}.`);
};

/** Uploads a file. */
export const sendFile = async (
  { call, importId }: Cast,
  content: string | Buffer<ArrayBuffer>,
  more: object = {},
): Promise<ImportJob> => {
  const body = { file_name: 'people.csv', size: Buffer.byteLength(content), ...more };
  const path = { import_id: importId };
  const { job_id, url, headers } = await call('createUpload', { path, body }, uploadAddress);
  await putFile(url, content, headers);
  return { ...path, job_id };
};

/** Uploads a file, and waits for the end of its job. */
export const runFile = async (cast: Cast, content: string): Promise<ImportJob> => {
  const job = await sendFile(cast, content);
  await ended(cast, job);
  return job;
};

/** Reads a page of a list of two: its cursor and the link to the next page need the keys of the property. */
export const secondPage = async (
  { call }: Stage,
  list: string,
  make: () => Promise<unknown>,
  path: Readonly<Record<string, number>> = {},
): Promise<void> => {
  for (let count = 0; count < 2; count += 1) await make();
  await call(list, { path, query: { limit: 1 } });
};

/** The refused rows of a job. */
export const refusedRows = ({ call }: Stage, path: ImportJob): Promise<string> =>
  call('listImportErrors', { path, query: { format: 'csv' } }, v.string());

/** The path of a job of an export. */
export type ExportJob = Readonly<Record<'export_id' | 'job_id', number>>;

const madeExport = v.looseObject({ id: v.string() });

/** A new export of everyone. */
export const makeExport = async ({ call, everyone }: Cast, more: object = {}): Promise<number> =>
  Number((await call('createExport', { body: { segment: [everyone], ...more } }, madeExport)).id);

const states = v.looseObject({ jobs: v.array(v.looseObject({ id: v.string(), status: v.string() })) });

/** A job of an export that has a status. */
export const jobThat = async ({ call }: Stage, status: string, export_id: number): Promise<ExportJob> => {
  const found = await until(`a job that is ${status}`, async () => {
    const { jobs } = await call('listExportJobs', { path: { export_id } }, states);
    return jobs.find((each) => each.status === status);
  });
  return { export_id, job_id: Number(found.id) };
};

/** A complete job of a new export of everyone. */
export const runExport = async (cast: Cast, more: object = {}): Promise<ExportJob> =>
  jobThat(cast, 'complete', await makeExport(cast, more));
