/** Reads a list of refused rows as a spreadsheet saved it. */
import type { Context } from '../context.ts';
import { usageFailure } from '../failure.ts';
import { withOptionNames } from '../faults.ts';
import { type DecodedText, decodeAs, decodeUnicode } from '../files/encoding.ts';
import { plain } from '../terminal/text.ts';
import { inspect } from './inspect.ts';
import { INSPECTED_BYTES } from '../../src/imports/file-definition.ts';
import type { Doubt } from './overview.ts';

/** A file of the user, and the encoding that the user names. */
interface SavedList {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly named: string | undefined;
}

/**
 * The text of a list in the encoding that the user names, else in Unicode, else in the code page that the service finds in
 * the letters. Throws a usage failure where the letters leave a doubt: a wrong letter would be stored without a word.
 */
export const readList = async (context: Context, { file, bytes, named }: SavedList): Promise<DecodedText> => {
  if (named !== undefined) {
    const read = decodeAs(bytes, named);
    if (read !== undefined) return read;
    throw usageFailure(`${file} cannot be read as ${named}. ${SAVE_AS_UTF_8}.`);
  }
  return decodeUnicode(bytes) ?? decodeFound(context, file, bytes);
};

const SAVE_AS_UTF_8 = 'Save it as "CSV UTF-8"';

/** A doubt about the encoding names the member of the definition that removes it. */
const isAboutEncoding = ({ column, does }: Doubt): boolean => column === null && does.includes('`encoding`');

const decodeFound = async (context: Context, file: string, bytes: Uint8Array): Promise<DecodedText> => {
  const connected = await context.connect();
  const content = Buffer.from(bytes.subarray(0, INSPECTED_BYTES)).toString('base64');
  const { dialect, suggestion, failure } = await inspect(connected, { content });
  if (dialect === null)
    throw usageFailure(`${file}: ${withOptionNames(failure?.message ?? `${SAVE_AS_UTF_8}.`)}`);
  const doubts = suggestion.doubts.filter(isAboutEncoding);
  if (doubts.length > 0) {
    throw usageFailure(
      `The encoding of ${file} is not certain. ${SAVE_AS_UTF_8}, or name its encoding, such as --encoding ${dialect.encoding}.`,
      doubts.map(({ saw }) => plain(saw)),
    );
  }
  const read = decodeAs(bytes, dialect.encoding);
  if (read === undefined) throw usageFailure(`${file} is in ${dialect.encoding}. ${SAVE_AS_UTF_8}.`);
  return read;
};
