/** Files of the examples: one file for each operation in `docs/examples`, named after the operation. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { exampleFile, examplesFolder, type Examples } from '../../functions/edge/openapi/examples.ts';

/** Replaces all examples. */
export const writeExamples = async (exchanges: Examples): Promise<void> => {
  const style = await resolveConfig(exampleFile('any'));
  await rm(examplesFolder, { recursive: true, force: true });
  await mkdir(examplesFolder);
  for (const [operation, exchange] of exchanges) {
    const text = await format(JSON.stringify(exchange), { ...style, parser: 'json' });
    await writeFile(exampleFile(operation), text);
  }
};
