/** The command `export create`. */
import { type Command, Option } from 'commander';
import { type Act, collect } from '../actions.ts';
import { bodyOf } from '../bodies.ts';
import type { Context } from '../context.ts';
import {
  type ExportColumn,
  exportOptionAt,
  type JudgedOptions,
  readColumns,
  readSchedule,
  readSftp,
} from '../exports/options.ts';
import { requireOutput } from '../exports/follow.ts';
import { withNearFields } from './near-fields.ts';
import { runExport } from '../exports/run.ts';
import { exitCodes, type ExitCode, usageFailure, valueOf } from '../failure.ts';
import { namingOptions } from '../faults.ts';
import { exportFields } from '../fields.ts';
import { readFilled } from '../files/user-files.ts';
import { findSegment, segmentRef } from '../segments/find.ts';
import { wrapped } from '../terminal/text.ts';

interface CreateOptions extends JudgedOptions {
  readonly segment: readonly string[];
  readonly format?: string;
  readonly gzip?: boolean;
  readonly delta?: boolean;
  readonly output?: string;
}

/** Adds the command. */
export const addExportCreate = (group: Command, act: Act): void => {
  group
    .command('create')
    .description('create an export of segments, and run it')
    .requiredOption(
      '--segment <segment>',
      'a segment by name, "type:name" or id (repeat it for more)',
      collect,
    )
    .option('--name <text>', 'a name for people (default: the segments)')
    .option(
      '--columns <fields>',
      'the columns: email,first_name=Vorname (default: "all"; with --sftp or --pgp, say which)',
    )
    .addOption(
      new Option('--format <format>', 'the format of the file')
        .choices(['csv', 'txt', 'jsonl', 'excel_comma', 'excel_semicolon'])
        .default('csv'),
    )
    .option('--gzip', 'compress the file')
    .option('--delta', 'only the changes since the last run')
    .option('--consent <channel>', 'only people who gave consent on this channel')
    .option('--output <file>', 'download the file; "-" is standard output')
    .option(
      '--every <schedule>',
      'run by schedule: "day 03:00", "mon 03:00 Europe/Berlin", "hour" (UTC without a zone)',
    )
    .optionsGroup('Delivery:')
    .option('--sftp <target>', 'push the file to a server: user@host[:port][:/directory]')
    .option('--key <file>', 'log in with this private key (default: a new key of the service)')
    .option('--password <file>', 'log in with the password in this file; with --key, with both')
    .addOption(
      new Option(
        '--temporary-name <way>',
        'how a file is named while it is written: "none" is for servers that refuse to rename',
      ).choices(['rename', 'none']),
    )
    .addOption(
      new Option(
        '--verify <way>',
        'how a written file is checked: "none" is for servers that show no files',
      ).choices(['size', 'none']),
    )
    .option('--file-name <template>', 'the name of the file, for example "visitors-{date}.csv"')
    .option('--pgp <file>', 'encrypt the file to this public key')
    .option('--email <address>', 'send a mail when the file is ready')
    .option('--webhook <address>', 'call this address when the file is ready')
    .addHelpText('after', help)
    .action(act(create));
};

const help = `
An export without --every and --sftp runs at once. With --sftp the command prints the public key for
the server; add it there, then "tidemark export test" and "tidemark export run".

Examples:
  tidemark export create --segment Jazz --output jazz.csv
  tidemark export create --segment Jazz --columns email,first_name --pgp key.asc \\
    --sftp hall@sftp.example.org:/in --file-name "visitors-{date}.csv" --every "mon 03:00 Europe/Berlin"`;

/** Options that say something about the server of `--sftp`. */
const ofServer = [
  ['--key', 'key'],
  ['--password', 'password'],
  ['--temporary-name', 'temporaryName'],
  ['--verify', 'verify'],
] as const;

