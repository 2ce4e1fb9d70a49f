import * as v from 'valibot';
import { limits } from '../../shared/config/limits.ts';
import type { ApiAnswer } from '../../shared/http/api-types.ts';
import type { Problem } from '../../shared/http/problem.ts';
import { importData } from '../../shared/imports/batches/import-data.ts';
import { cancelImportJob } from '../../shared/imports/jobs/cancel-import-job.ts';
import { createUpload } from '../../shared/imports/uploads/create-upload.ts';
import { createImport } from '../../shared/imports/definitions/create-import.ts';
import { createImportJob } from '../../shared/imports/jobs/create-import-job.ts';
import { retryImportJob } from '../../shared/imports/retry/retry-import-job.ts';
import { parseUploadKey } from '../../shared/imports/model/object-keys.ts';
import { importBody, partsUpload } from '../../shared/imports/model/schemas.ts';
import { completeUpload } from '../../shared/imports/uploads/complete-upload.ts';
import type { Result } from '../../shared/runtime/result.ts';
import {
  answered,
  define,
  type ImportWorld,
  importWorld,
  openJob,
  request,
  runFile,
  simpleDefinition,
} from '../imports/import-world.ts';
import { download, edited } from '../imports/retry-world.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { keyed, type Play } from './keyed-scenes.ts';

const { partBytes } = limits.imports;
const PROPERTY = 7;

interface Place {
  readonly world: ImportWorld;
  readonly importId: number;
  readonly path: Readonly<Record<string, string>>;
  /** The list of refused rows, corrected. */
  readonly csv: string;
}

/** The ports and prepared data of a scene, besides a definition. */
interface Prepared {
  readonly job?: number;
  readonly csv?: string;
}

/** A scene of a definition. Calls to `before` start when the scene is ready. */
const scene =
  (
    send: (place: Place, requestKey: string) => Promise<Result<ApiAnswer, Problem>>,
    effects: (place: Place) => readonly unknown[],
    prepare: (world: ImportWorld, importId: number) => Promise<Prepared> = () => Promise.resolve({}),
  ): Play =>
  async (before) => {
    let stands = false;
    const told = (): void => {
      if (stands) before();
    };
    const world = importWorld(new MemoryTable(told), told);
    const { id: importId } = await define(world);
    const { job, csv = '' } = await prepare(world, importId);
    const path = { import_id: String(importId), ...(job === undefined ? {} : { job_id: String(job) }) };
    const place = { world, importId, path, csv };
    world.batches.take();
    stands = true;
    return {
      table: world.table,
      send: (requestKey) => send(place, requestKey),
      effects: () => effects(place),
    };
  };

const itemsOf = ({ world }: Place, name: string) =>
  world.table.items().filter(({ pk, sk }) => pk === name || sk === name);

/** The queued messages, each once: the worker processes each batch once. */
const queued = ({ world }: Place) => [...new Set(world.batches.take().map(({ body }) => body))];

const batches = ({ world }: Place) => world.table.items().filter(({ sk }) => sk.startsWith('BATCH#'));

const large = (world: ImportWorld, importId: number) => {
  const body = { file_name: 'visitors.csv', size: limits.imports.onePutBytes + 1 };
  return answered(createUpload(world.deps, request({ import_id: importId }, {}, body)), partsUpload);
};

/** The POST routes of imports. */
export const importScenes: Readonly<Record<string, Play>> = {
  createImport: scene(
    ({ world }, requestKey) =>
      createImport(world.deps, keyed(PROPERTY, requestKey, v.parse(importBody, simpleDefinition))),
    (place) => itemsOf(place, `P#${PROPERTY}#IMPORTS`).slice(1),
  ),
  createImportJob: scene(
    ({ world, path }, requestKey) =>
      createImportJob(world.deps, keyed(PROPERTY, requestKey, { name: 'j' }, path)),
    (place) => itemsOf(place, `P#${PROPERTY}#IMPORT#${place.importId}`),
  ),
  createUpload: scene(
    ({ world, path }, requestKey) => {
      const body = { file_name: 'visitors.csv', size: limits.imports.onePutBytes + 1 };
      return createUpload(world.deps, keyed(PROPERTY, requestKey, body, path));
    },
    (place) => itemsOf(place, `P#${PROPERTY}#IMPORT#${place.importId}`),
  ),
  completeUpload: scene(
    ({ world, path }, requestKey) => completeUpload(world.deps, keyed(PROPERTY, requestKey, undefined, path)),
    ({ world }) => world.uploads.keys().filter((key) => parseUploadKey(key) !== undefined),
    async (world, importId) => {
      const { job_id } = await large(world, importId);
      const { parts } = (await world.deps.imports.job(PROPERTY, job_id))?.file?.awaited ?? {};
      const count = Math.ceil((limits.imports.onePutBytes + 1) / partBytes);
      for (let part = 1; part <= count; part += 1) {
        const size = Math.min(partBytes, limits.imports.onePutBytes + 1 - (part - 1) * partBytes);
        world.deps.parts.upload(parts?.upload ?? '', part, new Uint8Array(size));
      }
      return { job: job_id };
    },
  ),
  cancelImportJob: scene(
    ({ world, path }, requestKey) =>
      cancelImportJob(world.deps, keyed(PROPERTY, requestKey, undefined, path)),
    ({ world }) => world.table.items().filter(({ phase }) => phase === 'cancelled'),
    async (world, importId) => ({ job: (await openJob(world, importId)).id }),
  ),
  retryImportJob: scene(
    ({ world, path, csv }, requestKey) =>
      retryImportJob(world.deps, keyed(PROPERTY, requestKey, { csv }, path)),
    (place) => {
      const made = batches(place).filter(({ retry }) => retry !== undefined && retry !== null);
      return made.length === 1 ? queued(place) : made;
    },
    async (world, importId) => {
      const { id } = await runFile(world, importId, 'email,first_name\nnot an address,A\nb@x.org,B\n');
      const csv = await download({ world, importId, job: id });
      const mend = (row: string[]) => row.map((cell) => cell.replace('not an address', 'a@x.org'));
      return { job: id, csv: edited(csv, mend) };
    },
  ),
  importData: scene(
    ({ world, path }, requestKey) => {
      const body = { name: 'b', import_job: Number(path['job_id']), records: [{ email: 'a@x.org' }] };
      return importData(world.deps, keyed(PROPERTY, requestKey, body));
    },
    (place) => (batches(place).length === 1 ? queued(place) : batches(place)),
    async (world, importId) => ({ job: (await openJob(world, importId)).id }),
  ),
};
