/** Other format: recognises files that are no text by their first bytes, for the inspection of files. */
import { fileFailure } from '../jobs/fail-import.ts';
import type { FileFailure } from '../model/import-job.ts';

const SAVE_AS = 'Save it as "CSV UTF-8" in Excel';
const ONLY_GZIP = 'Of compressed files, the service reads gzip only';

/** First bytes of formats that are often sent instead of CSV. No text in a supported encoding starts with them. */
const formats: readonly (readonly [start: string, what: string, remedy: string])[] = [
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'an Excel workbook (XLS)', SAVE_AS],
  ['%PDF-', 'a PDF', 'Export the table as CSV'],
  ['PAR1', 'a Parquet file', 'Export the table as CSV'],
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive', ONLY_GZIP],
  ['Rar!\x1a\x07', 'a RAR archive', ONLY_GZIP],
  ['BZh91AY&SY', 'a bzip2 file', ONLY_GZIP],
  ['\xfd7zXZ\x00', 'an xz file', ONLY_GZIP],
  ['\x28\xb5\x2f\xfd', 'a Zstandard file', ONLY_GZIP],
  ['-----BEGIN PGP MESSAGE-----', 'an encrypted PGP message', 'Send the file decrypted'],
];

/** A workbook may begin with an entry of any name, and is a ZIP archive like others then. */
const ZIP_REMEDY = `${ONLY_GZIP}. If it is a spreadsheet, save the sheet as CSV`;

/** First bytes of a ZIP archive; office documents are ZIP archives. */
const ZIP = ['PK\x03\x04', 'PK\x05\x06'];

/** Names of entries of office documents. They stand uncompressed in the archive, usually in its first bytes. */
const OFFICE: readonly (readonly [entry: string, what: string, remedy: string])[] = [
  ['xl/work', 'an Excel workbook', SAVE_AS],
  ...['[Content_Types].xml', '_rels/.rels', 'docProps/'].map(
    (entry) => [entry, 'an Excel workbook or another Office document', SAVE_AS] as const,
  ),
  ['opendocument.spreadsheet', 'an OpenDocument spreadsheet', 'Save it as CSV (UTF-8)'],
];

/** The failure of a file in another format than text; `undefined` for all other files. */
export const otherFormat = (bytes: Buffer): FileFailure | undefined => {
  const start = bytes.toString('latin1');
  const found = ZIP.some((mark) => start.startsWith(mark))
    ? (OFFICE.find(([entry]) => start.includes(entry)) ?? ['', 'a ZIP archive', ZIP_REMEDY])
    : formats.find(([mark]) => start.startsWith(mark));
  return found && fileFailure('not_csv', `This file is ${found[1]}, not CSV. ${found[2]}.`);
};
