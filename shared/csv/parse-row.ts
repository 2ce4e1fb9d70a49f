import { err, ok, type Result } from '../runtime/result.ts';

/** Syntax errors of a row. `space_around_quote` is none with `trim`. */
export type RowFault = 'stray_quote' | 'space_around_quote' | 'text_after_quote' | 'open_quote';

/**
 * Parses one row, without its line break, into cells (RFC 4180). A quote may open a cell only at its start; a quote
 * elsewhere is a syntax error. With `trim`, white space around a cell is left out. The text must be a row that
 * `RowScanner` found.
 */
export const parseRow = (
  text: string,
  delimiter: string,
  trim = false,
): Result<readonly string[], RowFault> => {
  if (!text.includes('"')) {
    const cells = text.split(delimiter);
    return ok(trim ? cells.map((cell) => trimmed(cell)) : cells);
  }
  const cells: string[] = [];
  for (let at = 0; ;) {
    const start = trim ? afterSpace(text, at, delimiter) : at;
    const cell =
      text[start] === '"' ? quotedCell(text, start, { delimiter, trim }) : plainCell(text, at, delimiter);
    if (!cell.ok) return cell;
    const { text: content, end, isPlain } = cell.value;
    cells.push(trim && isPlain ? trimmed(content) : content);
    if (end === text.length) return ok(cells);
    at = end + 1;
  }
};

/** A cell and its end: the position of a delimiter, or the end of the row. */
type Cell = Result<{ readonly text: string; readonly end: number; readonly isPlain: boolean }, RowFault>;

const plainCell = (text: string, start: number, delimiter: string): Cell => {
  const found = text.indexOf(delimiter, start);
  const end = found === -1 ? text.length : found;
  const cell = text.slice(start, end);
  if (!cell.includes('"')) return ok({ text: cell, end, isPlain: true });
  return err(trimmed(cell).startsWith('"') ? 'space_around_quote' : 'stray_quote');
};

const quotedCell = (
  text: string,
  start: number,
  { delimiter, trim }: { readonly delimiter: string; readonly trim: boolean },
): Cell => {
  let end = text.indexOf('"', start + 1);
  let doubled = false;
  while (end !== -1 && text[end + 1] === '"') {
    doubled = true;
    end = text.indexOf('"', end + 2);
  }
  if (end === -1) return err('open_quote');
  const next = trim ? afterSpace(text, end + 1, delimiter) : end + 1;
  if (next < text.length && text[next] !== delimiter) {
    const after = afterSpace(text, next, delimiter);
    return err(
      after === text.length || text[after] === delimiter ? 'space_around_quote' : 'text_after_quote',
    );
  }
  const cell = text.slice(start + 1, end);
  return ok({ text: doubled ? cell.replaceAll('""', '"') : cell, end: next, isPlain: false });
};

/** White space of the syntax is any character up to the space, as in `RowScanner`. */
const SPACE = 0x20;

/** The position of the first character that is no white space. A delimiter is none. */
const afterSpace = (text: string, start: number, delimiter: string): number => {
  let at = start;
  while (at < text.length && text.charCodeAt(at) <= SPACE && text[at] !== delimiter) at += 1;
  return at;
};

const trimmed = (cell: string): string => {
  const start = afterSpace(cell, 0, '');
  let end = cell.length;
  while (end > start && cell.charCodeAt(end - 1) <= SPACE) end -= 1;
  return cell.slice(start, end);
};
