import { limits } from '../../shared/config/limits.ts';
import type { Settings } from './settings.ts';

/** Write units per second that the table of a stage serves from the start. */
export const writeUnitsOf = ({ warmWriteUnits }: Pick<Settings, 'warmWriteUnits'>): number =>
  warmWriteUnits ?? limits.table.newTableWriteUnits;

/** The least maximum concurrency of an event source mapping of SQS (Lambda Developer Guide). */
const LEAST = 2;

/**
 * The least number of import workers that use all write units of a table. They share the units by rate control
 * (`shared/table/rate-control.ts`); more workers would only wait for each other. `bench/probes/simulate-load.ts` shows the time of a
 * large file with this number.
 */
export const importWorkersFor = (writeUnits: number): number => {
  const { rowsPerWorkerSecond, writeUnitsPerRow } = limits.imports;
  return Math.max(LEAST, Math.ceil(writeUnits / (rowsPerWorkerSecond * writeUnitsPerRow)));
};
