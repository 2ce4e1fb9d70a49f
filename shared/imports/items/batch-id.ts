import { sha256 } from '../../runtime/hash.ts';

/**
 * The UUID (version 8) of the `index`-th chunk of the file of a job. It is the same each time the file is split, and
 * the UUIDs sort in the order of the file.
 */
export const chunkUuid = (job: number, index: number): string => numberedUuid('chunk', job, index);

/**
 * The UUID of the `index`-th batch of corrected rows of a job. Two concurrent requests get the same UUID, and one
 * insert wins.
 */
export const retryUuid = (job: number, index: number): string => numberedUuid('retry', job, index);

const numberedUuid = (kind: 'chunk' | 'retry', job: number, index: number): string => {
  const hash = sha256(`tidemark/${kind}/1\n${job}\n${index}`);
  const parts = [hash.slice(0, 4), `8${hash.slice(4, 7)}`, `8${hash.slice(7, 10)}`, hash.slice(10, 22)];
  return [index.toString(16).padStart(8, '0'), ...parts].join('-');
};
