/** Prints cells as a row that `parseRow` parses into the same cells. */
export const printRow = (cells: readonly string[], delimiter: string): string =>
  cells.map((cell) => printCell(cell, delimiter)).join(delimiter);

const printCell = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
