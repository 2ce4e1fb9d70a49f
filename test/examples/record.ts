/** Records the examples: plays the scenes and writes `docs/examples`. */
import { examplesOf, playScenes } from '../scenes/catalogue.ts';
import { openStage } from '../scenes/stage.ts';
import { writeExamples } from './files.ts';

await using stage = await openStage();
await playScenes(stage);
const examples = examplesOf(stage);
await writeExamples(examples);
process.stdout.write(`Wrote ${examples.size} examples to docs/examples.\n`);
