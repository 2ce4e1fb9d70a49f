/**
 * Measures the work that people wait for in one service with files: an import of new people, the same file again (its tags
 * have a new time), lookups and pages. `node cli/launch.mjs bench/probes/pair.ts [rows]` prints the figures. To compare two
 * versions, copy this file into a checkout of the other version, and run both in turns.
 */
import { join } from 'node:path';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import { temporaryFolder } from '../support/folder.ts';
import { load, quantile, rateOf } from '../support/measure.ts';
import { definePeople, emailOf, importPeople, writePeople } from '../support/people-file.ts';
import { clearProgress, printFigures, startReport } from '../support/reporting.ts';
import { openService } from '../support/service.ts';

const ROWS = Number(process.argv[2] ?? 60_000);
const LOOKUPS = 3_000;
const PAGES = 60;
const AT_ONCE = 8;
const report = startReport('pair');

await using folder = await temporaryFolder();
const file = join(folder.path, 'people.csv');
await writePeople(file, 1, ROWS);
await using service = await openService({ dataDir: join(folder.path, 'data') });
const importId = await definePeople(service);
const rateOfImport = async (): Promise<number> =>
  ROWS / (await importPeople(service, { importId, file, from: 1, to: ROWS }, report)).seconds;
const read = async (path: string): Promise<void> =>
  report.check(path, (await service.call('GET', path)).status, 200);
const lookUp = (index: number): Promise<void> =>
  read(`/v1/${service.property}/profile?email=${emailOf(1 + (index % 900))}`);
const segment = `/v2/properties/${service.property}/segments/${everyoneId(service.property)}`;
const readPage = (): Promise<void> => read(`${segment}/profiles?limit=1000`);

const imported = await rateOfImport();
const again = await rateOfImport();
await load(LOOKUPS / 10, AT_ONCE, lookUp);
const lookups = await load(LOOKUPS, AT_ONCE, lookUp);
await load(PAGES / 10, 1, readPage);
const pages = await load(PAGES, 1, readPage);
report.time('import of new people', imported, 'rows/s');
report.time('import of the same people', again, 'rows/s');
report.time('lookups, eight at a time', rateOf(lookups), 'lookups/s');
report.time('99th percentile of a lookup', quantile(lookups, 0.99), 'ms');
report.time('median of a page', quantile(pages, 0.5), 'ms');
clearProgress();
printFigures(report.figures, console.log);
