import type { Report } from './scenario.ts';
import type { Cost } from './service.ts';

/** What the units of some work are. */
interface Work {
  readonly units: number;
  readonly of: string;
  readonly prefix?: string;
}

/** Reports what some work cost the service, for each of its units. */
export const reportCost = (report: Report, cost: Cost, { units, of, prefix = '' }: Work): void => {
  const { functions, emulators, other } = cost.cpu;
  const milliseconds = (seconds: number): number => (seconds / units) * 1e3;
  report.count(`${prefix}read units`, cost.readUnits / units, `a ${of}`);
  report.count(`${prefix}write units`, cost.writeUnits / units, `a ${of}`);
  report.count(`${prefix}calls of tables`, cost.tableCalls / units, `a ${of}`);
  report.cpu(`${prefix}processor time, functions`, milliseconds(functions), `ms a ${of}`);
  report.cpu(`${prefix}processor time, emulators`, milliseconds(emulators), `ms a ${of}`);
  report.cpu(`${prefix}processor time, storage and collector`, milliseconds(other), `ms a ${of}`);
};

/**
 * Reports the same of a service whose functions have threads of their own, where their processor time is told apart, and the
 * processor time of the whole service as it is.
 */
export const reportApart = (
  report: Report,
  { apart, whole }: { readonly apart: Cost | undefined; readonly whole: Cost },
  work: Work,
): void => {
  if (!apart) throw new Error(`the cost of ${work.prefix ?? work.of} is missing`);
  reportCost(report, apart, work);
  const { functions, emulators, other } = whole.cpu;
  const milliseconds = ((functions + emulators + other) / work.units) * 1e3;
  report.cpu(`${work.prefix ?? ''}processor time, whole service`, milliseconds, `ms a ${work.of}`);
};
