import { err, type Result } from '../runtime/result.ts';
import { parseJsonBody } from './json.ts';
import type { Problem } from './problem.ts';

const unsupported: Problem = {
  status: 415,
  code: 'unsupported_media_type',
  detail: 'The body must be JSON in UTF-8: Content-Type: application/json.',
};

/** Whether a Content-Type says JSON in UTF-8; other parameters are allowed. */
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

/** The JSON object in a body, whose size was checked before: 415 for another media type, 400 for what is no such object. */
export const readJsonBody = (
  contentType: string | undefined,
  bytes: Uint8Array,
): Result<Readonly<Record<string, unknown>>, Problem> =>
  isJsonType(contentType) ? parseJsonBody(bytes) : err(unsupported);
