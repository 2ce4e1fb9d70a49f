/** Command ids: the schemas of what operator commands name, other than numbers. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';

/** A token, or the id of a token. */
export const hex64 = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{64}$/, 'Must be 64 digits 0-9 and a-f, as "token list" shows an id.'),
);

/** The fingerprint of an SSH key. */
export const fingerprint = v.pipe(
  v.string(),
  v.regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'Must be SHA256: and 43 characters, as "user key list" shows it.'),
);

export const enricherName = v.pipe(
  v.string(),
  v.regex(/^[a-z\d][a-z\d_-]*$/, 'Must be of a-z, 0-9, _ and -, and begin with a letter or a digit.'),
  v.maxLength(limits.enrichment.nameLength),
);
