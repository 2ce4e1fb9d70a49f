/**
 * What an export costs: `node bench/export.ts [profiles]`. Stores profiles, exports all of them with 15 columns by the steps
 * of the workflow one after the other, and prints profiles a second, the same as a share of a bare loop that only reads and
 * prints them (same table, same client, same run), and how much memory the steps took. On a busy machine the share of processor
 * time says more than that of time.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { count, table as printTable } from '../cli/terminal.ts';
import { deriveKeys } from '../shared/auth/property-keys.ts';
import { mapAhead } from '../shared/exports/ahead.ts';
import { assembleExport } from '../shared/exports/assemble-export.ts';
import type { ExportDefinition } from '../shared/exports/items.ts';
import { beginJob, storeJob } from '../shared/exports/jobs.ts';
import { fileStore } from '../shared/exports/outgoing-file.ts';
import { planExport } from '../shared/exports/plan-export.ts';
import { printLine } from '../shared/exports/print.ts';
import { exportRepository } from '../shared/exports/repository.ts';
import { writePart } from '../shared/exports/write-part.ts';
import { profileRepository } from '../shared/profiles/repository.ts';
import { stampOf } from '../shared/profiles/stamp.ts';
import { profileItem } from '../shared/profiles/stored.ts';
import type { SurfacedProfile } from '../shared/profiles/types.ts';
import { systemClock } from '../shared/runtime/clock.ts';
import { systemIds } from '../shared/runtime/ids.ts';
import { jitteredPause } from '../shared/runtime/pause.ts';
import { batchesOf, mapLimited } from '../shared/runtime/pool.ts';
import type { KeyService } from '../shared/runtime/ports.ts';
import { bitsOf } from '../shared/segments/chunk.ts';
import { profileReader } from '../shared/segments/profile-reader.ts';
import { toAttributeValues } from '../shared/table/attribute-values.ts';
import { dynamoTable } from '../shared/table/dynamo-table.ts';
import { keys, ORDINALS_PER_CHUNK } from '../shared/table/keys.ts';
import { scopedId } from '../shared/table/scoped-ids.ts';
import { openBareTable } from './bare-table.ts';
import { fileObjects } from './file-objects.ts';

const profiles = Number(process.argv[2] ?? 20_000);
const TABLE = 'bench';
const property = 7;
const ref = { property, export: scopedId(property, 1), job: scopedId(property, 1) };
const PER_READ = 512;
const columns = [
  ...['first_name', 'last_name', 'full_name', 'email', 'unique_id', 'street', 'city', 'state'],
  ...[
    'zipcode',
    'birthday',
    'gender',
    'phone_number',
    'marital_status',
    'education_level',
    'household_income',
  ],
] as const;

const stateOf = (ordinal: number): string => {
  const values = Object.fromEntries(
    columns.slice(0, 13).map((name) => [name, `${name} ${ordinal % 10_007}`]),
  );
  const own = { ...values, email: `person${ordinal}@example.org`, unique_id: `u${ordinal}` };
  return JSON.stringify([{ tier: 1, stamp: stampOf(Date.now()), origin: 'import', values: own }]);
};

await using bare = await openBareTable(TABLE);
const table = dynamoTable({ client: bare.client, tableName: TABLE, ids: systemIds, pause: jitteredPause });
const ordinals = (): Iterable<number> => Array.from({ length: profiles }, (_, ordinal) => ordinal);

/** Puts the profiles into the engine without a wire. */
const store = async (): Promise<void> => {
  await mapLimited([...batchesOf(ordinals(), 25)], 8, async (batch) => {
    const puts = batch.map((ordinal) => ({
      PutRequest: {
        Item: toAttributeValues({
          ...keys.profile(property, ordinal),
          ...profileItem(stateOf(ordinal), Date.now()),
          w: 'w',
        }),
      },
    }));
    await bare.engine.call('BatchWriteItem', { RequestItems: { [TABLE]: puts } });
  });
};

const readProfiles = profileReader(profileRepository({ table }));

/** What work took, in seconds: by the clock, and of the processor. */
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

