/** Export run: exports generated people with 15 columns by the steps of the workflow, in this process. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { deriveKeys } from '../../shared/properties/property-keys.ts';
import { noRules, rulesOf } from '../../shared/properties/rules.ts';
import { assembleExport } from '../../shared/exports/file/assemble-export.ts';
import type { ExportDefinition, JobRef } from '../../shared/exports/model/items.ts';
import { jobWrites } from '../../shared/exports/runs/launch-job.ts';
import { fileStore } from '../../shared/exports/file/outgoing-file.ts';
import { planExport } from '../../shared/exports/runs/plan-export.ts';
import { printLine } from '../../shared/csv/print-line.ts';
import { exportRepository, insertDefinition } from '../../shared/exports/model/repository.ts';
import { writePart } from '../../shared/exports/parts/write-part.ts';
import { profileRepository, type ReadProfiles } from '../../shared/profiles/profile-repository.ts';
import type { ResolvedProfile } from '../../shared/profiles/types.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { batchesOf } from '../../shared/runtime/pool.ts';
import type { KeyService } from '../../shared/runtime/ports.ts';
import { bitsOf } from '../../shared/membership/chunk.ts';
import { dynamoTable } from '../../shared/table/dynamo-table.ts';
import { ORDINALS_PER_CHUNK } from '../../shared/table/keys.ts';
import type { Table } from '../../shared/table/table.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { exportDefinition } from '../../test/support/export-definition.ts';
import { fileObjects, fileParts } from './file-objects.ts';
import { temporaryFolder } from './folder.ts';
import { columns, openPeople, PEOPLE_TABLE } from './people.ts';

const PROPERTY = 7;

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

const definitionOf = ({ export: id, job }: JobRef, pgp_public_key: string | null): ExportDefinition =>
  exportDefinition(PROPERTY, {
    ...{ export: id, field_set: 'custom', formula_guard: true, pgp_public_key },
    custom_result_format: columns.map((name) => ({ umbel_field_name: name, destination_field_name: name })),
    ...{ latest_job: job, current_job: job, runs: 1, current_run: 1 },
  });

/** Duration of some work in seconds: elapsed time and processor time of this process. */
export interface Taken {
  readonly wall: number;
  readonly cpu: number;
}

/** Opens exports of a table with so many people, which is in another process. */
export const openExportRuns = async (profiles: number) => {
  const people = await openPeople(PROPERTY, profiles);
  const table = dynamoTable({
    client: people.client,
    tableName: PEOPLE_TABLE,
    ids: systemIds,
    pause: jitteredPause,
  });
  const readProfiles = profileRepository({ table }).readEach;
  let runs = 0;
  return {
    /** Reads all profiles and prints their columns, with as many concurrent reads as a part. */
    bareLoop: (): Promise<Taken> => taken(() => printAll(readProfiles, profiles)),
    /** Runs an export from the plan to the complete job, encrypted for a key if one is given. Throws when people are missing. */
    export: async (pgpKey: string | null): Promise<Taken> => {
      await using folder = await temporaryFolder();
      runs += 1;
      const ref = { property: PROPERTY, export: scopedId(PROPERTY, runs), job: scopedId(PROPERTY, runs) };
      return await taken(() =>
        runExport({ table, readProfiles, profiles, folder: folder.path }, ref, pgpKey),
      );
    },
    [Symbol.asyncDispose]: () => people[Symbol.asyncDispose](),
  };
};

function* ordinals(profiles: number): Generator<number, void> {
  for (let ordinal = 0; ordinal < profiles; ordinal += 1) yield ordinal;
}

const taken = async (work: () => Promise<void>): Promise<Taken> => {
  const [started, used] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(used);
  return { wall: (performance.now() - started) / 1000, cpu: (user + system) / 1e6 };
};

const printAll = async (readProfiles: ReadProfiles, profiles: number): Promise<void> => {
  let printed = 0;
  for await (const profile of readProfiles(PROPERTY, ordinals(profiles)))
    printed += printLine(style, cellsOf(profile)).length;
  if (printed === 0) throw new Error('nothing was printed');
};

interface Source {
  readonly table: Table;
  readonly readProfiles: ReadProfiles;
  readonly profiles: number;
  readonly folder: string;
}

const runExport = async (
  { table, readProfiles, profiles, folder }: Source,
  ref: JobRef,
  pgpKey: string | null,
): Promise<void> => {
  const exports = exportRepository(table);
  const propertyKeys = deriveKeys(randomBytes(32));
  const deps = {
    ...{
      table,
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
    scopeOf: () => Promise.resolve({ id: PROPERTY, keys: propertyKeys, rules: rulesOf(noRules) }),
    catalogue: {
      getMany: () => Promise.resolve(new Map()),
      list: () => Promise.resolve({ items: [] }),
      findIds: () => Promise.resolve(new Map()),
      hasRoom: () => Promise.resolve(true),
    },
    collections: { getMany: () => Promise.resolve(new Map()) },
    lastUndo: () => Promise.resolve(0),
    hasForgotten: () => Promise.resolve(false),
    // eslint-disable-next-line @typescript-eslint/require-await -- the members are generated; the service reads them
    members: async function* () {
      for (const chunk of batchesOf(ordinals(profiles), ORDINALS_PER_CHUNK))
        yield { base: chunk[0] ?? 0, bits: bitsOf(chunk.map((ordinal) => ordinal % ORDINALS_PER_CHUNK)) };
    },
  };
  const definition = definitionOf(ref, pgpKey);
  const begun = { job: ref.job, created: Date.now() };
  await table.transact([insertDefinition(definition), ...(await jobWrites(table, definition, begun))]);
  const { shards } = await planExport(deps, ref);
  for (const { shard } of shards) await writePart(deps, ref, shard);
  await assembleExport(
    { ...deps, files: fileStore({ objects: deps.files, parts: fileParts(join(folder, 'files')) }) },
    ref,
  );
  const job = await exports.job(ref);
  if (job?.value.file?.rows !== profiles) throw new Error('the export does not contain all profiles');
};
