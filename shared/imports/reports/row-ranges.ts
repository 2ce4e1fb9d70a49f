import type { Batch } from '../items/batch.ts';

/** Row numbers as text, with ranges for neighbours: `1-3,7`. Thousands of rows fit into an item. */
export const printRowRanges = (rows: readonly number[]): string => {
  const ranges: [number, number][] = [];
  for (const row of [...new Set(rows)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === row - 1) last[1] = row;
    else ranges.push([row, row]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',');
};

/** The row numbers of a text of `printRowRanges`. */
export const parseRowRanges = (text: string): ReadonlySet<number> => {
  const rows = new Set<number>();
  for (const range of text.split(',')) {
    const [from = 0, to = from] = range.split('-').map(Number);
    for (let row = from; row <= to; row += 1) rows.add(row);
  }
  return rows;
};

/** The refused rows that the client sent again, by the UUID of the batch that refused them. */
export const retriedRows = (batches: readonly Batch[]): ReadonlyMap<string, ReadonlySet<number>> => {
  const retried = new Map<string, Set<number>>();
  for (const { retry } of batches) {
    for (const { batch, rows } of retry?.rows ?? []) {
      const known = retried.get(batch) ?? new Set();
      for (const row of parseRowRanges(rows)) known.add(row);
      retried.set(batch, known);
    }
  }
  return retried;
};
