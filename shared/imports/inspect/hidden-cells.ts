/** Hidden cells: which cells of a file an inspection hides, because they may hold social tokens. */
import { visibleText } from '../../runtime/visible-text.ts';
import { columnsOf } from '../mapping/field-map.ts';
import type { ImportBody } from '../schemas/definition-schemas.ts';

/** The parts of a definition that say how its files are read. */
export type ReadingRules = Pick<
  ImportBody,
  'encoding' | 'delimiter' | 'header_line' | 'trim' | 'mapping_fields'
>;

/** What an inspection hides of a file. */
export interface HiddenCells {
  /** Why the answer hides cells; `null` when it shows all of them. */
  readonly reason: string | null;
  /** Whether the answer hides every cell, because the columns of the tokens are unknown. */
  readonly hidesAll: boolean;
  /** Whether it is known which cells of a row hold tokens. In rows with more or fewer cells than the header it is not. */
  readonly locates: (cells: readonly string[]) => boolean;
  /** The cells of a row; `null` in place of each hidden cell. */
  readonly visible: (cells: readonly string[]) => readonly (string | null)[];
}

/** The columns of a definition that hold social tokens. */
export const tokenColumns = ({ mapping_fields }: Pick<ReadingRules, 'mapping_fields'>): readonly string[] =>
  mapping_fields.field_maps
    .filter(({ target_field }) => target_field === 'social_token')
    .flatMap((map) => columnsOf(map).map(visibleText));

/**
 * Decides what to hide under a header: the columns named `tokens`, or all cells if the header lacks one of the columns.
 * The caller reads the header in the dialect of the definition with the tokens: in another dialect its columns differ.
 */
export const hiddenCells = (header: readonly string[], tokens: ReadonlySet<string>): HiddenCells => {
  const missing = [...tokens].find((name) => !header.includes(name));
  const hidesAll = missing !== undefined;
  const locates = ({ length }: readonly string[]): boolean =>
    tokens.size === 0 || (!hidesAll && length === header.length);
  return {
    reason: reasonOf(tokens.size, missing),
    hidesAll,
    locates,
    visible: (cells) => {
      const isLocated = locates(cells);
      return cells.map((cell, index) => (isLocated && !tokens.has(header[index] ?? '') ? cell : null));
    },
  };
};

const reasonOf = (columns: number, missing: string | undefined): string | null => {
  if (columns === 0) return null;
  return missing === undefined
    ? 'The definition maps social tokens. Their cells are hidden, and all cells of rows with more or fewer cells than the header.'
    : `The definition maps social tokens from the column ${JSON.stringify(missing)}, which the header does not have. So every cell may hold a token, and all cells are hidden.`;
};
