import { join } from 'node:path';
import { batchesOf } from '../../shared/runtime/pool.ts';
import { keys } from '../../shared/table/keys.ts';
import { tableNames } from '../../test/support/table-names.ts';
import { reportCost } from '../support/cost.ts';
import { temporaryFolder } from '../support/folder.ts';
import { load } from '../support/measure.ts';
import { definePeople, importPeople, writePeople } from '../support/people-file.ts';
import { scenario } from '../support/scenario.ts';
import { openService } from '../support/service.ts';

const ITEMS_AT_ONCE = 100;
const BATCHES_AT_ONCE = 8;

export default scenario({
  name: 'reimport',
  title: 'Import an unchanged file again',
  about:
    'The same file comes a second time and brings nothing new; every count is checked. Its rows have tags, which keep the time of the first file. The floor is a bare loop that reads the profile of each row by `BatchGetItem`.',
  sizes: { ci: { rows: 5_000 }, full: { rows: 1_000_000 } },
  run: async ({ rows }, report) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'people.csv');
    await writePeople(file, 1, rows);
    await using service = await openService({ dataDir: join(folder.path, 'data') });
    const importId = await definePeople(service);
    const importAll = () => importPeople(service, { importId, file, from: 1, to: rows }, report);
    const first = await importAll();
    const { result: again, cost } = await service.cost(importAll);
    report.progress('reads all profiles');
    const batches = [...batchesOf(Array.from({ length: rows }).keys(), ITEMS_AT_ONCE)];
    const read = (index: number) => {
      const Keys = (batches[index] ?? []).map((ordinal) => {
        const { pk, sk } = keys.profile(service.property, ordinal);
        return { pk: { S: pk }, sk: { S: sk } };
      });
      const RequestItems = { [tableNames.table]: { Keys, ConsistentRead: true } };
      return service.bare.call('BatchGetItem', { RequestItems });
    };
    const bare = await load(batches.length, BATCHES_AT_ONCE, read);
    report.ratio('the second import', again.seconds / bare.seconds);
    report.ratio('the second import', again.seconds / first.seconds, '× the first import');
    reportCost(report, cost, { units: rows, of: 'row' });
    report.time('rate of the second import', rows / again.seconds, 'rows/s');
    report.time('rate of the first import', rows / first.seconds, 'rows/s');
    report.chart({
      kind: 'bars',
      unit: 'seconds of this machine',
      bars: [
        { name: 'bare reads', value: bare.seconds },
        { name: 'second import', value: again.seconds },
        { name: 'first import', value: first.seconds },
      ],
    });
  },
});
