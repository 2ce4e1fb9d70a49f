/**
 * Runs the larger scenes of the protocol of profiles, journal and index (see test/membership/protocol.test.ts) in every
 * interleaving: `node bench/probes/protocol.ts`. Takes minutes and a few gigabytes; prints the number of visited states.
 */
import { count, table as printTable } from '../../cli/terminal.ts';
import { familiesOf } from '../../test/membership/protocol-families.ts';
import { programsWith } from '../../test/membership/protocol-programs.ts';
import { stage } from '../../test/membership/protocol-scenes.ts';

const programs = programsWith();
const play = stage(programs);
for (const [family, scenes] of Object.entries(familiesOf(programs).large)) {
  for (const scene of scenes) {
    const { states, finals, fault } = await play(scene);
    printTable([
      [family, `${count(states)} states, ${count(finals)} ends, ${fault?.what ?? 'none of them wrong'}`],
    ]);
    if (fault) process.exitCode = 1;
  }
}
