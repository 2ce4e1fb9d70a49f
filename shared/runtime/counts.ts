/** Counts how often each of some values occurs, in the order in which they first occur. */
export const countsOf = <Value>(values: Iterable<Value>): ReadonlyMap<Value, number> => {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};
