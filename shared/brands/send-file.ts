import { readFile } from 'node:fs/promises';
import { limits } from '../config/limits.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { readBrandFile, type FileFault } from './read-file.ts';
import type { BrandRow } from './brand-row.ts';
import { CATEGORY_SEPARATOR } from '../catalogue/brand-keys.ts';

/** Sends a command to the operator function; throws with a message for the operator when the function refuses. */
export type Ask = (command: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, unknown>>>;

/** The outcome of a load. */
export interface Loaded {
  readonly version: unknown;
  readonly pages: number;
}

/** The sample catalogue of the project: a few invented pages. */
export const shippedBrands = (): Promise<Buffer> => readFile(new URL('brands.csv', import.meta.url));

/** Loads a catalogue file, or returns its faults. Checks the whole file before it sends the first part. */
export const sendBrandFile = async (
  ask: Ask,
  bytes: Buffer,
  onPart: (share: number) => void = () => undefined,
): Promise<Result<Loaded, readonly FileFault[]>> => {
  const rows = readBrandFile(bytes);
  if (!rows.ok) return err(rows.error);
  const { version } = await ask({ command: 'brands.begin' });
  const parts = partsOf(rows.value);
  for (const [part, lines] of parts.entries()) {
    await ask({ command: 'brands.part', version, part, rows: lines });
    onPart((part + 1) / parts.length);
  }
  const pages = rows.value.length;
  await ask({ command: 'brands.commit', version, parts: parts.length, pages });
  return ok({ version, pages });
};

/** Rows as cells, in parts that are small enough to send. */
const partsOf = (rows: readonly BrandRow[]): readonly (readonly (readonly string[])[])[] => {
  const parts: string[][][] = [];
  let left = 0;
  for (const { page, brand, category } of rows) {
    const cells = [page, brand, category.join(CATEGORY_SEPARATOR)];
    const bytes = Buffer.byteLength(JSON.stringify(cells)) + 1;
    if (bytes > left) {
      parts.push([]);
      // Two brackets enclose the rows.
      left = limits.brands.partBytes - 2;
    }
    parts.at(-1)?.push(cells);
    left -= bytes;
  }
  return parts;
};
