import { createHash } from 'node:crypto';

/**
 * The UUID of the `index`-th chunk of a job's file (version 8): the same whenever the file is cut, and in the order of the
 * file.
 */
export const chunkUuid = (job: number, index: number): string => {
  const hash = createHash('sha256').update(`tidemark/chunk/1\n${job}\n${index}`).digest('hex');
  const parts = [hash.slice(0, 4), `8${hash.slice(4, 7)}`, `8${hash.slice(7, 10)}`, hash.slice(10, 22)];
  return [index.toString(16).padStart(8, '0'), ...parts].join('-');
};
