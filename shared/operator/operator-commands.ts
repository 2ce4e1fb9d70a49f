/** Operator commands: the schema of every command, as the payload of the operator function. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { brandColumns } from '../brands/brand-row.ts';
import { questionKinds } from '../enrichment/enrichers.ts';
import { idSchema, isCleanIdentifier } from '../http/text.ts';
import { grantedTiers } from '../profiles/types.ts';
import { isPassword } from '../auth/token-request.ts';
import { changesSinceCommand } from './changes-since.ts';
import { enricherName, fingerprint, hex64 } from './command-ids.ts';
import { raiseCommand } from './raise-counters.ts';

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
const email = v.pipe(
  v.string(),
  v.maxLength(320),
  v.email('Must be an e-mail address such as ada@example.org, whose last part has two letters or more.'),
);

/** Id behind which a page of a list begins: the `next` of the page before. */
const after = v.optional(idSchema);

/** Options of the commands that take back what was given in a user's name. */
const ending = { keep_links: v.optional(v.boolean()), after };

/** A rule in whole numbers; 0 ends it. */
const bounded = ({ least, most }: { readonly least: number; readonly most: number }) =>
  v.optional(
    v.pipe(
      v.number(),
      v.check(
        (value) => value === 0 || (Number.isSafeInteger(value) && value >= least && value <= most),
        `Must be a whole number from ${least} to ${most}, or 0 to end the rule.`,
      ),
    ),
  );

/** Parts of a load of the brand catalogue: enough for the largest file. */
const part = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(1_000));
const definition = { property: idSchema, import: idSchema };
const enricher = { property: idSchema, name: enricherName };

/** Whether a password differs from its user's name. */
const isNotName = (user: { readonly username: string; readonly password?: string | undefined }): boolean =>
  user.password?.toLowerCase() !== user.username.toLowerCase();
const notTheName = 'Must not be the user name.';

/** Whether a command has exactly one parameter. */
const namesOne = (command: object): boolean => Object.keys(command).length === 2;

