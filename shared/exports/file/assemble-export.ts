/** Assemble export: joins the sealed parts of a job into its file, as the last step of the export workflow. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import type { PropertyScope } from '../../properties/scope.ts';
import { DAY_SECONDS, type Clock } from '../../runtime/clock.ts';
import type { Ids } from '../../runtime/ids.ts';
import { pgpKeyDetails } from '../../pgp/key-faults.ts';
import type { KeyService, ObjectStore } from '../../runtime/ports.ts';
import { mapAhead } from '../../runtime/map-ahead.ts';
import { gather } from '../../runtime/bytes.ts';
import type { ExportDefinition, ExportFile, ExportJob, ExportPart, JobRef } from '../model/items.ts';
import { isOpen, moved } from '../model/transitions.ts';
import { extraColumns, headerOf, keyCollector, layoutOf, styleOf, type ExtraColumns } from './layout.ts';
import { capabilityOf } from '../model/location.ts';
import { manifestOf, type SegmentSizes } from './manifest.ts';
import { protectionOf, type FileStore, type Protection } from './outgoing-file.ts';
import { unpackRows, type PackedRows } from './part-rows.ts';
import { printFile } from './print-file.ts';
import type { ExportRepository } from '../model/repository.ts';
import { requireDefinition, requireJob, requirePlan } from '../model/required-items.ts';
import { open } from './sealed-frames.ts';
import {
  ATTEMPT_ID_BYTES,
  fileName,
  manifestName,
  objectKeys,
  partsContext,
  sealContext,
} from '../model/work-keys.ts';

export interface AssembleDeps {
  readonly exports: ExportRepository;
  readonly work: ObjectStore;
  readonly files: FileStore;
  readonly keyService: KeyService;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
}

/** The next step of the workflow: start the deliveries, or stop because the job failed or was cancelled. */
export interface AssembleAnswer {
  readonly status: 'complete' | 'failed';
}

/** Small objects read at once. */
const READS_AHEAD = 16;

/**
 * Joins the parts of a job into its file as a stream, describes the file in a manifest, and makes the job `complete`.
 * Each attempt writes objects of its own. The job names the objects of one attempt, in a write that follows once the
 * objects are durable. A repeated call does nothing. If the PGP key of the definition can no longer encrypt, the job
 * fails and no file is written.
 */
export const assembleExport = async (deps: AssembleDeps, ref: JobRef): Promise<AssembleAnswer> => {
  const { value: job, w } = await requireJob(deps.exports, ref);
  if (job.status !== 'running') return ended(job);
  const parts = await allParts(deps.exports, ref, requirePlan(job).shards);
  const skipped = parts.reduce((sum, part) => sum + part.skipped, 0);
  const definition = await requireDefinition(deps.exports, ref);
  const protection = await protectionOf(definition, deps.clock());
  if (!protection.ok) {
    const error = { code: protection.error, detail: pgpKeyDetails[protection.error] };
    return endJob(deps, ref, w, { ...moved('fail'), finished: deps.clock(), error });
  }
  const finished = { definition, protection: protection.value, parts, skipped };
  const file = await writeFile(deps, job, finished);
  const { keys } = await deps.scopeOf(ref.property);
  await deps.exports.insertDownload(ref, capabilityOf(keys.downloads, ref, file.expires), file.expires);
  return endJob(deps, ref, w, { ...moved('complete'), finished: deps.clock(), skipped, file });
};

/** Ends the job, and returns its state: if another writer ended the job in between, that end stands. */
const endJob = async (
  { exports }: AssembleDeps,
  ref: JobRef,
  w: string,
  end: Partial<ExportJob> & AssembleAnswer,
): Promise<AssembleAnswer> => {
  const outcome = await exports.updateJob(ref, w, end);
  return outcome === 'applied' ? { status: end.status } : ended((await requireJob(exports, ref)).value);
};

const ended = (job: ExportJob): AssembleAnswer => {
  if (isOpen(job)) throw new Error('exports: the job is open, and not ready to be assembled');
  return { status: job.status === 'complete' ? 'complete' : 'failed' };
};

const allParts = async (
  exports: ExportRepository,
  ref: JobRef,
  shards: number,
): Promise<readonly ExportPart[]> => {
  const parts = await exports.parts(ref);
  if (parts.length !== shards || parts.some(({ shard }, index) => shard !== index))
    throw new Error(`exports: ${shards - parts.length} parts are missing`);
  return parts;
};

