import * as v from 'valibot';
import { limits } from '../../shared/config/limits.ts';
import type { ApiAnswer } from '../../shared/http/api-types.ts';
import type { Problem } from '../../shared/http/problem.ts';
import { importData } from '../../shared/imports/batches/import-data.ts';
import { announceImport } from '../../shared/imports/announce/announce-import.ts';
import { replayAnnouncement } from '../../shared/imports/announce/import-deliveries.ts';
import { cancelImportJob } from '../../shared/imports/jobs/cancel-import-job.ts';
import { undoImportJob } from '../../shared/imports/undo/undo-import-job.ts';
import { createUpload } from '../../shared/imports/uploads/create-upload.ts';
import { createImport } from '../../shared/imports/definitions/change-imports.ts';
import { createImportJob } from '../../shared/imports/jobs/create-import-job.ts';
import { retryImportJob } from '../../shared/imports/retry/retry-import-job.ts';
import { parseUploadKey } from '../../shared/imports/items/object-keys.ts';
import { importBody } from '../../shared/imports/schemas/definition-schemas.ts';
import { partsUpload } from '../../shared/imports/schemas/upload-schemas.ts';
import { completeUpload } from '../../shared/imports/uploads/pending-upload.ts';
import type { Result } from '../../shared/runtime/result.ts';
import { type ImportHarness, importHarness, request, simpleDefinition } from '../imports/import-harness.ts';
import { answered } from '../support/requests.ts';
import { create } from '../imports/announced.ts';
import { download, edited } from '../imports/retry-harness.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { keyed, type Play } from './keyed-scenes.ts';

const { partBytes } = limits.imports;
const PROPERTY = 7;

interface Place {
  readonly harness: ImportHarness;
  readonly importId: number;
  readonly path: Readonly<Record<string, string>>;
  /** The list of refused rows, corrected. */
  readonly csv: string;
}

/** The ports and prepared data of a scene, besides a definition. */
interface Prepared {
  /** Another definition than that of the scene. */
  readonly importId?: number;
  readonly job?: number;
  readonly csv?: string;
}

/** A scene of a definition. Calls to `before` start when the scene is ready. */
const scene =
  (
    send: (place: Place, requestKey: string) => Promise<Result<ApiAnswer, Problem>>,
    effects: (place: Place) => readonly unknown[],
    prepare: (harness: ImportHarness, importId: number) => Promise<Prepared> = () => Promise.resolve({}),
  ): Play =>
  async (before) => {
    let stands = false;
    const told = (): void => {
      if (stands) before();
    };
    const harness = importHarness(new MemoryTable(told), told);
    const { id } = await harness.define();
    const { job, csv = '', importId = id } = await prepare(harness, id);
    const path = { import_id: String(importId), ...(job === undefined ? {} : { job_id: String(job) }) };
    const place = { harness, importId, path, csv };
    harness.batches.take();
    stands = true;
    return {
      table: harness.table,
      send: (requestKey) => send(place, requestKey),
      effects: () => effects(place),
    };
  };

const itemsOf = ({ harness }: Place, name: string) =>
  harness.table.items().filter(({ pk, sk }) => pk === name || sk === name);

/** The queued messages, each once: the worker processes each batch once. */
const queued = ({ harness }: Place) => [...new Set(harness.batches.take().map(({ body }) => body))];

const batches = ({ harness }: Place) => harness.table.items().filter(({ sk }) => sk.startsWith('BATCH#'));

const large = (harness: ImportHarness, importId: number) => {
  const body = { file_name: 'visitors.csv', size: limits.imports.onePutBytes + 1 };
  return answered(createUpload(harness.deps, request({ import_id: importId }, {}, body)), partsUpload);
};

