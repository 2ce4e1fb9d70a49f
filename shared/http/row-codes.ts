/**
 * Row and job codes: every `code` of a refused or warned row, and of a failed job, with its meaning and its remedy. Handlers
 * import types only, so that no sentence is in a bundle.
 */
import type { Codes } from './code-facts.ts';
import type { FaultCode } from './fault-codes.ts';

/** Faults of rows, besides those of values and records (`fault-codes.ts`). */
export const rowFaults = {
  stray_quote: {
    meaning: 'A cell contains a quote, but does not begin with a quote.',
    remedy: 'Put quotes around the whole cell, and double the quotes inside it.',
  },
  space_around_quote: {
    meaning: 'White space stands before or after the quotes of a cell.',
    remedy: 'Set `trim` of the definition to true, which leaves the white space out.',
  },
  text_after_quote: {
    meaning: 'Text follows the closing quote of a cell.',
    remedy: 'Double the quotes inside the cell.',
  },
  too_many_cells: {
    meaning: 'The row has more cells than the header.',
    remedy: 'Put quotes around cells that contain the delimiter.',
  },
  repeated_header: {
    meaning:
      'The row repeats the names of the columns, as in a file that was joined from several files. It is no person.',
    remedy: 'Nothing, if the columns are in the same order. Otherwise import the files one by one.',
  },
  cell_too_large: { meaning: 'A cell is larger than a cell may be.', remedy: 'Shorten the cell.' },
  row_too_large: {
    meaning: 'The row is larger than a row may be.',
    remedy: 'Shorten the row, or look for a missing quote.',
  },
  not_a_number: {
    meaning: 'The cell is not a number in the form that its transformation reads.',
    remedy: 'Correct the cell, or use `number_de` or `number_en`.',
  },
  not_a_list: {
    meaning: 'The cell is not a list that the transformation `list` reads.',
    remedy: 'Correct the quotes and brackets, or name another separator.',
  },
  not_a_phone_number: {
    meaning: 'The cell is not a telephone number.',
    remedy: 'Write the number with its country code, or set the country of the transformation.',
  },
  not_a_country: {
    meaning: 'The cell names no country that the service knows, or several.',
    remedy: 'Write the name of the country or its code of ISO 3166-1, or map other words with `map` first.',
  },
  unmapped_value: {
    meaning: 'The transformation map has no word for the cell.',
    remedy: 'Add the word to the map, or correct the cell.',
  },
  cancelled: {
    meaning: 'The job was cancelled before these rows were stored.',
    remedy: 'Import the rows again, if they are needed.',
  },
  undone: {
    meaning: 'The job was undone before these rows were stored.',
    remedy: 'Send the rows to another job, if they are needed.',
  },
  parked: {
    meaning: 'The rows could not be stored because of a fault of the service. They are kept.',
    remedy: 'Wait: the service stores the rows when the fault is repaired.',
  },
  other: {
    meaning:
      'The rows have reasons that the list does not show, because the job has too many different reasons.',
    remedy: 'Read the refused rows themselves.',
  },
} as const satisfies Codes;

/** Warnings about a stored record. */
export const recordWarnings = {
  identity_conflict: {
    meaning: 'An identity of the record belongs to another profile and was not stored.',
    remedy: 'Check which of the two people the identity belongs to.',
  },
  forgotten: {
    meaning: 'The person, or the owner of an identity, was forgotten; their data was not stored.',
    remedy: 'Send the record again only if the person may be stored again.',
  },
  restricted: {
    meaning: 'The person objects to every use. The values were stored, and are in no segment and no export.',
    remedy: 'Remove the person from your source, if the data is not needed.',
  },
  segment_limit: {
    meaning:
      'The values were stored without segments, because the property has as many segments as it may have.',
    remedy: 'Delete segments that you do not need.',
  },
  looks_like_no_identity: {
    meaning:
      "An identity of the record looks like nobody's: a word for nothing, a placeholder, or a number that a spreadsheet has rounded or made decimal. It was stored as stated.",
    remedy:
      'Leave such values out: an import definition lists them in `not_identities`. Take rounded numbers from their source once more.',
  },
} as const satisfies Codes;

/** Warnings about a stored row. */
export const rowWarnings = {
  ...recordWarnings,
  dropped_cell: {
    meaning: 'The row was stored without a cell that could not be read.',
    remedy: 'Correct the cell and import the row again.',
  },
  not_an_identity: {
    meaning: 'The row was stored without an identity that `not_identities` of the import definition lists.',
    remedy: "Nothing, if the value is nobody's identity. If it is somebody's, remove it from the list.",
  },
} as const satisfies Codes;

/** Warnings about an import job as a whole. */
export const jobWarnings = {
  uncertain_encoding: {
    meaning: 'The letters of the file fit several encodings, and the service chose one of them.',
    remedy: 'Look at the example in the message. If it is wrong, set `encoding` in the definition.',
  },
  decoded_twice: {
    meaning: 'Text of the file was decoded in a wrong encoding before it was saved.',
    remedy: 'Look at the example in the message. Set `encoding` to utf-8-twice, or export the file again.',
  },
  unterminated_last_row: {
    meaning: 'No line break ends the last row of the file, so the file may be truncated.',
    remedy: 'Compare the size of the file with the original.',
  },
  suspicious_values: {
    meaning: 'Many cells of a column seem to contain several values in one.',
    remedy: 'Set `split` in the field map, if the character separates values.',
  },
} as const satisfies Codes;

