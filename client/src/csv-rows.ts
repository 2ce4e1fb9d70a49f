/** Splits a CSV text into its rows, and rows into cells. */
import { isSeparatorLine } from './separator-line.ts';

/**
 * The rows of a text with their line breaks. A line break inside quotes belongs to its row. Blank rows are left out, and a
 * line before the header that states the delimiter.
 */
export const csvRows = (text: string): readonly string[] => {
  const rows: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') quoted = !quoted;
    if (quoted || (char !== '\n' && (char !== '\r' || text.charAt(at + 1) === '\n'))) continue;
    rows.push(text.slice(start, at + 1));
    start = at + 1;
  }
  if (start < text.length) rows.push(text.slice(start));
  const filled = rows.filter((row) => row.trim() !== '');
  return isSeparatorLine(filled[0] ?? '') ? filled.slice(1) : filled;
};

/** The cells of a row. Quotes are removed. */
export const csvCells = (row: string, delimiter: string): readonly string[] => {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  const text = row.replace(/\r?\n$|\r$/, '');
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === delimiter && !quoted) {
      cells.push(cell);
      cell = '';
      continue;
    }
    // Two quotes inside a quoted cell stand for one.
    const isQuote = char === '"';
    if (isQuote) quoted = !quoted;
    if (!isQuote || (quoted && text.charAt(at - 1) === '"')) cell += char;
  }
  return [...cells, cell];
};

/** The bounds of one request that sends rows again. */
export interface PieceBounds {
  readonly rows: number;
  /** Bytes in UTF-8, the header included. */
  readonly bytes: number;
}

/** The CSV text in pieces within the bounds. Each piece begins with the header. A row is never divided. */
export const csvPieces = (text: string, { rows: most, bytes }: PieceBounds): readonly string[] => {
  const [header, ...rows] = csvRows(text);
  if (header === undefined) return [];
  const sizeOf = (row: string): number => new TextEncoder().encode(row).length;
  const pieces: string[][] = [];
  let size = 0;
  for (const row of rows) {
    const piece = pieces.at(-1);
    const added = sizeOf(row);
    if (piece === undefined || piece.length === most || size + added > bytes) {
      pieces.push([row]);
      size = sizeOf(header) + added;
    } else {
      piece.push(row);
      size += added;
    }
  }
  const line = /[\r\n]$/.test(header) ? header : `${header}\n`;
  return pieces.map((piece) => line + piece.join(''));
};
