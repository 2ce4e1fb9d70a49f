/** The command `import`: look at a file, try it, import it. */
import type { Command } from 'commander';
import { open, writeFile } from 'node:fs/promises';
import { basename, relative } from 'node:path';
import { stringify } from 'yaml';
import type { Answer } from '../../src/index.ts';
import { bodyOf } from '../bodies.ts';
import type { Connection, Context } from '../context.ts';
import { differencesOf } from '../definitions/difference.ts';
import { CommandFailure, exitCodes, type ExitCode, usageFailure } from '../failure.ts';
import { namingOptions } from '../faults.ts';
import { readDocument } from '../files/documents.ts';
import { filledSize, requireNew } from '../files/user-files.ts';
import { follow, type ImportJob, tellReasons, upload, writeRejects } from '../imports/follow.ts';
import {
  changeMapping,
  type ImportDefinition,
  mappingColumns,
  mappingOptionAt,
  mappingRows,
  readDefinition,
} from '../imports/mapping.ts';
import { dryRunLines, exitCodeOf, refusedOf } from '../imports/report.ts';
import { type Act, collect, filled } from '../actions.ts';
import { bytes, counted, plain, quoted } from '../terminal/text.ts';

interface ImportOptions {
  readonly name?: string;
  readonly definition?: string;
  readonly map?: readonly string[];
  readonly skip?: readonly string[];
  readonly mapping?: string;
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
    .option('--save-mapping <file>', 'write the suggested mapping to a YAML file, and stop')
    .option('--mapping <file>', 'use the mapping of a YAML or JSON file')
    .option('--definition <name or id>', 'use an import definition that the service has')
    .option('--name <name>', 'name of a new import definition (default: the name of the file)', filled)
    .addHelpText('after', help)
    .action(act(importFile));
};

const help = `
The command shows how the columns become fields of people. Change that with --map and --skip, or
write it to a file with --save-mapping, edit the file, and import with --mapping. Fields are, among others,
email, unique_id, first_name, last_name, birthday, phone_number, city, tags; a field
"extra_data.<name>" takes anything else.

Rows that the service refuses are written to <file>.rejects.csv beside the file. Correct them there,
and send them with "tidemark retry". With refused rows, the exit code is 1.

Examples:
  tidemark import visitors.csv
  tidemark import visitors.csv --map "Kundennr=unique_id" --skip Notes --yes
  tidemark import visitors.csv --dry-run --json`;

/** The bytes that the service looks at. */
const INSPECTED_BYTES = 100_000;

const importFile = async (context: Context, file: string, options: ImportOptions): Promise<ExitCode> => {
  const path = context.path(file);
  const size = await filledSize(path);
  if (/\p{Cc}/u.test(basename(path)))
    throw usageFailure(`The name of the file has control characters; rename it: ${file}`);
  if (options.saveMapping !== undefined) await requireNew(context.path(options.saveMapping));
  if (!options.yes && !options.dryRun && options.saveMapping === undefined && !context.isInteractive)
    throw usageFailure('Nobody can answer a question here; add --yes or --dry-run.');
  const connection = await context.connect();
  const inspected = await inspect(context, connection, path);
  const definition = await chooseDefinition(context, connection, { path, size, options, inspected });
  if (options.saveMapping !== undefined) return saveMapping(context, options.saveMapping, definition.wanted);
  const importId = definition.id ?? (await store(context, connection, definition.wanted, options));
  const run: Run = { context, connection, path, importId, isNew: definition.id === undefined };
  const tried = await tryFile(run);
  if (options.dryRun || !(await goOn(run, tried, options))) {
    await discard(run);
    if (options.dryRun) context.show({ import_id: null, dry_run: tried, job: null, rejects: null }, () => []);
    else context.note('Nothing was imported.');
    return options.dryRun && isClean(tried) ? exitCodes.ok : exitCodes.failed;
  }
  return importRows(run, tried);
};

type Inspected = Answer<'inspectImport'>;

const inspect = async (context: Context, { client }: Connection, path: string): Promise<Inspected> => {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(INSPECTED_BYTES), 0, INSPECTED_BYTES, 0);
    const body = new Uint8Array(buffer.subarray(0, bytesRead));
    return await client.inspectImport({
      body,
      contentType: 'application/octet-stream',
      signal: context.signal,
    });
  } finally {
    await handle.close();
  }
};

interface Chosen {
  /** The definition that the service has; none if it is new. */
  readonly id?: number;
  readonly wanted: ImportDefinition;
}

/** The definition of the option, the mapping of a file, or the suggestion with the changes of the user. */
const chooseDefinition = async (
  context: Context,
  connection: Connection,
  {
    path,
    size,
    options,
    inspected,
  }: { path: string; size: number; options: ImportOptions; inspected: Inspected },
): Promise<Chosen> => {
  const { dialect, header, failure, suggestion, sample } = inspected;
  if (options.definition !== undefined) return existing(context, connection, options.definition);
  if (failure !== null)
    throw new CommandFailure(`The service cannot read ${basename(path)}: ${failure.message}`);
  const base = readDefinition(
    options.mapping === undefined ? suggestion.definition : await readDocument(context.path(options.mapping)),
  );
  if (base === undefined) {
    throw usageFailure(
      options.mapping === undefined
        ? `The service has no suggestion for ${basename(path)}; give it a mapping with --mapping.`
        : `${options.mapping} is no mapping; write one with --save-mapping.`,
    );
  }
  const name = options.name ?? (options.mapping === undefined ? nameOf(path) : base.name);
  const changed = changeMapping({ ...base, name }, header, options);
  if (!changed.ok) throw usageFailure(changed.error);
  const found = dialect === null ? '' : `, ${dialect.encoding}, delimited by ${dialect.delimiter}`;
  context.note(`${plain(basename(path))}: ${bytes(size)}${found}, ${counted(header.length, 'column')}`, '');
  context.noteTable(mappingColumns, mappingRows(changed.value, suggestion.columns, sample));
  context.note('', ...suggestion.notes.map(plain));
  const same = await sameDefinition(connection, changed.value);
  return same === undefined ? { wanted: changed.value } : { id: same, wanted: changed.value };
};

