/** Upload store: remembers the unfinished upload of a job's file to the bucket of its client. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { DAY_MS, ttlAt } from '../../runtime/clock.ts';
import { keys } from '../../table/keys.ts';
import type { Table, WriteOutcome } from '../../table/table.ts';
import { exportUpload, type ExportUpload, type JobRef } from './items.ts';

/** Unfinished uploads, at most one of each job. */
export interface UploadStore {
  upload(ref: JobRef): Promise<ExportUpload | undefined>;
  /** Remembers an upload that has just begun; refused while another upload is remembered. The item expires. */
  rememberUpload(ref: JobRef, upload: ExportUpload, now: number): Promise<WriteOutcome>;
  /** Forgets an upload, unless another upload is remembered. */
  forgetUpload(ref: JobRef, upload: ExportUpload): Promise<void>;
}

const keyOf = ({ property, export: id, job }: JobRef) => keys.exportUpload(property, id, job);

/** Uploads in the table. */
export const uploadStore = (table: Table): UploadStore => ({
  upload: async (ref) => {
    const item = await table.get(keyOf(ref));
    return item && v.parse(exportUpload, item);
  },
  rememberUpload: (ref, upload, now) => {
    const ttl = ttlAt(now + limits.exports.objectUploadDays * DAY_MS);
    return table.write({ kind: 'insert', key: keyOf(ref), set: { ...upload, ttl } });
  },
  forgetUpload: async (ref, { upload }) => {
    await table.write({ kind: 'delete', key: keyOf(ref), expect: { upload } });
  },
});