/** Every command of an operator, as the payload of the Lambda function. */
export const operatorCommand = v.variant('command', [
  v.pipe(
    v.strictObject({
      command: v.literal('account.create'),
      name,
      with_user: v.optional(username),
      email: v.optional(email),
      first_name: v.optional(name),
      last_name: v.optional(name),
      password: v.optional(newPassword),
    }),
    v.check(
      (account) => (account.with_user === undefined) === (account.email === undefined),
      'Needs both a user and its e-mail address, or neither.',
    ),
    v.forward(
      v.check(
        ({ with_user, password }) =>
          with_user === undefined ? password === undefined : isNotName({ username: with_user, password }),
        'Must not be the user name, and needs a user.',
      ),
      ['password'],
    ),
  ),
  v.strictObject({ command: v.literal('account.list'), after }),
  v.strictObject({ command: v.literal('account.show'), account: idSchema }),
  v.strictObject({ command: v.literal('account.rename'), account: idSchema, name }),
  v.strictObject({
    command: v.literal('account.limit'),
    account: idSchema,
    requests_per_second: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(limits.rates.mostRequestsPerSecond)),
    ),
  }),
  v.strictObject({ command: v.literal('account.delete'), account: idSchema, confirm: name }),
  v.strictObject({ command: v.literal('property.create'), account: idSchema, name }),
  v.strictObject({ command: v.literal('property.list'), account: v.optional(idSchema), after }),
  v.strictObject({ command: v.literal('property.rename'), property: idSchema, name }),
  v.strictObject({ command: v.literal('property.show'), property: idSchema }),
  v.pipe(
    v.strictObject({
      command: v.literal('property.set'),
      property: idSchema,
      profile_months: bounded(limits.rules.profileMonths),
      file_days: bounded(limits.rules.fileDays),
      special_categories: v.optional(v.picklist(['on', 'off'])),
    }),
    v.check((command) => Object.keys(command).length > 2, 'Name at least one rule.'),
  ),
  v.strictObject({ command: v.literal('property.close'), property: idSchema, confirm: name }),
  v.strictObject({ command: v.literal('client.create'), account: idSchema }),
  v.strictObject({ command: v.literal('client.rotate'), account: idSchema }),
  v.pipe(
    v.strictObject({
      command: v.literal('user.create'),
      account: idSchema,
      username,
      email,
      first_name: name,
      last_name: name,
      password: v.optional(newPassword),
    }),
    v.forward(
      v.check((user) => isNotName(user), notTheName),
      ['password'],
    ),
  ),
  v.strictObject({ command: v.literal('user.list'), account: v.optional(idSchema), after }),
  v.strictObject({
    command: v.literal('user.key.add'),
    username,
    key: v.pipe(v.string(), v.maxLength(limits.auth.sshKeysPerUser * limits.auth.sshKeyLength)),
  }),
  v.strictObject({
    command: v.literal('user.key.remove'),
    username,
    fingerprint,
  }),
  v.strictObject({ command: v.literal('user.key.list'), username }),
  v.pipe(
    v.strictObject({
      command: v.literal('user.password'),
      username,
      password: v.optional(newPassword),
      ...ending,
    }),
    v.forward(
      v.check((user) => isNotName(user), notTheName),
      ['password'],
    ),
  ),
  v.strictObject({ command: v.literal('user.disable'), username, ...ending }),
  v.strictObject({ command: v.literal('user.enable'), username }),
  v.strictObject({ command: v.literal('user.delete'), username, ...ending }),
  v.strictObject({ command: v.literal('user.show'), username }),
  v.strictObject({ command: v.literal('user.erase'), account: idSchema, user: idSchema, email, ...ending }),
  v.pipe(
    v.strictObject({
      command: v.literal('token.list'),
      username: v.optional(username),
      account: v.optional(idSchema),
    }),
    v.check((command) => namesOne(command), 'Name either a user or an account.'),
  ),
  v.pipe(
    v.strictObject({
      command: v.literal('token.revoke'),
      token: v.optional(hex64),
      id: v.optional(hex64),
      username: v.optional(username),
      account: v.optional(idSchema),
    }),
    v.check((command) => namesOne(command), 'Name either a token, its id, a user or an account.'),
  ),
  v.strictObject({ command: v.literal('import.grant'), ...definition, tier: v.picklist(grantedTiers) }),
  v.strictObject({ command: v.literal('import.revoke'), ...definition }),
  v.strictObject({
    command: v.literal('enricher.set'),
    ...enricher,
    url: v.pipe(v.string(), v.maxLength(limits.exports.urlLength)),
    asks: v.picklist(questionKinds),
    tiers: v.pipe(v.array(v.picklist(grantedTiers)), v.minLength(1), v.maxLength(grantedTiers.length)),
  }),
  v.strictObject({ command: v.literal('enricher.remove'), ...enricher }),
  v.strictObject({ command: v.literal('enricher.list'), property: idSchema }),
  v.strictObject({ command: v.literal('dead-letters.list') }),
  v.strictObject({ command: v.literal('dead-letters.show'), queue: name }),
  v.strictObject({ command: v.literal('dead-letters.redrive'), queue: name }),
  v.strictObject({ command: v.literal('dead-letters.delete'), queue: name }),
  v.strictObject({ command: v.literal('counters.list'), after }),
  raiseCommand,
  changesSinceCommand,
  v.strictObject({ command: v.literal('brands.begin') }),
  v.strictObject({
    command: v.literal('brands.part'),
    version: idSchema,
    part,
    rows: v.pipe(
      v.array(v.pipe(v.array(v.string()), v.maxLength(brandColumns.length))),
      v.check((rows) => Buffer.byteLength(JSON.stringify(rows)) <= limits.brands.partBytes, 'Is too large.'),
    ),
  }),
  v.strictObject({
    command: v.literal('brands.commit'),
    version: idSchema,
    parts: part,
    pages: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(limits.brands.pages)),
  }),
  v.strictObject({ command: v.literal('brands.show') }),
]);
export type OperatorCommand = v.InferOutput<typeof operatorCommand>;
