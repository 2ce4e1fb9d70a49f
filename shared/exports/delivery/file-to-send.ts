import type { ObjectStore } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { ExportDefinition, ExportFile, ExportJob } from '../model/items.ts';

/** The file of a job, with a reader of its bytes. */
export interface FileToSend extends Pick<ExportFile, 'name' | 'bytes' | 'sha256'> {
  /** Streams the bytes from `from` to before `to`, to the end when absent. */
  readonly read: (from: number, to?: number) => AsyncIterable<Uint8Array>;
}

/**
 * The file of a job as a push sends it; else the reason why nothing may be sent, which no later attempt can change. A
 * plain file is not sent once its definition demands encryption.
 */
export const fileToSend = async (
  files: Pick<ObjectStore, 'read' | 'head'>,
  { file }: Pick<ExportJob, 'file'>,
  { pgp_public_key }: Pick<ExportDefinition, 'pgp_public_key'>,
): Promise<Result<FileToSend, string>> => {
  if (!file) return err('the job has no file');
  if (pgp_public_key !== null && !file.encrypted) return err('the file is not encrypted');
  const { key, etag, name, bytes, sha256 } = file;
  if ((await files.head(key))?.etag !== etag) return err('the file is no longer kept');
  const read = (from: number, to = bytes): AsyncIterable<Uint8Array> =>
    from >= to ? nothing() : files.read(key, { etag, from, to: to - 1 });
  return ok({ name, bytes, sha256, read });
};

async function* nothing(): AsyncGenerator<Uint8Array, void> {
  // S3 refuses a range that begins at the end of an object.
}
