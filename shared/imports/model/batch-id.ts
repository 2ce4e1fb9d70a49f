import { createHash } from 'node:crypto';

/**
 * The UUID of the `index`-th chunk of a job's file (version 8): the same whenever the file is cut, and in the order of the
 * file.
 */
export const chunkUuid = (job: number, index: number): string => numberedUuid('chunk', job, index);

/** The UUID of the `index`-th batch of corrected rows of a job: two who make it at once make the same. */
export const retryUuid = (job: number, index: number): string => numberedUuid('retry', job, index);

const numberedUuid = (kind: 'chunk' | 'retry', job: number, index: number): string => {
  const hash = createHash('sha256').update(`tidemark/${kind}/1\n${job}\n${index}`).digest('hex');
  const parts = [hash.slice(0, 4), `8${hash.slice(4, 7)}`, `8${hash.slice(7, 10)}`, hash.slice(10, 22)];
  return [index.toString(16).padStart(8, '0'), ...parts].join('-');
};
