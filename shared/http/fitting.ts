import { limits } from '../config/limits.ts';

/**
 * The number of views, in order, that fit into a page of `limits.http.pageBytes`. At least one, so that every page
 * makes progress.
 */
export const fittingCount = (shown: readonly unknown[]): number => {
  let bytes = 0;
  const over = shown.findIndex((one) => {
    bytes += Buffer.byteLength(JSON.stringify(one)) + 1;
    return bytes > limits.http.pageBytes;
  });
  return over === -1 ? shown.length : Math.max(over, 1);
};
