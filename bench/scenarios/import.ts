import { join } from 'node:path';
import { count } from '../../cli/terminal.ts';
import { reportImport, writeAgain } from '../support/bare-writes.ts';
import { bytesBelow, temporaryFolder } from '../support/folder.ts';
import { residentBytes, watchMemory } from '../support/memory.ts';
import {
  definePeople,
  emailOf,
  firstNameOf,
  importPeople,
  isRefused,
  writePeople,
} from '../support/people-file.ts';
import { type Report, scenario } from '../support/scenario.ts';
import { measureSizes } from '../support/sizes.ts';
import { type MeasuredService, openService } from '../support/service.ts';

const LOOK_UPS = 200;
const MEGABYTE = 1e6;

/** Checks that each refused row is listed once, and that people have the values of their rows. */
const checkRows = async (
  { client }: MeasuredService,
  { importId, jobId, rows }: { importId: number; jobId: number; rows: number },
  report: Report,
): Promise<void> => {
  const path = { import_id: importId, job_id: jobId };
  const errors = client.listImportErrors({ path, query: { limit: 1000 } });
  const listed = await Array.fromAsync(errors, ({ row }) => row);
  const refused = Array.from({ length: rows }, (_, index) => index + 1).filter(isRefused);
  report.check('refused rows', listed, refused);
  for (let index = 0; index < LOOK_UPS; index += 1) {
    const row = 1 + Math.floor((index * (rows - 1)) / LOOK_UPS);
    if (isRefused(row)) continue;
    const { profile } = await client.getProfile({ query: { email: emailOf(row) } });
    report.check(`the name of row ${row}`, profile.first_name, firstNameOf(row));
  }
};

/** Imports a file of so many rows into a new service, and returns the time as a multiple of the bare loop's. */
const measure = async (rows: number, report: Report): Promise<number> => {
  const title = `${count(rows)} rows: `;
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'people.csv');
  const size = await writePeople(file, 1, rows);
  const dataDir = join(folder.path, 'data');
  await using service = await openService({ dataDir, endsIdle: true });
  const importId = await definePeople(service);
  const before = residentBytes(service.pid);
  const watching = new AbortController();
  const watched = watchMemory(service.pid, watching.signal);
  const { result: imported, cost } = await service
    .cost(() => importPeople(service, { importId, file, from: 1, to: rows }, report))
    .finally(() => watching.abort());
  const memory = await watched;
  report.progress('checks rows and people');
  await checkRows(service, { importId, jobId: imported.jobId, rows }, report);
  await service.stop();
  report.progress('writes the same items in a bare loop');
  const stored = await bytesBelow(dataDir);
  const bare = await writeAgain(dataDir, join(folder.path, 'bare'));
  const ratio = reportImport(report, { title, rows, seconds: imported.seconds, cost, bare });
  report.count(`${title}undo log`, cost.undoLog.reduce((sum, bytes) => sum + bytes, 0) / rows, 'bytes a row');
  report.count(`${title}objects of the undo log`, cost.undoLog.length, 'objects');
  report.count(`${title}file`, size / MEGABYTE, 'MB');
  report.count(`${title}stored files`, stored / MEGABYTE, 'MB');
  report.count(`${title}service before`, before / MEGABYTE, 'MB');
  report.count(`${title}service at most`, memory.whole / MEGABYTE, 'MB');
  report.count(`${title}without mapped files at most`, memory.own / MEGABYTE, 'MB');
  report.count(`${title}mapped files at most`, memory.mapped / MEGABYTE, 'MB');
  report.count(`${title}heap of the emulators at most`, cost.heaps.emulators / MEGABYTE, 'MB');
  report.count(`${title}heaps of the functions at most`, cost.heaps.functions / MEGABYTE, 'MB');
  return ratio;
};

export default scenario({
  name: 'import',
  title: 'Import a file',
  about:
    'A file of 15 columns goes from the upload to the end of its job; every count is checked. The floor is a bare loop that writes the same items into files, with the same engine and client.',
  sizes: { ci: { rows: [10_000] }, full: { rows: [100_000, 1_000_000] } },
  run: ({ rows }, report) =>
    measureSizes(report, { sizes: rows, of: 'rows', unit: 'time as a multiple of the bare loop' }, measure),
});
