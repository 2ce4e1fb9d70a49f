/** Command ids: the schemas of what operator commands name, other than numbers, and of passwords. */
import * as v from 'valibot';
import { isPassword } from '../auth/token-request.ts';
import { limits } from '../config/limits.ts';
import { isCleanIdentifier } from '../http/text.ts';

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

export const name = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(255),
  v.check(isCleanIdentifier, 'Must not hold control characters.'),
);
export const username = v.pipe(
  v.string(),
  v.regex(
    /^\w[\w@.-]{2,99}$/,
    'Must be 3 to 100 letters, digits and _ @ . -, and begin with a letter, a digit or _.',
  ),
);

/**
 * A new password: at least the length that NIST requires of an only factor, and at most the length that a login
 * accepts.
 */
export const newPassword = v.pipe(
  v.string(),
  v.minLength(
    limits.auth.passwordMinLength,
    `Must have at least ${limits.auth.passwordMinLength} characters.`,
  ),
  v.check(
    (text) => isPassword(text),
    `Must have at most ${limits.auth.passwordMaxLength} characters, none of them a control character.`,
  ),
);

/** Whether a password differs from its user's name. */
export const isNotName = (user: {
  readonly username: string;
  readonly password?: string | undefined;
}): boolean => user.password?.toLowerCase() !== user.username.toLowerCase();

export const email = v.pipe(
  v.string(),
  v.maxLength(320),
  v.email('Must be an e-mail address such as ada@example.org, whose last part has two letters or more.'),
);
