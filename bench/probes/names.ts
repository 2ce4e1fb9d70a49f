/**
 * Measures what the search by name costs an import: the same files into a property with the search and into one without, in
 * turn. `node cli/launch.mjs bench/probes/names.ts [rows] [pairs]` prints the ratios of the processor times, and the units.
 */
import { utcDayOf } from '../../shared/runtime/utc-days.ts';
import { compareImports, openSide } from '../support/import-pairs.ts';
import { clearProgress, printFigures, startReport } from '../support/reporting.ts';

const ROWS = Number(process.argv[2] ?? 10_000);
const PAIRS = Number(process.argv[3] ?? 5);
const report = startReport('names');

const today = utcDayOf(Date.now());
const apart = true;
await using searched = await openSide(today, { apart });
await using plain = await openSide(today, { apart });
const { service } = searched;
await service.operate({ command: 'property.set', property: service.property, search_names: 'on' });
const compared = { what: 'the search by name', apart, first: 1, rows: ROWS, pairs: PAIRS, today };
await compareImports({ with: searched, without: plain }, compared, report);
clearProgress();
printFigures(report.figures, console.log);
