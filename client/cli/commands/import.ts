/** The command `import`: look at a file, try it, import it. */
import type { Command } from 'commander';
import { writeFile } from 'node:fs/promises';
import { basename, relative } from 'node:path';
import { stringify } from 'yaml';
import { bodyOf } from '../bodies.ts';
import type { Connected, Context } from '../context.ts';
import { CommandFailure, exitCodes, type ExitCode, usageFailure, valueOf } from '../failure.ts';
import { namingOptions, withOptionNames } from '../faults.ts';
import { filledSize, requireNew } from '../files/user-files.ts';
import { type Chosen, definitionFor, namedDefinition } from '../imports/choose-definition.ts';
import { untilCounted } from '../imports/counted.ts';
import { follow, type ImportJob, tellReasons, upload, writeRejects } from '../imports/follow.ts';
import { identityAdvice, reasonsAgainst } from '../imports/identity.ts';
import { beginningOf, formDefinition, formOptionAt, inspect } from '../imports/inspect.ts';
import { filledColumns } from '../../src/imports/file-definition.ts';
import { hasIdentity, type ImportDefinition } from '../../src/imports/mapping.ts';
import { mappingOptionAt, wantedTargets } from '../imports/mapping.ts';
import { type Doubt, hintFor, showOverview } from '../imports/overview.ts';
import { dryRunLines, exitCodeOf, refusedOf } from '../imports/report.ts';
import { type DefinitionOptions, wantedDefinition } from '../imports/wanted-definition.ts';
import { type Act, collect, filled, wholeNumber } from '../actions.ts';
import { bytes, count, counted, plain, quoted } from '../terminal/text.ts';

