import { limits } from '../config/limits.ts';
import { isCleanIdentifier, hasAtMost } from '../http/text.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { segmentName } from '../catalogue/identity.ts';
import { UNCATEGORISED } from '../catalogue/brand-keys.ts';

/**
 * A row of the brand catalogue: a page of the social network, its brand, and the category path of the brand, outermost
 * first.
 */
export interface BrandRow {
  readonly page: string;
  readonly brand: string;
  readonly category: readonly string[];
}

/** The columns of a catalogue file. */
export const brandColumns = ['page_id', 'brand', 'category'] as const;

/** Parses a row from its three cells, trimmed and in NFC like names of segments; or returns its fault in one sentence. */
export const brandRow = (cells: readonly string[]): Result<BrandRow, string> => {
  if (cells.length !== brandColumns.length)
    return err(`Has ${cells.length} cells instead of ${brandColumns.length}.`);
  if (!cells.every((cell) => isCleanIdentifier(cell.trim())))
    return err('Holds characters that are not allowed.');
  const [page, brand, path] = cells.map((cell) => segmentName(cell));
  if (page === undefined) return err(empty('page_id'));
  if (brand === undefined) return err(empty('brand'));
  if (path === undefined) return err(empty('category'));
  if (!hasAtMost(page, limits.profiles.stringLength))
    return err(tooLong('page_id', limits.profiles.stringLength));
  if (!hasAtMost(brand, limits.brands.nameLength)) return err(tooLong('brand', limits.brands.nameLength));
  if (!hasAtMost(path, limits.brands.nameLength)) return err(tooLong('category', limits.brands.nameLength));
  const category = path.split('>').map((level) => level.trim());
  if (category.includes('')) return err('A level of category is empty.');
  if (category.length > limits.brands.categoryLevels)
    return err(`category has more than ${limits.brands.categoryLevels} levels.`);
  if (category[0]?.toLowerCase() === UNCATEGORISED.toLowerCase())
    return err(`${UNCATEGORISED} is kept for pages that the catalogue does not know.`);
  return ok({ page, brand, category });
};

const empty = (column: string): string => `${column} is empty.`;
const tooLong = (column: string, limit: number): string => `${column} is longer than ${limit} characters.`;
