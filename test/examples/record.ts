/** Records the examples: plays the scenario and writes `docs/examples`. */
import { writeExamples } from './files.ts';
import { playScenario } from './scenario.ts';

const exchanges = await playScenario();
await writeExamples(exchanges);
process.stdout.write(`Wrote ${exchanges.size} examples to docs/examples.\n`);
