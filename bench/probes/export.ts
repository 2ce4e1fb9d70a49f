/**
 * Cost of an export: `node bench/probes/export.ts [profiles]`. Runs the steps of the workflow for people with 15 columns, in
 * plain and encrypted. Prints profiles per second, the share of a bare loop that only reads and prints them (same table,
 * same client, same run), the cost of encryption, and the peak memory of the process. The table is in another process.
 * On a busy machine, the share of processor time, which counts this process only, is more reliable than the share of
 * time.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKey } from 'openpgp';
import { count, table as printTable } from '../../cli/terminal.ts';
import { deriveKeys } from '../../shared/properties/property-keys.ts';
import { mapAhead } from '../../shared/runtime/map-ahead.ts';
import { assembleExport } from '../../shared/exports/file/assemble-export.ts';
import type { ExportDefinition, JobRef } from '../../shared/exports/model/items.ts';
import { beginJob, insertPendingJob } from '../../shared/exports/runs/launch-job.ts';
import { fileStore } from '../../shared/exports/file/outgoing-file.ts';
import { planExport } from '../../shared/exports/runs/plan-export.ts';
import { printLine } from '../../shared/csv/print-line.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { writePart } from '../../shared/exports/parts/write-part.ts';
import { profileReader, profileRepository } from '../../shared/profiles/profile-repository.ts';
import type { ResolvedProfile } from '../../shared/profiles/types.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { batchesOf } from '../../shared/runtime/pool.ts';
import type { KeyService } from '../../shared/runtime/ports.ts';
import { bitsOf } from '../../shared/membership/chunk.ts';
import { dynamoTable } from '../../shared/table/dynamo-table.ts';
import { ORDINALS_PER_CHUNK } from '../../shared/table/keys.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { fileObjects, fileParts } from '../support/file-objects.ts';
import { columns, openPeople, PEOPLE_TABLE } from '../support/people.ts';

const profiles = Number(process.argv[2] ?? 100_000);
const property = 7;
const PER_READ = 512;
await using people = await openPeople(property, profiles);
const table = dynamoTable({
  client: people.client,
  tableName: PEOPLE_TABLE,
  ids: systemIds,
  pause: jitteredPause,
});
function* ordinals(): Generator<number, void> {
  for (let ordinal = 0; ordinal < profiles; ordinal += 1) yield ordinal;
}

const readProfiles = profileReader(profileRepository({ table }));

/** Duration of some work in seconds: elapsed time and processor time. */
interface Taken {
  readonly wall: number;
  readonly cpu: number;
}

const timed = async (work: () => Promise<void>): Promise<Taken> => {
  const [started, used] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(used);
  return { wall: (performance.now() - started) / 1000, cpu: (user + system) / 1e6 };
};

/** A loop that reads all profiles and prints their columns, with as many concurrent reads as a part. */
const bareLoop = async (): Promise<void> => {
  let printed = 0;
  const reads = mapAhead(batchesOf(ordinals(), PER_READ), 2, (batch) => readProfiles(property, batch));
  for await (const found of reads)
    for (const profile of found.values()) printed += printLine(style, cellsOf(profile)).length;
  if (printed === 0) throw new Error('nothing was printed');
};
const style = { delimiter: ',', formulaGuard: true } as const;
const cellsOf = ({ fields }: ResolvedProfile): readonly string[] => columns.map((name) => fields[name] ?? '');

/** A key service without encryption, because this bench does not measure KMS. */
const keyService: KeyService = {
  generateDataKey: () => {
    const plain = randomBytes(32);
    return Promise.resolve({ plain, wrapped: plain });
  },
  encrypt: (plain) => Promise.resolve(plain),
  decrypt: (wrapped) => Promise.resolve(wrapped),
};

const definitionOf = ({ export: id, job }: JobRef, pgp_public_key: string | null): ExportDefinition => ({
  ...{
    account: 1,
    property,
    export: id,
    created: 0,
    revision: 1,
    name: null,
    segment: [2],
    collection: [],
    tile_types: [],
    consent: null,
  },
  ...{
    field_set: 'custom',
    data_format: 'csv',
    compression: 'none',
    file_name: null,
    directory: null,
    scope: 'full',
    formula_guard: true,
    pgp_public_key,
  },
  custom_result_format: columns.map((name) => ({ umbel_field_name: name, destination_field_name: name })),
  ...{ start_date: null, end_date: null, schedule: null, run_at: null, to_come: false },
  ...{
    webhook_url: null,
    webhook_secret: null,
    notification_email: null,
    destination: null,
    s3_destination: null,
  },
  ...{ latest_job: job, current_job: job, waiting_job: null, complete_job: null, runs: 1, current_run: 1 },
});

