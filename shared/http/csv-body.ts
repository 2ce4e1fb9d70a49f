/** CSV bodies: decodes a body of `text/csv` in the encodings that spreadsheets write, for routes that take CSV. */
import { decode } from '../csv/decode.ts';
import { err, ok } from '../runtime/result.ts';
import type { BodyForm } from './body.ts';
import { problems, type Problem } from './problem.ts';
import { REPLACEMENT } from './text.ts';

type Charset = 'utf-8' | 'utf-16' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Names of character sets in a Content-Type. `iso-8859-1` is read as Windows-1252, its superset, as browsers do. */
const charsets = new Map<string, Charset>([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['us-ascii', 'utf-8'],
  ['utf-16', 'utf-16'],
  ['utf-16le', 'utf-16le'],
  ['utf-16be', 'utf-16be'],
  ['windows-1252', 'windows-1252'],
  ['cp1252', 'windows-1252'],
  ['iso-8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
]);

/**
 * A body of `text/csv` as `{"csv": text}`. Without a charset, the body is UTF-8 or UTF-16 with a byte order mark. 415
 * for an unknown charset; 400 for bytes that are no text in the encoding. API Gateway decodes text without a charset as
 * UTF-8 and replaces other bytes by U+FFFD, so a body with that character is refused.
 */
export const csvBody: BodyForm = {
  mediaType: 'text/csv',
  read: (bytes, charset) => {
    const named = charset === undefined ? 'unnamed' : charsets.get(charset);
    if (named === undefined) return err(unknownCharset);
    const text = decodeAs(bytes, named);
    if (text === undefined) return err(named === 'utf-16' ? noMark : notText);
    const at = text.indexOf(REPLACEMENT);
    return at === -1 ? ok({ csv: text }) : err(replaced(text.slice(0, at).split('\n').length));
  },
};

const decodeAs = (bytes: Buffer, charset: Charset | 'unnamed'): string | undefined => {
  switch (charset) {
    case 'windows-1252':
    case 'utf-8':
    case 'utf-16le':
    case 'utf-16be':
      return decode(bytes, charset);
    case 'utf-16':
    case 'unnamed': {
      const marked = markOf(bytes);
      if (marked) return decodeAs(bytes, marked);
      return charset === 'unnamed' ? decode(bytes, 'utf-8') : undefined;
    }
  }
};

/** The encoding of UTF-16 bytes by their byte order mark. */
const markOf = (bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
};

const unknownCharset: Problem = {
  status: 415,
  code: 'unsupported_media_type',
  detail: 'The charset must be utf-8, utf-16, utf-16le, utf-16be, windows-1252 or iso-8859-1.',
};

const HOW = 'Name the encoding, for example Content-Type: text/csv; charset=windows-1252.';
const notText = problems.badRequest(`The body is not text in the encoding of its Content-Type. ${HOW}`);
const noMark = problems.badRequest(
  'The body has no byte order mark. Send charset=utf-16le or charset=utf-16be.',
);
const replaced = (line: number): Problem =>
  problems.badRequest(
    `Line ${line} has U+FFFD, which stands for bytes that are not text in UTF-8. Correct the cell, or: ${HOW}`,
  );