const create = async (context: Context, options: CreateOptions): Promise<ExitCode | undefined> => {
  if (options.output !== undefined && (options.sftp !== undefined || options.every !== undefined)) {
    throw usageFailure(
      '--output downloads the file of the first run, which --sftp and --every leave for later.',
    );
  }
  const lonely = ofServer.find(([, name]) => options[name] !== undefined && options.sftp === undefined);
  if (lonely) throw usageFailure(`${lonely[0]} needs --sftp.`);
  if (sendsAllUnsaid(options) && !context.isInteractive) throw usageFailure(howToChoose, allFields(context));
  if (options.output !== undefined) await requireOutput(context, options.output);
  const settings = await settingsOf(context, options);
  const connected = await context.connect();
  const segments = [];
  for (const text of options.segment) segments.push(await findSegment(connected, segmentRef(text)));
  const body = bodyOf('createExport', {
    name: options.name ?? segments.map(({ name }) => name).join(', '),
    segment: segments.map(({ id }) => id),
    ...settings,
    start: false,
  });
  if (sendsAllUnsaid(options)) {
    context.note('Without --columns, all fields go out:', ...allFields(context).map((line) => `  ${line}`));
    if (!(await context.confirm('Send all of them?'))) return exitCodes.failed;
  }
  const columns = columnsOf(options) ?? [];
  const asked = connected.client.createExport({ body });
  const created = await namingOptions(exportOptionAt(options), withNearFields(connected, columns, asked));
  context.note(`Export ${created.id} is stored.`);
  if (options.every === undefined && options.sftp === undefined)
    return runExport(connected, created.id, options.output);
  const key = created.destination_credentials?.public_key ?? null;
  context.show(created, () => [
    ...(key === null ? [] : ['Add this line to ~/.ssh/authorized_keys of the user on the server:', key]),
    ...(options.sftp === undefined ? [] : [`Then test the way: tidemark export test ${created.id}`]),
    `${options.every === undefined ? 'Run it' : 'It runs by its schedule; run it at once'}: tidemark export run ${created.id}`,
    ...(created.webhook_secret === undefined
      ? []
      : [`Secret of the webhook, shown only now: ${created.webhook_secret}`]),
  ]);
};

/** The columns of the option; `undefined` for all fields. */
const columnsOf = ({ columns }: CreateOptions): readonly ExportColumn[] | undefined =>
  columns === undefined || columns === ALL ? undefined : valueOf(readColumns(columns));

const ALL = 'all';

/** Whether all fields would go to somebody else, although nobody said so. */
const sendsAllUnsaid = ({ columns, sftp, pgp }: CreateOptions): boolean =>
  columns === undefined && (sftp !== undefined || pgp !== undefined);

const howToChoose =
  'The file is for somebody else: say what they get. Write --columns email,first_name for some fields, or --columns all for all of them:';

const allFields = ({ width }: Context): readonly string[] =>
  wrapped(`${exportFields.join(', ')}, and each key of extra_data`, width - 2);

/** The fields of the export that do not depend on the service. Throws a usage failure for a bad option. */
const settingsOf = async (
  context: Context,
  options: CreateOptions,
): Promise<Readonly<Record<string, unknown>>> => {
  const { every, sftp, key, password, temporaryName, verify, pgp, consent } = options;
  const columns = columnsOf(options);
  const target = sftp === undefined ? undefined : valueOf(readSftp(sftp));
  const read = async (file: string): Promise<string> =>
    Buffer.from(await readFilled(context.path(file))).toString('utf8');
  const fields: Readonly<Record<string, unknown>> = {
    data_format: options.format,
    compression: options.gzip ? 'gzip' : undefined,
    scope: options.delta ? 'delta' : undefined,
    file_name: options.fileName,
    notification_email: options.email,
    webhook_url: options.webhook,
    consent: consent === undefined ? undefined : { channel: consent, state: 'given' },
    field_set: columns === undefined ? undefined : 'custom',
    custom_result_format: columns,
    schedule: every === undefined ? undefined : valueOf(readSchedule(every)),
    pgp_public_key: pgp === undefined ? undefined : await read(pgp),
    directory: target?.directory,
    destination_credentials:
      target === undefined
        ? undefined
        : {
            domain: target.domain,
            client_id: target.user,
            ...(key === undefined ? {} : { private_key: await read(key) }),
            ...(password === undefined ? {} : { password: (await read(password)).replace(/\r?\n$/, '') }),
            ...(temporaryName === undefined ? {} : { temporary_name: temporaryName }),
            ...(verify === undefined ? {} : { verify }),
          },
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
};
