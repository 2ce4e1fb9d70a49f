import type { Codes } from './code-facts.ts';

/** Faults of import definitions, uploads and corrected rows. */
export const importFaults = {
  unknown_target: {
    meaning: 'The field map names a field that records do not have.',
    remedy: 'Use the name that `detail` suggests, or `extra_data.<name>` for other data.',
  },
  unknown_column: {
    meaning: 'The request names a column that the file does not have.',
    remedy: 'Use a name from `header` of the answer without `targets`.',
  },
  not_mapped: {
    meaning: 'The definition needs a field that no field map fills.',
    remedy: 'Add a field map for this field.',
  },
  not_a_list: {
    meaning: 'The field has one value, so its cells cannot be split.',
    remedy: 'Leave `split` out; only `tags`, `social_likes` and `source` have several values.',
  },
  not_erasable: { meaning: 'An import cannot erase this field.', remedy: 'Leave `erase` out.' },
  needs_column: {
    meaning: 'An identity consists of constants only, so all rows would be the same person.',
    remedy: 'Use a column of the file as a source.',
  },
  not_for_identities: {
    meaning: 'An identity has a default, so all rows without a value would be the same person.',
    remedy: 'Remove the transformation.',
  },
  not_matched: {
    meaning: 'The name of the file does not match `file_match_rule` of the definition.',
    remedy: 'Rename the file, or change the rule.',
  },
  one_file: {
    meaning: 'The request has both the beginning of a file and an upload, or neither.',
    remedy: 'Send exactly one of `content` and `upload`.',
  },
  not_refused: {
    meaning: 'The row is not a refused row of this job, or was corrected before.',
    remedy: 'Remove the row from the list.',
  },
  mixed_batches: {
    meaning: 'The list has rows that cannot be sent again together.',
    remedy: 'Send the rows that `detail` names in a request of their own.',
  },
  no_rows: { meaning: 'The list has no row after its header.', remedy: 'Send at least one corrected row.' },
  no_row: {
    meaning: 'The row does not say which row it corrects.',
    remedy: 'Keep the columns `batch_job_uuid` and `row` as they were downloaded.',
  },
  wrong_header: {
    meaning: 'The first line is not the header of the downloaded list of errors.',
    remedy: 'Keep the first line of the list as it was downloaded.',
  },
  bad_csv: {
    meaning: 'A row of the list has a quote in the wrong place.',
    remedy: 'Put quotes around the whole cell, and double the quotes inside it.',
  },
  too_many_cells: {
    meaning: 'The row has more cells than the header.',
    remedy: 'Put quotes around cells that contain the delimiter.',
  },
} as const satisfies Codes;
