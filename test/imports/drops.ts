import type { FileRenamed, FileUploaded } from '../../shared/imports/files/file-events.ts';
import { scope } from '../profiles/harness.ts';
import type { ImportHarness } from './import-harness.ts';

/** The account of the definitions of a harness. */
export const ACCOUNT = 1;

/** Key of a file in the directory of a definition. */
export const dropKey = (importId: number, name: string): string =>
  `sftp/${ACCOUNT}/${scope.id}/imports/${importId}/${name}`;

/** Puts a file as an SFTP session does; returns the event of Transfer Family, which ends when the file was stored. */
export const sendFile = async (harness: ImportHarness, key: string, text: string): Promise<FileUploaded> => {
  const { detail, time } = await harness.put(key, Buffer.from(text));
  const { etag, size: bytes } = detail.object;
  return {
    source: 'aws.transfer',
    'detail-type': 'SFTP Server File Upload Completed',
    detail: { 'file-path': `/bucket/${key}`, bytes, etag, 'end-timestamp': time },
  };
};

/** Renames a file as S3 does, by a copy; returns the event of Transfer Family. */
export const renameFile = async (harness: ImportHarness, from: string, to: string): Promise<FileRenamed> => {
  await harness.uploads.put(to, (await harness.uploads.get(from)) ?? '');
  await harness.uploads.remove(from);
  const info = await harness.uploads.head(to);
  return {
    source: 'aws.transfer',
    'detail-type': 'SFTP Server File Rename Completed',
    detail: {
      'original-file-path': `/bucket/${from}`,
      'renamed-file-path': `/bucket/${to}`,
      'end-timestamp': new Date(info?.modified ?? 0).toISOString(),
    },
  };
};