/** Failures of import jobs. Rows that a failure concerns have its code, too. */
export const importFailures = {
  not_csv: {
    meaning: 'The file is not text, for example an Excel workbook.',
    remedy: 'Save the table as CSV.',
  },
  wrong_encoding: {
    meaning: 'Bytes of the file or of the row are not text in the encoding.',
    remedy: 'Set `encoding` to the encoding of the file or to auto, or save the file as UTF-8.',
  },
  no_header: {
    meaning: 'The file has no header line.',
    remedy: 'Begin the file with a line of column names.',
  },
  bad_header: {
    meaning: 'The header line has a quote in the wrong place.',
    remedy: 'Correct the quotes of the header.',
  },
  header_too_large: {
    meaning: 'The header line is too long.',
    remedy: 'Check the delimiter and the line breaks of the file.',
  },
  ambiguous_delimiter: {
    meaning: 'The header fits several delimiters equally well.',
    remedy: 'Set `delimiter` in the definition.',
  },
  too_many_columns: {
    meaning: 'The file has too many columns.',
    remedy: 'Remove columns that the import does not use.',
  },
  missing_column: {
    meaning: 'The header lacks columns of the definition.',
    remedy: 'Correct the names that `message` lists, in the file or in the definition.',
  },
  duplicate_column: {
    meaning: 'A column of the definition occurs several times in the header.',
    remedy: 'Give each column a name of its own, or state the `occurrence` of its source in the definition.',
  },
  open_quote: {
    meaning: 'A quote is never closed.',
    remedy: 'Add the closing quote on the line that `message` names.',
  },
  too_many_rows: {
    meaning: 'The file has too many rows for a dry run.',
    remedy: 'Use a part of the file for the dry run.',
  },
  broken_gzip: {
    meaning: 'The file is not a complete gzip file.',
    remedy: 'Compress and upload the file again.',
  },
  expands_too_far: { meaning: 'The compressed file is too large when expanded.', remedy: 'Split the file.' },
  file_changed: {
    meaning: 'The file was replaced or deleted while the service read it.',
    remedy: 'Upload the file again, under a new name.',
  },
  definition_gone: {
    meaning: 'The import definition was deleted.',
    remedy: 'Create another definition and upload the file again.',
  },
  too_many_new_segments: {
    meaning: 'The job would create more segments than its definition allows.',
    remedy:
      'Check the columns and separators of the values that `message` names, or raise `max_new_segments`.',
  },
  too_many_refused: {
    meaning: 'A larger share of the rows is refused than the definition allows.',
    remedy: 'Correct the file or the mapping, or raise `max_refused_share`.',
  },
  shared_id: {
    meaning:
      "A `unique_id` or `social_id` comes with more different e-mail addresses than the definition allows, so it is hardly one person's.",
    remedy: 'Add the value that `message` names to `not_identities`, or raise `max_addresses_per_id`.',
  },
  internal_error: {
    meaning: 'The service has a bug.',
    remedy: 'Upload the file again, and report the job if it fails again.',
  },
} as const satisfies Codes;

/** Failures of export jobs. */
export const exportFailures = {
  too_large: {
    meaning: 'The export has too many profiles.',
    remedy: 'Split the export into several exports.',
  },
  too_many_segments: {
    meaning: 'The export has too many segments, counting those of its collections and custom segments.',
    remedy: 'Split the export into several exports.',
  },
  no_consent_segment: {
    meaning: 'The property has no segment of this consent, because it has as many segments as it may have.',
    remedy:
      'Delete segments that you do not need, send the statements of consent again, and run the export again.',
  },
  row_too_large: {
    meaning: 'The row of a profile is larger than a row of an export may be.',
    remedy: 'Name large fields, such as `extra_data`, in fewer columns of `custom_result_format`.',
  },
  timed_out: { meaning: 'A step of the export took too long.', remedy: 'Run the export again, or split it.' },
  part_damaged: { meaning: 'A part of the export was damaged.', remedy: 'Run the export again.' },
  internal_error: {
    meaning: 'The service has a bug.',
    remedy: 'Run the export again, and report the job if it fails again.',
  },
} as const satisfies Codes;

/** The `code` of a failed import job. */
export type ImportFailureCode = keyof typeof importFailures;

/** The `code` of a failed export job. */
export type ExportFailureCode = keyof typeof exportFailures;

/** The `code` of a warning about a stored record. */
export type RecordWarningCode = keyof typeof recordWarnings;

/** The `code` of a warning about a stored row. */
export type RowWarningCode = keyof typeof rowWarnings;

/** The `code` of a warning about an import job. */
export type JobWarningCode = keyof typeof jobWarnings;

/** The `code` of a refused row. */
export type RowCode = FaultCode | keyof typeof rowFaults | ImportFailureCode;
