/** The line `sep=;` that tells a spreadsheet the delimiter. A spreadsheet that saves the file adds quotes and delimiters. */
const separatorLine = /^[\s\ufeff]*"?sep=[^"\r\n]?"?[,;|\s]*$/iu;

/** Whether a row is such a line, and no header. */
export const isSeparatorLine = (row: string): boolean => separatorLine.test(row);
