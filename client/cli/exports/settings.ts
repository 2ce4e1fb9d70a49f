/** Turns the options of `tidemark export create` into the settings of an export. */
import type { Context } from '../context.ts';
import { usageFailure, valueOf } from '../failure.ts';
import { exportFields } from '../fields.ts';
import { readFilled } from '../files/user-files.ts';
import { wrapped } from '../terminal/text.ts';
import {
  type ExportColumn,
  type JudgedOptions,
  readColumns,
  readKinds,
  readSchedule,
  readSftp,
} from './options.ts';

/** The options of the command. */
export interface CreateOptions extends JudgedOptions {
  readonly segment: readonly string[];
  readonly format?: string;
  readonly gzip?: boolean;
  readonly delta?: boolean;
  readonly skipEmpty?: boolean;
  readonly first?: string;
  readonly output?: string;
}

/** Options that say something about another one. */
const parts = [
  ['--key', 'key', '--sftp', 'sftp'],
  ['--password', 'password', '--sftp', 'sftp'],
  ['--temporary-name', 'temporaryName', '--sftp', 'sftp'],
  ['--verify', 'verify', '--sftp', 'sftp'],
  ['--kinds', 'kinds', '--changes', 'changes'],
  ['--first', 'first', '--changes', 'changes'],
] as const;

/** Options about a file, in place of which there are calls. */
const ofFile = [
  ['--sftp', 'sftp'],
  ['--pgp', 'pgp'],
  ['--file-name', 'fileName'],
  ['--gzip', 'gzip'],
  ['--output', 'output'],
] as const;

/** Throws a usage failure for options that do not go together. */
export const requireFitting = (options: CreateOptions): void => {
  const { changes, format, output } = options;
  const beside = ofFile.find(([, name]) => options[name] !== undefined);
  if (changes !== undefined && beside)
    throw usageFailure(`${beside[0]} is about a file; --changes makes calls.`);
  if (changes !== undefined && (format ?? 'jsonl') !== 'jsonl')
    throw usageFailure('The calls of --changes have JSON; leave --format out.');
  if (output !== undefined && runsLater(options)) {
    throw usageFailure(
      '--output downloads the file of the first run, which --sftp and --every leave for later.',
    );
  }
  const lonely = parts.find(
    ([, name, , other]) => options[name] !== undefined && options[other] === undefined,
  );
  if (lonely) throw usageFailure(`${lonely[0]} needs ${lonely[2]}.`);
};

/** Whether an export waits for its schedule, or for somebody who prepares its receiver. */
export const runsLater = ({ every, sftp, changes }: CreateOptions): boolean =>
  every !== undefined || sftp !== undefined || changes !== undefined;

/** The columns of the option; `undefined` for all fields. */
export const columnsOf = ({ columns }: CreateOptions): readonly ExportColumn[] | undefined =>
  columns === undefined || columns === ALL ? undefined : valueOf(readColumns(columns));

const ALL = 'all';

/** Whether all fields would go to somebody else, although nobody said so. */
export const sendsAllUnsaid = ({ columns, sftp, pgp, changes, email, webhook }: CreateOptions): boolean =>
  columns === undefined && [sftp, pgp, changes, email, webhook].some((receiver) => receiver !== undefined);

/** What a script is told that does not say which fields go to somebody else. */
export const howToChoose =
  'The data is for somebody else: say what they get. Write --columns email,first_name for some fields, or --columns all for all of them:';

/** The fields of an export without columns, in lines. */
export const allFields = ({ width }: Context): readonly string[] =>
  wrapped(`${exportFields.join(', ')}, and each key of extra_data`, width - 2);

/** The fields of the export that do not depend on the service. Throws a usage failure for a bad option. */
export const settingsOf = async (
  context: Context,
  options: CreateOptions,
): Promise<Readonly<Record<string, unknown>>> => {
  const { every, consent } = options;
  const columns = columnsOf(options);
  const fields: Readonly<Record<string, unknown>> = {
    data_format: options.format,
    compression: options.gzip ? 'gzip' : undefined,
    scope: options.delta ? 'delta' : undefined,
    skip_empty: options.skipEmpty,
    file_name: options.fileName,
    notification_email: options.email,
    webhook_url: options.webhook,
    consent: consent === undefined ? undefined : { channel: consent, state: 'given' },
    field_set: columns === undefined ? undefined : 'custom',
    custom_result_format: columns,
    schedule: every === undefined ? undefined : valueOf(readSchedule(every)),
    pgp_public_key: options.pgp === undefined ? undefined : await textIn(context, options.pgp),
    ...(await serverOf(context, options)),
    ...changesOf(options),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
};

const textIn = async (context: Context, file: string): Promise<string> =>
  Buffer.from(await readFilled(context.path(file))).toString('utf8');

/** The server of `--sftp`, and how the service logs in. */
const serverOf = async (
  context: Context,
  { sftp, key, password, temporaryName, verify }: CreateOptions,
): Promise<Readonly<Record<string, unknown>>> => {
  if (sftp === undefined) return {};
  const { domain, user, directory } = valueOf(readSftp(sftp));
  return {
    directory,
    destination_credentials: {
      domain,
      client_id: user,
      ...(key === undefined ? {} : { private_key: await textIn(context, key) }),
      ...(password === undefined
        ? {}
        : { password: (await textIn(context, password)).replace(/\r?\n$/, '') }),
      ...(temporaryName === undefined ? {} : { temporary_name: temporaryName }),
      ...(verify === undefined ? {} : { verify }),
    },
  };
};

/** The receiver of `--changes`. Its calls have the lines of a delta. */
const changesOf = ({ changes, kinds, first }: CreateOptions): Readonly<Record<string, unknown>> =>
  changes === undefined
    ? {}
    : {
        data_format: 'jsonl',
        scope: 'delta',
        changes: {
          url: changes,
          ...(kinds === undefined ? {} : { kinds: valueOf(readKinds(kinds)) }),
          ...(first === undefined ? {} : { first }),
        },
      };
