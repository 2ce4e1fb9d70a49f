/** Wordless texts: what a job says about its file without a word of it, for those who may not see people. */
import type { ImportFailureCode } from '../../http/row-codes.ts';
import type { ImportJob } from './import-job.ts';

/** What was seen in the text of a file, by the code of the remark. */
export const wordlessRemarks = {
  decoded_twice: 'Text was decoded once too often.',
  uncertain_encoding: 'The letters fit several encodings, or they are few.',
} as const;

/** Why a job failed: in its own message, or in another one if that may quote the file. */
export const wordlessReason = ({ code, message, field }: NonNullable<ImportJob['failure']>): string =>
  code === 'missing_column' && field !== null
    ? `Columns are missing in the header, among them ${JSON.stringify(field)}.`
    : (reasons[code] ?? message);

/** A word may be a name, and what a guard stops may be a column of addresses or ids. */
const reasons: Readonly<Record<string, string>> = {
  wrong_encoding: 'The file is not in the encoding of the definition, or none is proven.',
  // The first line may be a row.
  missing_column: 'Columns are missing in the header.',
  too_many_new_segments: 'The job would make more new segments than `max_new_segments` allows.',
  shared_id: 'More different e-mail addresses come with one id than `max_addresses_per_id` allows.',
} satisfies Readonly<Partial<Record<ImportFailureCode, string>>>;
