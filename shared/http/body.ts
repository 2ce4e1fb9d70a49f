import { err, type Result } from '../runtime/result.ts';
import { parseJsonBody } from './json.ts';
import { problems, type Problem } from './problem.ts';
import { REPLACEMENT } from './text.ts';

const unsupported: Problem = {
  status: 415,
  code: 'unsupported_media_type',
  detail: 'The body must be JSON in UTF-8: Content-Type: application/json.',
};

/** Whether a Content-Type means JSON in UTF-8; other parameters are allowed. */
export const isJsonType = (contentType: string | undefined): boolean => {
  const [type, ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return (
    type === 'application/json' && (charset === undefined || /^charset="?(utf-?8|us-ascii)"?$/.test(charset))
  );
};

const notUtf8 = problems.badRequest(
  'The body is not valid UTF-8: it holds U+FFFD, which stands for bytes that are no text.',
);

/**
 * Reads the JSON object of a body whose size has been checked: 415 for another media type, 400 for any other content.
 * The gateway decodes the bytes before the function sees them and replaces invalid UTF-8 by U+FFFD, so a body with that
 * character is refused. A client that means the character writes the escape `\ufffd`.
 */
export const readJsonBody = (
  contentType: string | undefined,
  bytes: Buffer,
): Result<Readonly<Record<string, unknown>>, Problem> => {
  if (!isJsonType(contentType)) return err(unsupported);
  return bytes.includes(REPLACEMENT) ? err(notUtf8) : parseJsonBody(bytes);
};