/** The POST routes of imports. */
export const importScenes: Readonly<Record<string, Play>> = {
  createImport: scene(
    ({ harness }, requestKey) =>
      createImport(harness.deps, keyed(PROPERTY, requestKey, v.parse(importBody, simpleDefinition))),
    (place) => itemsOf(place, `P#${PROPERTY}#IMPORTS`).slice(1),
  ),
  createImportJob: scene(
    ({ harness, path }, requestKey) =>
      createImportJob(harness.deps, keyed(PROPERTY, requestKey, { name: 'j' }, path)),
    (place) => itemsOf(place, `P#${PROPERTY}#IMPORT#${place.importId}`),
  ),
  createUpload: scene(
    ({ harness, path }, requestKey) => {
      const body = { file_name: 'visitors.csv', size: limits.imports.onePutBytes + 1 };
      return createUpload(harness.deps, keyed(PROPERTY, requestKey, body, path));
    },
    (place) => itemsOf(place, `P#${PROPERTY}#IMPORT#${place.importId}`),
  ),
  completeUpload: scene(
    ({ harness, path }, requestKey) =>
      completeUpload(harness.deps, keyed(PROPERTY, requestKey, undefined, path)),
    ({ harness }) => harness.uploads.keys().filter((key) => parseUploadKey(key) !== undefined),
    async (harness, importId) => {
      const { job_id } = await large(harness, importId);
      const { parts } = (await harness.deps.imports.job(PROPERTY, job_id))?.file?.awaited ?? {};
      const count = Math.ceil((limits.imports.onePutBytes + 1) / partBytes);
      const zeros = new Uint8Array(partBytes);
      for (let part = 1; part <= count; part += 1) {
        const size = Math.min(partBytes, limits.imports.onePutBytes + 1 - (part - 1) * partBytes);
        harness.deps.parts.upload(parts?.upload ?? '', part, zeros.subarray(0, size));
      }
      return { job: job_id };
    },
  ),
  cancelImportJob: scene(
    ({ harness, path }, requestKey) =>
      cancelImportJob(harness.deps, keyed(PROPERTY, requestKey, undefined, path)),
    ({ harness }) => harness.table.items().filter(({ phase }) => phase === 'cancelled'),
    async (harness, importId) => ({ job: (await harness.openJob(importId)).id }),
  ),
  undoImportJob: scene(
    ({ harness, path }, requestKey) =>
      undoImportJob(harness.deps, keyed(PROPERTY, requestKey, undefined, path)),
    ({ harness }) => [...new Set(harness.started.filter((name) => name.includes('undo')))],
    async (harness, importId) => ({
      job: (await harness.runFile(importId, 'email,first_name\na@x.org,A\n')).id,
    }),
  ),
  replayAnnouncement: scene(
    ({ harness, path }, requestKey) => {
      const delivery = `${path['job_id']}-webhook`;
      return replayAnnouncement(harness.deps, keyed(PROPERTY, requestKey, undefined, { ...path, delivery }));
    },
    (place) => [
      ...place.harness.table.items().filter(({ kind, replays }) => kind === 'webhook' && replays === 1),
    ],
    async (harness) => {
      const { id } = await create(harness);
      const job = await harness.runFile(id, 'email,first_name\na@x.org,A\n');
      await announceImport(harness.deps, { property: PROPERTY, import: id, job: job.id });
      return { job: job.id, importId: id };
    },
  ),
  retryImportJob: scene(
    ({ harness, path, csv }, requestKey) =>
      retryImportJob(harness.deps, keyed(PROPERTY, requestKey, { csv }, path)),
    (place) => {
      const made = batches(place).filter(({ retry }) => retry !== undefined && retry !== null);
      return made.length === 1 ? queued(place) : made;
    },
    async (harness, importId) => {
      const { id } = await harness.runFile(importId, 'email,first_name\nnot an address,A\nb@x.org,B\n');
      const csv = await download({ harness, importId, job: id });
      const mend = (row: string[]) => row.map((cell) => cell.replace('not an address', 'a@x.org'));
      return { job: id, csv: edited(csv, mend) };
    },
  ),
  importData: scene(
    ({ harness, path }, requestKey) => {
      const body = { name: 'b', import_job: Number(path['job_id']), records: [{ email: 'a@x.org' }] };
      return importData(harness.deps, keyed(PROPERTY, requestKey, body));
    },
    (place) => (batches(place).length === 1 ? queued(place) : batches(place)),
    async (harness, importId) => ({ job: (await harness.openJob(importId)).id }),
  ),
};
