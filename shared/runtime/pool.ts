/**
 * Maps a list with bounded concurrency, as a semaphore of `limit` would. After the first failure it starts no further
 * call, waits for the calls under way, and throws.
 */
export const mapLimited = async <T, R>(
  items: readonly T[],
  limit: number,
  map: (item: T, index: number) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = [];
  const queue = items.entries();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (failures.length > 0) return;
      results[index] = await map(item, index);
    }
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, () =>
    worker().catch((failure: unknown) => failures.push(failure)),
  );
  await Promise.all(workers);
  if (failures.length > 0) throw failures[0];
  return results;
};

/** Cuts a sequence into arrays of `size`, the last one shorter. */
export function* batchesOf<T>(items: Iterable<T>, size: number): Generator<T[], void> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
