/**
 * Maps items in order with up to `width` results under way: the next reads run while the caller uses one
 * result. Stops at the first failure.
 */
export async function* mapAhead<T, R>(
  items: Iterable<T>,
  width: number,
  map: (item: T) => Promise<R>,
): AsyncGenerator<R, void> {
  const underWay: Promise<R>[] = [];
  for (const item of items) {
    const result = map(item);
    // A result that fails early is thrown in its turn, not as an unhandled rejection.
    result.catch(() => undefined);
    underWay.push(result);
    if (underWay.length < width) continue;
    const next = underWay.shift();
    if (next) yield await next;
  }
  for (const result of underWay) yield await result;
}