/** A loop that reads all profiles and prints their columns, with as many reads under way as a part has. */
const bareLoop = async (): Promise<void> => {
  let printed = 0;
  const reads = mapAhead(batchesOf(ordinals(), PER_READ), 2, (batch) => readProfiles(property, batch));
  for await (const found of reads)
    for (const profile of found.values()) printed += printLine(style, cellsOf(profile)).length;
  if (printed === 0) throw new Error('nothing was printed');
};
const style = { delimiter: ',', formulaGuard: true } as const;
const cellsOf = ({ fields }: SurfacedProfile): readonly string[] => columns.map((name) => fields[name] ?? '');

/** A key service that wraps nothing: KMS is not what is measured. */
const keyService: KeyService = {
  generateDataKey: () => {
    const plain = randomBytes(32);
    return Promise.resolve({ plain, wrapped: plain });
  },
  encrypt: (plain) => Promise.resolve(plain),
  decrypt: (wrapped) => Promise.resolve(wrapped),
};

const definition: ExportDefinition = {
  ...{ property, export: ref.export, created: 0, revision: 1, segment: [2], collection: [], tile_types: [] },
  ...{ field_set: 'custom', data_format: 'csv', scope: 'full', formula_guard: true },
  custom_result_format: columns.map((name) => ({ umbel_field_name: name, destination_field_name: name })),
  ...{ start_date: null, end_date: null, schedule: null, run_at: null, to_come: false },
  ...{ webhook_url: null, webhook_secret: null, notification_email: null, destination: null },
  pgp_public_key: null,
  ...{ latest_job: ref.job, current_job: ref.job, waiting_job: null, complete_job: null },
};

/** An export from the plan to the complete job. */
const runExport = async (folder: string): Promise<void> => {
  const exports = exportRepository(table);
  const propertyKeys = deriveKeys(randomBytes(32));
  const deps = {
    ...{ exports, keyService, ids: systemIds, clock: systemClock, readProfiles },
    work: fileObjects(join(folder, 'work')),
    files: fileObjects(join(folder, 'files')),
    scopeOf: () => Promise.resolve({ id: property, keys: propertyKeys }),
    catalogue: { getMany: () => Promise.resolve(new Map()), list: () => Promise.resolve({ segments: [] }) },
    collections: { getMany: () => Promise.resolve(new Map()) },
    // eslint-disable-next-line @typescript-eslint/require-await -- members are made up, where the service reads them
    members: async function* () {
      for (const chunk of batchesOf(ordinals(), ORDINALS_PER_CHUNK))
        yield { base: chunk[0] ?? 0, bits: bitsOf(chunk.map((ordinal) => ordinal % ORDINALS_PER_CHUNK)) };
    },
  };
  await exports.addDefinition(definition);
  await beginJob(exports, definition, ref.job);
  await storeJob(exports, ref, Date.now());
  const { shards } = await planExport(deps, ref);
  for (const { shard } of shards) await writePart(deps, ref, shard);
  await assembleExport({ ...deps, files: fileStore(deps.files) }, ref);
  const job = await exports.job(ref);
  if (job?.value.file?.rows !== profiles) throw new Error('the export does not hold everybody');
};

/** Megabytes of memory that work takes over what the process had. */
const memoryOf = async <T>(work: () => Promise<T>): Promise<{ result: T; megabytes: number }> => {
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 100);
  const result = await work().finally(() => clearInterval(timer));
  return { result, megabytes: Math.round((most - before) / 1e6) };
};

const folder = await mkdtemp(join(tmpdir(), 'tidemark-export-'));
try {
  await store();
  const before = await timed(bareLoop);
  const { result: whole, megabytes } = await memoryOf(() => timed(() => runExport(folder)));
  const after = await timed(bareLoop);
  const bareOf = (kind: keyof Taken): number => Math.min(before[kind], after[kind]);
  const share = (kind: keyof Taken): string => `${((bareOf(kind) / whole[kind]) * 100).toFixed(0)} %`;
  const rate = (seconds: number): string =>
    `${count(Math.round(profiles / seconds))} profiles/s, ${seconds.toFixed(1)} s`;
  printTable([
    ['profiles', count(profiles)],
    ['export', rate(whole.wall)],
    ['bare loop', rate(bareOf('wall'))],
    ['share', share('wall')],
    ['share of the processor', share('cpu')],
    ['memory', `${count(megabytes)} MB more while it ran`],
  ]);
} finally {
  await rm(folder, { recursive: true });
}
