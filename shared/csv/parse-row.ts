import { err, ok, type Result } from '../runtime/result.ts';

/** Syntax errors of a row. */
export type RowFault = 'stray_quote' | 'text_after_quote' | 'open_quote';

/**
 * Parses one row, without its line break, into cells (RFC 4180). A quote may open a cell only at its start; a quote
 * elsewhere is a syntax error. The text must be a row that `RowScanner` found.
 */
export const parseRow = (text: string, delimiter: string): Result<readonly string[], RowFault> => {
  if (!text.includes('"')) return ok(text.split(delimiter));
  const cells: string[] = [];
  for (let at = 0; ;) {
    const cell = text[at] === '"' ? quotedCell(text, at, delimiter) : plainCell(text, at, delimiter);
    if (!cell.ok) return cell;
    cells.push(cell.value.text);
    if (cell.value.end === text.length) return ok(cells);
    at = cell.value.end + 1;
  }
};

/** A cell and its end: the position of a delimiter, or the end of the row. */
type Cell = Result<{ readonly text: string; readonly end: number }, RowFault>;

const plainCell = (text: string, start: number, delimiter: string): Cell => {
  const found = text.indexOf(delimiter, start);
  const end = found === -1 ? text.length : found;
  const cell = text.slice(start, end);
  return cell.includes('"') ? err('stray_quote') : ok({ text: cell, end });
};

const quotedCell = (text: string, start: number, delimiter: string): Cell => {
  let end = text.indexOf('"', start + 1);
  let doubled = false;
  while (end !== -1 && text[end + 1] === '"') {
    doubled = true;
    end = text.indexOf('"', end + 2);
  }
  if (end === -1) return err('open_quote');
  const after = text[end + 1];
  if (after !== undefined && after !== delimiter) return err('text_after_quote');
  const cell = text.slice(start + 1, end);
  return ok({ text: doubled ? cell.replaceAll('""', '"') : cell, end: end + 1 });
};
