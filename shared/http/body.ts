/** Bodies: reads the body of a request as JSON, or in another form that its route takes. */
import { err, type Result } from '../runtime/result.ts';
import { parseJsonBody } from './json.ts';
import { problems, type Problem } from './problem.ts';
import { REPLACEMENT } from './text.ts';

/** A form of bodies besides JSON: `read` turns a body of the media type into the members of the JSON body. */
export interface BodyForm {
  readonly mediaType: string;
  /** The charset of the Content-Type, in lower case. */
  readonly read: (
    bytes: Buffer,
    charset: string | undefined,
  ) => Result<Readonly<Record<string, unknown>>, Problem>;
}

const JSON_TYPE = 'application/json';

/** A Content-Type: its media type and its charset, in lower case. */
const parseType = (contentType: string | undefined) => {
  const [type = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return { type, charset: charset?.replace(/^"(.*)"$/, '$1') };
};

/** Whether a Content-Type means JSON in UTF-8; other parameters are allowed. */
export const isJsonType = (contentType: string | undefined): boolean => {
  const { type, charset } = parseType(contentType);
  return type === JSON_TYPE && (charset === undefined || /^(utf-?8|us-ascii)$/.test(charset));
};

/**
 * Reads a body whose size has been checked: as the JSON object that it is, or by the form of its media type. 415 for
 * another media type; the form names its own problems.
 */
export const readBody = (
  contentType: string | undefined,
  bytes: Buffer,
  forms: readonly BodyForm[] = [],
): Result<Readonly<Record<string, unknown>>, Problem> => {
  const { type, charset } = parseType(contentType);
  const form = forms.find(({ mediaType }) => mediaType === type);
  if (form) return form.read(bytes, charset);
  return isJsonType(contentType) ? readJsonBody(bytes) : err(unsupported(forms));
};

const unsupported = (forms: readonly BodyForm[]): Problem => ({
  status: 415,
  code: 'unsupported_media_type',
  detail: [
    `The body must be JSON in UTF-8: Content-Type: ${JSON_TYPE}.`,
    ...forms.map(({ mediaType }) => `Or: Content-Type: ${mediaType}.`),
  ].join(' '),
});

const notUtf8 = problems.badRequest(
  'The body is not valid UTF-8: it holds U+FFFD, which stands for bytes that are no text.',
);

/**
 * Reads a JSON object: 400 for any other content. The gateway decodes the bytes before the function sees them and
 * replaces invalid UTF-8 by U+FFFD, so a body with that character is refused. A client that means the character writes
 * the escape `\ufffd`.
 */
const readJsonBody = (bytes: Buffer): Result<Readonly<Record<string, unknown>>, Problem> =>
  bytes.includes(REPLACEMENT) ? err(notUtf8) : parseJsonBody(bytes);