const writeFile = async (
  deps: AssembleDeps,
  job: ExportJob,
  { definition, protection, parts, skipped }: Finished,
): Promise<ExportFile> => {
  const plan = requirePlan(job);
  const dataKey = await deps.keyService.decrypt(plan.data_key, partsContext(job));
  const source: PartSource = { work: deps.work, dataKey, ref: job };
  const columns = await columnsOf(source, definition, parts);
  const format = { layout: layoutOf(definition), style: styleOf(definition), columns };
  const printed = printFile(format, rowsOf(source, parts));
  const file = printed.file.under(protection);
  const encrypted = protection.recipient !== undefined;
  const name = fileName(job, definition.data_format, encrypted);
  const attemptId = deps.ids.hex(ATTEMPT_ID_BYTES);
  const key = objectKeys.file(job, attemptId, name);
  const contentType = encrypted ? 'application/octet-stream' : contentTypes[definition.data_format];
  const { etag, size } = await deps.files.store(key, file, { contentType });
  const { rows } = printed.tally;
  const { bytes } = file.tally;
  if (size !== bytes) throw new Error('exports: the stored file and the written file differ in length');
  const written = { name, rows, bytes, sha256: file.tally.sha256() };
  const manifest_key = objectKeys.file(job, attemptId, manifestName(job));
  const sizes = await readSizes(deps.work, plan.sizes_key);
  // Keys of `extra_data` are data: the manifest of an encrypted file leaves them out.
  const header = headerOf(format.layout, encrypted ? { keys: [], rest: false } : columns);
  const described = { job, plan, definition, columns: header, sizes, file: { ...written, skipped } };
  await deps.files.describe(manifest_key, manifestOf(described));
  const expires = deps.clock() + limits.exports.locationDays * DAY_SECONDS * 1000;
  return { key, etag, ...written, encrypted, manifest_key, expires };
};

/** All parts of a job, and the number of members without a row. */
interface Finished {
  readonly definition: ExportDefinition;
  readonly protection: Protection;
  readonly parts: readonly ExportPart[];
  readonly skipped: number;
}

const segmentSizes = v.array(v.object({ id: v.number(), profiles: v.number() }));

const readSizes = async (work: ObjectStore, key: string): Promise<SegmentSizes> => {
  const sizes = await work.get(key);
  if (!sizes) throw new Error('exports: the sizes of the segments are missing');
  return v.parse(segmentSizes, JSON.parse(Buffer.from(sizes).toString()));
};

const contentTypes = {
  csv: 'text/csv; charset=utf-8',
  txt: 'text/tab-separated-values; charset=utf-8',
} as const;

interface PartSource {
  readonly work: ObjectStore;
  readonly dataKey: Uint8Array;
  readonly ref: JobRef;
}

const keyList = v.array(v.string());

/** The columns of `extra_data`, from the keys in the parts. */
const columnsOf = async (
  { work, dataKey, ref }: PartSource,
  definition: ExportDefinition,
  parts: readonly ExportPart[],
): Promise<ExtraColumns> => {
  const layout = layoutOf(definition);
  if (!layout.extras) return { keys: [], rest: false };
  const collector = keyCollector();
  const lists = mapAhead(parts, READS_AHEAD, async ({ shard, keys_key }) => {
    if (keys_key === null) return [];
    const sealed = await work.get(keys_key);
    if (!sealed) throw new Error('exports: the keys of a part are missing');
    const plain = await gather(open({ dataKey, context: sealContext(ref, shard, 'keys') }, [sealed]));
    return v.parse(keyList, JSON.parse(plain.toString()));
  });
  for await (const list of lists) for (const key of list) collector.add(key);
  return extraColumns(collector.smallest(), layout.header.length);
};

/** The rows of all parts in order. Throws when a part has another number of rows than its item says. */
async function* rowsOf(
  { work, dataKey, ref }: PartSource,
  parts: readonly ExportPart[],
): AsyncGenerator<PackedRows, void> {
  for (const { shard, key, etag, rows } of parts) {
    const sealed = work.read(key, { etag });
    let count = 0;
    for await (const batch of unpackRows(
      open({ dataKey, context: sealContext(ref, shard, 'rows') }, sealed),
    )) {
      count += batch.count;
      yield batch;
    }
    if (count !== rows) throw new Error('exports: a part does not hold the rows it says');
  }
}
