import { join } from 'node:path';
import { makeSample, sampleDefinition } from '../../cli/sample.ts';
import { count } from '../../cli/terminal.ts';
import { reportImport, writeAgain } from '../support/bare-writes.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type Report, scenario } from '../support/scenario.ts';
import { measureSizes } from '../support/sizes.ts';
import { openService } from '../support/service.ts';

/** Imports the sample of the demo into a new service, and returns the time as a multiple of the bare loop's. */
const measure = async (rows: number, report: Report): Promise<number> => {
  const title = `${count(rows)} rows: `;
  const { csv, planted } = makeSample(rows);
  await using folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  await using service = await openService({ dataDir });
  const { client } = service;
  const { id: importId } = await client.createImport({ body: sampleDefinition });
  const { result, cost } = await service.cost(async () => {
    const started = performance.now();
    const { jobId } = await client.uploadFile({ importId, file: new Blob([csv]), fileName: 'visitors.csv' });
    const onProgress = (job: { counts: { completed: number } }): void =>
      report.progress(`${count(job.counts.completed)} of ${count(rows)} rows stored`);
    const { counts } = await client.waitForImport({ importId, jobId, onProgress });
    return { counts, seconds: (performance.now() - started) / 1000 };
  });
  report.check('rows stored', result.counts.completed, planted.rows - planted.refused);
  report.check('rows refused', result.counts.unserializable, planted.refused);
  await service.stop();
  report.progress('writes the same items in a bare loop');
  const bare = await writeAgain(dataDir, join(folder.path, 'bare'));
  return reportImport(report, { title, rows, seconds: result.seconds, cost, bare });
};

export default scenario({
  name: 'demo-import',
  title: "Import the demo's file",
  about:
    'The sample of `npm run demo`, with repeated people and invalid rows, goes from the start of its upload to the end of its job in a service that has just started; its counts are checked. The floor is a bare loop that writes the same items into files, with the same engine and client.',
  sizes: { ci: { rows: [10_000] }, full: { rows: [10_000, 100_000] } },
  run: ({ rows }, report) =>
    measureSizes(report, { sizes: rows, of: 'rows', unit: 'time as a multiple of the bare loop' }, measure),
});
