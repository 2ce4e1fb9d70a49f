/** Sizes: runs a scenario at each of its sizes, and charts the results beside the bare floor. */
import { count } from '../../cli/terminal.ts';
import type { Report } from './scenario.ts';

/**
 * Calls `measure` for each size in turn. `measure` returns a multiple of the bare floor's time. The chart has a bar for
 * each size, with the name of what is counted behind the number.
 */
export const measureSizes = async (
  report: Report,
  { sizes, of, unit }: { readonly sizes: readonly number[]; readonly of: string; readonly unit: string },
  measure: (size: number, report: Report) => Promise<number>,
): Promise<void> => {
  const bars: { name: string; value: number }[] = [];
  for (const size of sizes) bars.push({ name: `${count(size)} ${of}`, value: await measure(size, report) });
  report.chart({ kind: 'bars', unit, floor: 1, bars });
};