const nameOf = (path: string): string => basename(basename(path, '.gz'), '.csv');

const existing = async (context: Context, { client }: Connection, wanted: string): Promise<Chosen> => {
  for await (const definition of client.listImports({ signal: context.signal })) {
    if (String(definition.id) !== wanted && definition.name !== wanted) continue;
    const read = readDefinition(definition);
    if (read !== undefined) return { id: definition.id, wanted: read };
  }
  throw new CommandFailure(`There is no import definition "${wanted}".`);
};

/** The newest definition with the name and the same mapping, so that the same file needs no second definition. */
const sameDefinition = async (
  { client }: Connection,
  wanted: ImportDefinition,
): Promise<number | undefined> => {
  const list = client.listImports({ query: { name: wanted.name, order: 'newest' } });
  for await (const definition of list) {
    if (definition.name === wanted.name && differencesOf(wanted, definition).length === 0)
      return definition.id;
  }
  return undefined;
};

const saveMapping = async (context: Context, file: string, wanted: ImportDefinition): Promise<ExitCode> => {
  await writeFile(context.path(file), stringify(wanted), { flag: 'wx' });
  context.show({ mapping: context.path(file) }, () => [
    `The mapping is in ${plain(file)}. Edit it, then: tidemark import … --mapping ${plain(file)}`,
  ]);
  return exitCodes.ok;
};

const store = async (
  context: Context,
  { client }: Connection,
  wanted: ImportDefinition,
  options: ImportOptions,
): Promise<number> => {
  const body = bodyOf('createImport', wanted);
  const created = client.createImport({ body, signal: context.signal });
  return (await namingOptions(mappingOptionAt(wanted, options), created)).id;
};

/** One call of the command, from the dry run on. */
interface Run {
  readonly context: Context;
  readonly connection: Connection;
  readonly path: string;
  readonly importId: number;
  readonly isNew: boolean;
}

const tryFile = async (run: Run): Promise<ImportJob> => {
  const { context, connection, path, importId } = run;
  const known = await upload(context, connection, { importId, path, dryRun: true });
  const job = await follow(context, connection.client, known, { title: 'Dry run' });
  if (job.failure !== null) {
    await discard(run);
    throw new CommandFailure(`The service cannot import ${basename(path)}: ${job.failure.message}`);
  }
  const { dry_run_result: result } = job;
  if (result !== null) context.note(...dryRunLines(result).map(plain));
  context.note(...job.warnings.map(({ message }) => plain(message)));
  tellReasons(context, job);
  if (job.refused_by.length + job.warned_by.length > 0) context.note('');
  return job;
};

const isClean = ({ counts, dry_run_result: result }: ImportJob): boolean =>
  refusedOf(counts) === 0 && (result?.stopped_by ?? null) === null;

const goOn = async (
  { context }: Run,
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
  return yes === true || dryRun === true || context.confirm(`Import ${counted(counts.completed, 'row')}?`);
};

/** Removes the definition of a call that imported nothing. */
const discard = async ({ connection, importId, isNew }: Run): Promise<void> => {
  if (isNew) await connection.client.deleteImport({ path: { import_id: importId } });
};

const importRows = async (
  { context, connection, path, importId }: Run,
  tried: ImportJob,
): Promise<ExitCode> => {
  const { client } = connection;
  const known = await upload(context, connection, { importId, path, dryRun: false });
  const job = await follow(context, client, known, { title: 'Import', expected: tried.counts.ingested });
  const refused = refusedOf(job.counts);
  const rejects = refused === 0 ? null : await writeRejects(context, client, known, { job, file: path });
  context.show({ import_id: importId, dry_run: tried, job, rejects }, () =>
    endLines(context, job, { rejects, stored: job.counts.completed }),
  );
  return exitCodeOf(job);
};

/** The end of an import or a retry, and what to do next. */
export const endLines = (
  context: Context,
  { counts, failure }: ImportJob,
  { rejects, stored }: { readonly rejects: string | null; readonly stored: number },
): readonly string[] => {
  if (failure !== null) return [`The import stopped: ${plain(failure.message)}`];
  if (rejects === null) return [`${counted(stored, 'row')} stored. Look at them: tidemark segments`];
  const file = plain(relative(context.surroundings.cwd, rejects));
  return [
    `${counted(stored, 'row')} stored; ${refusedRows(refusedOf(counts))} in ${file}.`,
    `Correct ${refusedOf(counts) === 1 ? 'it' : 'them'} there, then: tidemark retry ${quoted(file)}`,
  ];
};

const refusedRows = (rows: number): string => `${counted(rows, 'refused row')} ${rows === 1 ? 'is' : 'are'}`;
