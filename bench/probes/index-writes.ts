/**
 * Cost of indexing when all people return: `node bench/probes/index-writes.ts [people] [rows per second]`. Imports people from a
 * file, then the same people in random order with a new tag, by the real steps on a table in memory. Prints the writes
 * of the index. The rows per second set how often the sweep runs meanwhile; requested drains run at once.
 */
import { count, table as printTable } from '../../cli/terminal.ts';
import { reimport } from '../../test/imports/reimport.ts';

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