/** Runs an export from the plan to the complete job. */
const runExport = async (folder: string, ref: JobRef, pgpKey: string | null): Promise<void> => {
  const exports = exportRepository(table);
  const propertyKeys = deriveKeys(randomBytes(32));
  const deps = {
    ...{
      exports,
      keyService,
      ids: systemIds,
      clock: systemClock,
      pause: jitteredPause,
      readProfiles,
      jobsAtOnce: 1,
    },
    work: fileObjects(join(folder, 'work')),
    files: fileObjects(join(folder, 'files')),
    scopeOf: () => Promise.resolve({ id: property, keys: propertyKeys }),
    catalogue: {
      getMany: () => Promise.resolve(new Map()),
      list: () => Promise.resolve({ segments: [] }),
      findIds: () => Promise.resolve(new Map()),
      hasRoom: () => Promise.resolve(true),
    },
    collections: { getMany: () => Promise.resolve(new Map()) },
    // eslint-disable-next-line @typescript-eslint/require-await -- the members are generated; the service reads them
    members: async function* () {
      for (const chunk of batchesOf(ordinals(), ORDINALS_PER_CHUNK))
        yield { base: chunk[0] ?? 0, bits: bitsOf(chunk.map((ordinal) => ordinal % ORDINALS_PER_CHUNK)) };
    },
  };
  const definition = definitionOf(ref, pgpKey);
  await exports.addDefinition(definition);
  await beginJob(exports, definition, ref.job, Date.now());
  await insertPendingJob(exports, definition, { job: ref.job, created: Date.now() });
  const { shards } = await planExport(deps, ref);
  for (const { shard } of shards) await writePart(deps, ref, shard);
  await assembleExport(
    { ...deps, files: fileStore({ objects: deps.files, parts: fileParts(join(folder, 'files')) }) },
    ref,
  );
  const job = await exports.job(ref);
  if (job?.value.file?.rows !== profiles) throw new Error('the export does not contain all profiles');
};

/** Peak memory of the process during some work, in megabytes. */
const peakOf = async <T>(work: () => Promise<T>): Promise<{ result: T; megabytes: number }> => {
  let most = 0;
  const look = (): void => void (most = Math.max(most, process.memoryUsage.rss()));
  const timer = setInterval(look, 100);
  const result = await work().finally(() => clearInterval(timer));
  return { result, megabytes: Math.round(most / 1e6) };
};

/** Runs and measures one export. */
const measureExport = async (id: number, pgpKey: string | null): Promise<Taken & { megabytes: number }> => {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-export-'));
  const ref = { property, export: scopedId(property, id), job: scopedId(property, id) };
  try {
    const { result, megabytes } = await peakOf(() => timed(() => runExport(folder, ref, pgpKey)));
    return { ...result, megabytes };
  } finally {
    await rm(folder, { recursive: true });
  }
};

const { publicKey } = await generateKey({ type: 'rsa', rsaBits: 3_072, userIDs: [{ name: 'Bench' }] });
const before = await timed(bareLoop);
const plain = await measureExport(1, null);
const encrypted = await measureExport(2, publicKey);
const after = await timed(bareLoop);
const bare = { wall: Math.min(before.wall, after.wall), cpu: Math.min(before.cpu, after.cpu) };
const rate = ({ wall }: Taken): string =>
  `${count(Math.round(profiles / wall))} profiles/s, ${wall.toFixed(1)} s`;
const percent = (part: number): string => `${(part * 100).toFixed(0)} %`;
printTable([
  ['profiles', count(profiles)],
  ['bare loop', rate(bare)],
  ['export', rate(plain)],
  ['share', percent(bare.wall / plain.wall)],
  ['share of processor time', percent(bare.cpu / plain.cpu)],
  ['encrypted export', rate(encrypted)],
  ['encryption adds', percent(encrypted.wall / plain.wall - 1)],
  ['to processor time', percent(encrypted.cpu / plain.cpu - 1)],
  ['memory, plain', `${count(plain.megabytes)} MB at most`],
  ['memory, encrypted', `${count(encrypted.megabytes)} MB at most`],
]);