interface ImportOptions extends DefinitionOptions {
  readonly definition?: string;
  readonly saveMapping?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Adds the command. */
export const addImport = (program: Command, act: Act): void => {
  program
    .command('import')
    .description('import a CSV file: look at it, try it without storing anything, ask, import')
    .argument('<file>', 'a CSV file, in any common encoding and delimiter, also compressed with gzip')
    .option('-y, --yes', 'import without a question')
    .option('--dry-run', 'try the file, and import nothing')
    .option('--map <column=field>', 'store a column in another field (repeat it for more columns)', collect)
    .option('--skip <column>', 'leave a column out (repeat it for more columns)', collect)
    .option(
      '--only <columns>',
      'keep only these columns: "E-Mail,Name" (repeat it for more columns)',
      collect,
    )
    .option(
      '--skip-unknown',
      'leave out the columns that have no field, instead of keeping them as extra data',
    )
    .option('--encoding <name>', 'the encoding of the file, if the service does not find it')
    .option('--header-line <number>', 'the line with the names of the columns, from 1', wholeNumber)
    .option('--save-mapping <file>', 'write the suggested mapping to a YAML file, and stop')
    .option('--mapping <file>', 'use the mapping of a YAML or JSON file')
    .option('--definition <name or id>', 'use an import definition that the service has')
    .option(
      '--name <name>',
      'name of the import definition (default: the name of the file without dates and numbers)',
      filled,
    )
    .addHelpText('after', help)
    .action(act(importFile));
};

const help = `
The command shows how the columns become fields of people. Change that with --map, --skip and --only, or
write it to a file with --save-mapping, edit the file, and import with --mapping. The service looks at the
values of a column again when it gets another field. Fields are, among others,
email, unique_id, first_name, last_name, birthday, phone_number, city, tags; a field
"extra_data.<name>" takes anything else.

A file with the same columns uses the same import definition again, whatever its name.

Rows that the service refuses are written to <file>.rejects.csv beside the file. Correct them there,
and send them with "tidemark retry". With refused rows, the exit code is 1.

Examples:
  tidemark import visitors.csv
  tidemark import visitors.csv --map "Kundennr=unique_id" --skip Notes --yes
  tidemark import contacts.csv --only "Email,First Name,Last Name"
  tidemark import visitors.csv --dry-run --json`;

const importFile = async (
  context: Context,
  file: string,
  options: ImportOptions,
): Promise<ExitCode | undefined> => {
  const path = context.path(file);
  const size = await filledSize(path);
  if (/\p{Cc}/u.test(basename(path)))
    throw usageFailure(`The name of the file has control characters; rename it: ${file}`);
  if (options.saveMapping !== undefined) await requireNew(context.path(options.saveMapping));
  if (!options.yes && !options.dryRun && options.saveMapping === undefined && !context.isInteractive)
    throw usageFailure('Nobody can answer a question here; add --yes or --dry-run.');
  const connected = await context.connect();
  const { chosen, doubts } = await chooseDefinition(connected, { path, size, options });
  if (options.saveMapping !== undefined) return saveMapping(context, options.saveMapping, chosen.definition);
  const importId = chosen.id ?? (await store(connected, chosen.definition, options));
  const run: Run = { context: connected, path, importId, chosen, doubts };
  const tried = await tryFile(run, options);
  if (options.dryRun || !(await goOn(run, tried, options))) {
    await discard(run);
    if (options.dryRun) show(run, { import_id: null, job: null, rejects: null }, tried, () => []);
    else context.note('Nothing was imported.');
    return options.dryRun && isClean(tried) ? exitCodes.ok : exitCodes.failed;
  }
  return importRows(run, tried);
};

const formOf = (options: DefinitionOptions): { readonly definition: unknown } => ({
  definition: formDefinition(options),
});

interface Prepared {
  readonly chosen: Chosen;
  readonly doubts: readonly Doubt[];
}

interface FileToRead {
  readonly path: string;
  readonly size: number;
  readonly options: ImportOptions;
}

/** The definition of the option, the mapping of a file, or the suggestion with the changes of the user. */
const chooseDefinition = async (
  context: Connected,
  { path, size, options }: FileToRead,
): Promise<Prepared> => {
  if (options.definition !== undefined)
    return { chosen: await namedDefinition(context, options.definition), doubts: [] };
  const content = await beginningOf(path);
  const form = options.encoding === undefined && options.headerLine === undefined ? {} : formOf(options);
  const first = await inspect(context, { content, ...form }, formOptionAt(options));
  if (first.failure !== null && first.header.length === 0) throw cannotRead(path, first.failure);
  const targets = valueOf(wantedTargets(first.header, options));
  const optionAt = mappingOptionAt({ mapping_fields: { field_maps: [] } }, options);
  const inspected =
    targets.size === 0 ? first : await inspect(context, { content, targets, ...form }, optionAt);
  const { dialect, header, suggestion, sample, failure } = inspected;
  const definition = await wantedDefinition(context, { path, options, inspected, targets });
  const found = dialect === null ? '' : `, ${dialect.encoding}, delimited by ${dialect.delimiter}`;
  context.note(`${plain(basename(path))}: ${bytes(size)}${found}, ${counted(header.length, 'column')}`, '');
  const doubts = showOverview(context, { definition, targets }, inspected, hintFor(options));
  if (failure !== null && options.mapping === undefined) throw cannotRead(path, failure);
  if (options.saveMapping !== undefined) return { chosen: { definition }, doubts };
  if (!hasIdentity(definition)) {
    const against = reasonsAgainst(suggestion);
    if (against.length > 0) throw usageFailure('Nothing was uploaded.', against);
    throw usageFailure(
      'No column says whose record a row is, and nothing was uploaded. Map one to unique_id, email or social_id.',
      identityAdvice(header, sample, (column) =>
        suggestion.columns.some(({ column: name, kind }) => name === column && kind === 'mapped'),
      ),
    );
  }
  if (options.mapping === undefined && suggestion.notes.length > 0)
    context.note(...suggestion.notes.map(plain), '');
  const chosen = await definitionFor(context, {
    ...{ path, content, inspected, definition, header, targets },
    filled: filledColumns(inspected),
    stated: [
      ...(options.encoding === undefined ? [] : ['encoding']),
      ...(options.headerLine === undefined ? [] : ['header_line']),
    ],
    isNamed: options.name !== undefined || options.mapping !== undefined,
    isUnasked: options.yes === true,
  });
  return { chosen, doubts };
};

const saveMapping = async (context: Context, file: string, wanted: ImportDefinition): Promise<undefined> => {
  await writeFile(context.path(file), stringify(wanted), { flag: 'wx' });
  context.show({ mapping: context.path(file) }, () => [
    `The mapping is in ${plain(file)}. Edit it, then: tidemark import … --mapping ${plain(file)}`,
  ]);
};

const store = async (
  { client }: Connected,
  wanted: ImportDefinition,
  options: ImportOptions,
): Promise<number> => {
  const created = client.createImport({ body: bodyOf('createImport', wanted) });
  return (await namingOptions(mappingOptionAt(wanted, options), created)).id;
};

/** One call of the command, from the dry run on. */
interface Run extends Prepared {
  readonly context: Connected;
  readonly path: string;
  readonly importId: number;
}

interface Outcome {
  readonly import_id: number | null;
  readonly job: ImportJob | null;
  readonly rejects: string | null;
}

/** Shows the end of the command. */
const show = (
  { context, chosen, doubts }: Run,
  { import_id, job, rejects }: Outcome,
  tried: ImportJob,
  lines: () => readonly string[],
): void => {
  const { name } = chosen.definition;
  context.show({ import_id, definition: name, doubts, dry_run: tried, job, rejects }, lines);
};

/** The failure of a file that the service cannot read. The message names options in place of members. */
const cannotRead = (path: string, { message }: { readonly message: string }): CommandFailure =>
  new CommandFailure(`The service cannot read ${basename(path)}: ${withOptionNames(message)}`);

const tryFile = async (run: Run, { definition }: ImportOptions): Promise<ImportJob> => {
  // A definition of the service is read as it is, whatever the options say.
  const worded = definition === undefined ? withOptionNames : (text: string): string => text;
  const { context, path, importId } = run;
  const known = await upload(context, { importId, path, dryRun: true });
  const job = await follow(context, known, { title: 'Dry run' });
  if (job.failure !== null) {
    await discard(run);
    throw new CommandFailure(`The service cannot import ${basename(path)}: ${worded(job.failure.message)}`);
  }
  const { dry_run_result: result } = job;
  context.note(...(result === null ? [noResult] : dryRunLines(result).map(plain)));
  context.note(...job.warnings.map(({ message }) => plain(worded(message))));
  tellReasons(context, job);
  if (job.refused_by.length + job.warned_by.length > 0) context.note('');
  return job;
};

const noResult = 'What the file would change is shown only to those who may see people (people.read).';

const isClean = ({ counts, dry_run_result: result }: ImportJob): boolean =>
  refusedOf(counts) === 0 && (result?.stopped_by ?? null) === null;

const goOn = async (
  { context, chosen, doubts }: Run,
  { counts, dry_run_result: result }: ImportJob,
  { yes, dryRun }: ImportOptions,
): Promise<boolean> => {
  const stopped = result?.stopped_by ?? null;
  if (stopped !== null) {
    context.note(`A guard stops this import: ${plain(stopped.message)}`);
    return false;
  }
  if (counts.completed === 0) {
    context.note('No row would be stored.');
    return false;
  }
  if (chosen.definition['test_mode'] === true) {
    context.note(
      `The import definition "${plain(chosen.definition.name)}" is in test mode and stores nothing.`,
    );
    return false;
  }
  if (yes === true || dryRun === true) return true;
  const about = doubts.length === 0 ? '' : `, with the ${counted(doubts.length, 'doubt')} above`;
  return context.confirm(`Import ${counted(counts.completed, 'row')}${about}?`);
};

/** Removes the definition of a call that imported nothing. */
const discard = async ({ context: { client }, importId, chosen }: Run): Promise<void> => {
  const path = { import_id: importId };
  // Ctrl-C must not leave it behind.
  if (chosen.id === undefined) await client.deleteImport({ path, signal: undefined });
};

const importRows = async (run: Run, tried: ImportJob): Promise<ExitCode> => {
  const { context, path, importId } = run;
  const known = await upload(context, { importId, path, dryRun: false });
  const job = await follow(context, known, { title: 'Import', expected: tried.counts.ingested });
  const rejects = await writeRejects(context, known, { job, file: path });
  show(run, { import_id: importId, job, rejects }, tried, () =>
    endLines(context, job, { rejects, stored: job.counts.completed }),
  );
  if (job.counts.completed > 0) await untilCounted(context, job);
  return exitCodeOf(job);
};

/** The end of an import or a retry, and what to do next. */
export const endLines = (
  context: Context,
  { counts, failure }: ImportJob,
  { rejects, stored }: { readonly rejects: string | null; readonly stored: number },
): readonly string[] => {
  if (failure !== null) return [`The import stopped: ${plain(failure.message)}`];
  const refused = refusedOf(counts);
  if (rejects === null && refused > 0)
    return [`${counted(stored, 'row')} stored, ${count(refused)} refused.`];
  if (rejects === null) return [`${counted(stored, 'row')} stored. Look at them: tidemark segments`];
  const file = plain(relative(context.surroundings.cwd, rejects));
  return [
    `${counted(stored, 'row')} stored; ${refusedRows(refused)} in ${file}.`,
    `Correct ${refused === 1 ? 'it' : 'them'} there, then: tidemark retry ${quoted(file)}`,
  ];
};

const refusedRows = (rows: number): string => `${counted(rows, 'refused row')} ${rows === 1 ? 'is' : 'are'}`;
