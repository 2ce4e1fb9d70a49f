/**
 * What indexing costs when everybody comes again: `node bench/reimport.ts [people] [rows per second]`. Imports people from a
 * file, then the same in random order with one new tag, by the real steps on a table in memory, and prints the writes of
 * the index. The rows per second say how often the sweep comes meanwhile; drains that are asked for run at once.
 */
import { count, table as printTable } from '../cli/terminal.ts';
import { reimport } from '../test/imports/reimport.ts';

const people = Number(process.argv[2] ?? 1_000_000);
const rowsPerSecond = Number(process.argv[3] ?? 2_500);
const cost = await reimport({ people, rowsPerSecond, seed: 1 });
printTable([
  ['known people with a new tag', count(people)],
  ['members of its segment', count(cost.members)],
  ['sweeps while they came', count(cost.sweeps)],
  ['drains', count(cost.drains)],
  ['writes of chunks', count(cost.chunkWrites)],
  ['writes of directories', count(cost.directoryWrites)],
  ['writes of the journal', count(cost.journalWrites)],
]);
