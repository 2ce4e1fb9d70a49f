/** The command `export create`. */
import { type Command, Option } from 'commander';
import type { Answer } from '../../src/index.ts';
import { type Act, collect } from '../actions.ts';
import { bodyOf } from '../bodies.ts';
import type { Context } from '../context.ts';
import { changeKinds, exportOptionAt } from '../exports/options.ts';
import {
  allFields,
  columnsOf,
  type CreateOptions,
  howToChoose,
  requireFitting,
  runsLater,
  sendsAllUnsaid,
  settingsOf,
} from '../exports/settings.ts';
import { tellDoubts, tellNamesakes } from '../exports/doubts.ts';
import { requireOutput } from '../exports/follow.ts';
import { withNearFields } from './near-fields.ts';
import { runExport } from '../exports/run.ts';
import { exitCodes, type ExitCode, usageFailure } from '../failure.ts';
import { namingOptions } from '../faults.ts';
import { findSegment, segmentRef } from '../segments/find.ts';

/** Adds the command. */
export const addExportCreate = (group: Command, act: Act): void => {
  const command = group
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
      'the columns: email,first_name=Vorname (default: "all"; with a receiver or --pgp, say which)',
    )
    .addOption(
      new Option('--format <format>', 'the format of the file (default: csv)').choices([
        'csv',
        'txt',
        'jsonl',
        'excel_comma',
        'excel_semicolon',
      ]),
    )
    .option('--gzip', 'compress the file')
    .option('--delta', 'only the changes since the last run')
    .option('--skip-empty', 'write and deliver no file when it would have no rows')
    .option('--consent <channel>', 'only people who gave consent on this channel')
    .option('--output <file>', 'download the file; "-" is standard output')
    .option(
      '--every <schedule>',
      'run by schedule: "day 03:00", "mon 03:00 Europe/Berlin", "hour", "15m" (UTC without a zone)',
    );
  addReceivers(command);
  command.addHelpText('after', help).action(act(create));
};

/** Adds the options about who gets the file, or calls in place of it. */
const addReceivers = (command: Command): void => {
  command
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
    .optionsGroup('Calls in place of a file:')
    .option('--changes <address>', 'call this address with everybody who comes into the segments or leaves')
    .option('--kinds <kinds>', `what the calls tell, of ${changeKinds.join(',')} (default: added,removed)`)
    .addOption(
      new Option(
        '--first <people>',
        'whom the first calls tell: nobody, or everybody who is in (default: none)',
      ).choices(['none', 'all']),
    );
};

const help = `
An export without --every, --sftp and --changes runs at once. With --sftp the command prints the public
key for the server; add it there, then "tidemark export test" and "tidemark export run". With --changes
or --webhook it prints the secret that signs the calls.

Examples:
  tidemark export create --segment Jazz --output jazz.csv
  tidemark export create --segment Jazz --columns email,first_name --pgp key.asc \\
    --sftp hall@sftp.example.org:/in --file-name "visitors-{date}.csv" --every "mon 03:00 Europe/Berlin"
  tidemark export create --segment Jazz --columns email --changes https://crm.example.org/hooks --every 5m`;

const create = async (context: Context, options: CreateOptions): Promise<ExitCode | undefined> => {
  requireFitting(options);
  if (sendsAllUnsaid(options) && !context.isInteractive) throw usageFailure(howToChoose, allFields(context));
  if (options.output !== undefined) await requireOutput(context, options.output);
  const settings = await settingsOf(context, options);
  const connected = await context.connect();
  const segments = [];
  for (const text of options.segment) segments.push(await findSegment(connected, segmentRef(text)));
  const columns = columnsOf(options) ?? [];
  await tellDoubts(connected, { columns, consent: options.consent });
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
  const asked = connected.client.createExport({ body });
  const created = await namingOptions(exportOptionAt(options), withNearFields(connected, columns, asked));
  context.note(`Export ${created.id} is stored.`);
  await tellNamesakes(connected, created);
  const secret = secretLines(created, options);
  if (!runsLater(options)) {
    context.note(...secret);
    return runExport(connected, created, options.output);
  }
  const key = created.destination_credentials?.public_key ?? null;
  context.show(created, () => [
    ...(key === null ? [] : ['Add this line to ~/.ssh/authorized_keys of the user on the server:', key]),
    ...secret,
    ...(options.sftp === undefined && options.changes === undefined
      ? []
      : [`Then test the way: tidemark export test ${created.id}`]),
    `${options.every === undefined ? 'Run it' : 'It runs by its schedule; run it at once'}: tidemark export run ${created.id}`,
  ]);
};

/** The secret that signs the calls of an export, if it makes some. */
const secretLines = (
  { webhook_secret: secret }: Answer<'createExport'>,
  options: CreateOptions,
): readonly string[] =>
  secret === undefined
    ? []
    : [`Secret that signs the calls of ${signedCalls(options)}, shown only now: ${secret}`];

/** The calls that the secret of an export signs. */
const signedCalls = ({ webhook, changes }: CreateOptions): string =>
  [...(webhook === undefined ? [] : ['the webhook']), ...(changes === undefined ? [] : ['the changes'])].join(
    ' and of ',
  );
