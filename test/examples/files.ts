/** Files of the examples: one file for each operation in `docs/examples`, named after the operation. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import * as v from 'valibot';
import { exchangeSchema, type Exchange } from './exchange.ts';

const folder = join(import.meta.dirname, '../../docs/examples');
const ENDING = '.json';

/** All examples by operation. */
export const readExamples = async (): Promise<ReadonlyMap<string, Exchange>> => {
  const names = (await readdir(folder)).toSorted();
  const read = names.map(async (name) => {
    const exchange = v.parse(exchangeSchema, JSON.parse(await readFile(join(folder, name), 'utf8')));
    return [name.slice(0, -ENDING.length), exchange] as const;
  });
  return new Map(await Promise.all(read));
};

/** Replaces all examples. */
export const writeExamples = async (exchanges: ReadonlyMap<string, Exchange>): Promise<void> => {
  const style = await resolveConfig(join(folder, `x${ENDING}`));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  for (const [operation, exchange] of exchanges) {
    const text = await format(JSON.stringify(exchange), { ...style, parser: 'json' });
    await writeFile(join(folder, `${operation}${ENDING}`), text);
  }
};
