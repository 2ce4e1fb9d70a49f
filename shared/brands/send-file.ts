import { readFile } from 'node:fs/promises';
import { limits } from '../config/limits.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { readBrandFile, type FileFault } from './read-file.ts';
import type { BrandRow } from './brand-row.ts';
import { CATEGORY_SEPARATOR } from '../catalogue/brand-keys.ts';

/** Asks the operator function; throws, in words for an operator, when it refuses. */
export type Ask = (command: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, unknown>>>;

/** What a load came to. */
export interface Loaded {
  readonly version: unknown;
  readonly pages: number;
}

/** The catalogue that ships with the project: a few invented pages, to see the service work. */
export const shippedBrands = (): Promise<Buffer> => readFile(new URL('brands.csv', import.meta.url));

/** Loads a catalogue file, or answers its faults: the whole of it is checked before the first part is sent. */
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

/** Rows as cells, in parts that are small enough to be sent. */
const partsOf = (rows: readonly BrandRow[]): readonly (readonly (readonly string[])[])[] => {
  const parts: string[][][] = [];
  let left = 0;
  for (const { page, brand, category } of rows) {
    const cells = [page, brand, category.join(CATEGORY_SEPARATOR)];
    const bytes = Buffer.byteLength(JSON.stringify(cells)) + 1;
    if (bytes > left) {
      parts.push([]);
      // Two brackets stand around the rows.
      left = limits.brands.partBytes - 2;
    }
    parts.at(-1)?.push(cells);
    left -= bytes;
  }
  return parts;
};
