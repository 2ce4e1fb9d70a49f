import type { Report } from './scenario.ts';
import type { Cost } from './service.ts';

/** Reports what some work cost the service, for each of its units. */
export const reportCost = (
  report: Report,
  cost: Cost,
  { units, of, prefix = '' }: { readonly units: number; readonly of: string; readonly prefix?: string },
): void => {
  const { functions, emulators, other } = cost.cpu;
  const milliseconds = (seconds: number): number => (seconds / units) * 1e3;
  report.count(`${prefix}read units`, cost.readUnits / units, `a ${of}`);
  report.count(`${prefix}write units`, cost.writeUnits / units, `a ${of}`);
  report.count(`${prefix}calls of tables`, cost.tableCalls / units, `a ${of}`);
  report.cpu(`${prefix}processor time, functions`, milliseconds(functions), `ms a ${of}`);
  report.cpu(`${prefix}processor time, emulators`, milliseconds(emulators), `ms a ${of}`);
  report.cpu(`${prefix}processor time, storage and collector`, milliseconds(other), `ms a ${of}`);
};
