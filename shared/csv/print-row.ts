/** Cells as the text of a row that `parseRow` reads as the same cells. */
export const printRow = (cells: readonly string[], delimiter: string): string =>
  cells.map((cell) => printCell(cell, delimiter)).join(delimiter);

const printCell = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
