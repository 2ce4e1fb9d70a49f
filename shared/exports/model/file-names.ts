/** File names: turns the templates of a definition into the name and the directory of a job's file. */
import { limits } from '../../config/limits.ts';
import type { FaultCode } from '../../http/fault-codes.ts';
import type { ProblemError } from '../../http/problem.ts';
import { localTime, UTC } from '../../runtime/time-zone.ts';
import type { ExportDefinition, ExportJob } from './items.ts';

/** The fields of a definition that decide names. */
type Named = Pick<
  ExportDefinition,
  'name' | 'scope' | 'schedule' | 'data_format' | 'compression' | 'pgp_public_key' | 'file_name' | 'directory'
>;

type NamedJob = Pick<ExportJob, 'export' | 'job' | 'created' | 'run'>;

/** Variables of templates, written `{date}`. */
const variables = ['date', 'time', 'datetime', 'name', 'id', 'job', 'counter', 'scope'] as const;
type Variable = (typeof variables)[number];
const isVariable = (name: string): name is Variable => variables.some((known) => known === name);

const placeholder = /\{([^{}]*)\}/g;

/** The characters between the variables. No server and no spreadsheet reads one of them as a part of a path. */
const literal = /^[\p{L}\p{M}\p{N} ._+@,=-]*$/u;
const refusedCharacter = /[^\p{L}\p{M}\p{N} ._+@,=-]/gu;

/** The values of the variables: times are those of the request of the job, in the time zone of the schedule. */
const valuesOf = (
  { name, scope, schedule }: Pick<Named, 'name' | 'scope' | 'schedule'>,
  { export: id, job, created, run }: NamedJob,
): Readonly<Record<Variable, string>> => {
  const local = new Date(localTime(schedule?.timezone ?? UTC, created)).toISOString();
  const [date, time] = [local.slice(0, 10), local.slice(11, 19).replaceAll(':', '')];
  return {
    date,
    time,
    datetime: `${date}T${time}`,
    name: safeName(name ?? ''),
    id: String(id),
    job: String(job),
    counter: String(run),
    scope,
  };
};

/** A name as a part of a file name: characters of paths become `-`. */
const safeName = (name: string): string =>
  name.normalize('NFC').trim().replace(refusedCharacter, '-').replace(/^\.+/, '-').replace(/[. ]$/, '-');

const filled = (template: string, values: Readonly<Record<Variable, string>>): string =>
  template.replace(placeholder, (whole, name: string) => (isVariable(name) ? values[name] : whole));

/** The name that a file has without a template. */
const defaultTemplate = ({ data_format }: Pick<Named, 'data_format'>): string =>
  `{id}-{job}.${data_format.startsWith('excel_') ? 'csv' : data_format}`;

/**
 * The name of a job's file. Where the endings of the compression and the encryption are missing, they follow
 * the name: `.gz`, then `.pgp`.
 */
export const fileName = (definition: Named, job: NamedJob): string => {
  const template = definition.file_name ?? defaultTemplate(definition);
  return withEndings(filled(template, valuesOf(definition, job)), definition);
};

/**
 * The name under which a browser stores a file that is stored as `stored`: for an export with a name and without a template,
 * its name and the day in place of ids. On servers and in buckets a file keeps the name by which programs know it.
 */
export const downloadName = (
  job: NamedJob,
  definition: Pick<Named, 'name' | 'scope' | 'schedule'>,
  stored: string,
): string => {
  const ids = `${job.export}-${job.job}.`;
  const { name, date } = valuesOf(definition, job);
  if (name === '' || !stored.startsWith(ids)) return stored;
  const named = `${name}-${date}.${stored.slice(ids.length)}`;
  return Buffer.byteLength(named) <= limits.exports.fileNameBytes ? named : stored;
};

const withEndings = (
  name: string,
  { compression, pgp_public_key }: Pick<Named, 'compression' | 'pgp_public_key'>,
): string => {
  const inner = pgp_public_key === null ? name : name.replace(/\.pgp$/, '');
  const packed = compression === 'gzip' && !inner.endsWith('.gz') ? `${inner}.gz` : inner;
  return pgp_public_key === null ? packed : `${packed}.pgp`;
};

/** Whether files of different runs may have the same path, so that a later file replaces an earlier one. */
export const isNameRepeated = (
  definition: Pick<Named, 'file_name' | 'directory' | 'data_format'>,
): boolean => {
  const path = `${definition.directory ?? ''}/${definition.file_name ?? defaultTemplate(definition)}`;
  const has = (name: Variable): boolean => path.includes(`{${name}}`);
  return !(has('counter') || has('job') || has('datetime') || (has('date') && has('time')));
};

/** The directory of a job's file on the server of the client; `null` for the directory of the login. */
export const directoryOf = (
  definition: Pick<Named, 'name' | 'scope' | 'schedule' | 'directory'>,
  job: NamedJob,
): string | null =>
  definition.directory === null ? null : withoutEnd(filled(definition.directory, valuesOf(definition, job)));

/** The part of a directory that is the same in every run: the levels before the first variable. */
export const fixedDirectoryOf = ({ directory }: Pick<Named, 'directory'>): string | null => {
  if (directory === null) return null;
  const levels = directory.split('/');
  const first = levels.findIndex((level) => level.includes('{'));
  const fixed = withoutEnd(levels.slice(0, first < 0 ? levels.length : first).join('/'));
  if (fixed !== '') return fixed;
  return directory.startsWith('/') ? '/' : null;
};

/** A directory without slashes at its end; the root stays `/`. */
const withoutEnd = (directory: string): string => directory.replace(/(?!^)\/$/, '');

const contentTypes = {
  csv: 'text/csv; charset=utf-8',
  txt: 'text/tab-separated-values; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  excel_comma: 'text/csv; charset=utf-8',
  excel_semicolon: 'text/csv; charset=utf-8',
} as const;

/** The media type of the files of a definition, as they are stored. */
export const contentTypeOf = ({
  pgp_public_key,
  compression,
  data_format,
}: Pick<Named, 'pgp_public_key' | 'compression' | 'data_format'>): string => {
  if (pgp_public_key !== null) return 'application/octet-stream';
  return compression === 'gzip' ? 'application/gzip' : contentTypes[data_format];
};

/** The suffix of manifests, whose addresses stand beside those of files. */
const MANIFEST_SUFFIX = '.manifest.json';

/** Name of the manifest of a job's file. */
export const manifestName = ({ export: id, job }: Pick<ExportJob, 'export' | 'job'>): string =>
  `${id}-${job}${MANIFEST_SUFFIX}`;

type Sent = Omit<Named, 'schedule'>;

/** The faults of the templates of a body. */
export const templateFaults = (body: Sent): readonly ProblemError[] => [
  ...(body.file_name === null ? [] : fileNameFaults(body, body.file_name)),
  ...(body.directory === null ? [] : directoryFaults(body, body.directory)),
];

const fileNameFaults = (body: Sent, template: string): readonly ProblemError[] => {
  const fault = faultsAt('/file_name');
  const whole = filled(template, longestValues(body));
  const longest = withEndings(whole, body);
  return [
    ...fault('bad_file_name', isLiteral(template), allowed),
    ...fault('bad_file_name', !/^[. ]|[. ]$/.test(template), 'Must not begin or end with a dot or a space.'),
    ...fault(
      'reserved',
      !whole.endsWith(MANIFEST_SUFFIX),
      `Must not end in ${MANIFEST_SUFFIX}: manifests have that ending.`,
    ),
    ...fault(
      'too_long',
      Buffer.byteLength(longest) <= limits.exports.fileNameBytes,
      `With its variables and endings, must have at most ${limits.exports.fileNameBytes} bytes.`,
    ),
    ...variableFaults(body, template, '/file_name'),
  ];
};

const directoryFaults = (body: Sent, template: string): readonly ProblemError[] => {
  const fault = faultsAt('/directory');
  const levels = template.replace(/^\//, '').replace(/\/$/, '').split('/');
  const isWhole = levels.every((level) => level !== '' && level !== '.' && level !== '..');
  const longest = filled(template, longestValues(body));
  return [
    ...fault('bad_directory', levels.every(isLiteral), allowed),
    ...fault(
      'bad_directory',
      isWhole || template === '/',
      'Must be a path such as in/{date} or /in/visitors, without empty levels, . and ...',
    ),
    ...fault(
      'too_long',
      Buffer.byteLength(longest) <= limits.exports.directoryBytes,
      `With its variables, must have at most ${limits.exports.directoryBytes} bytes.`,
    ),
    ...variableFaults(body, template, '/directory'),
  ];
};

const allowed = 'Must consist of letters, digits, spaces, . _ + @ , = - and variables such as {date}.';

const faultsAt =
  (pointer: string) =>
  (code: FaultCode, holds: boolean, detail: string): readonly ProblemError[] =>
    holds ? [] : [{ pointer, code, detail }];

const isLiteral = (template: string): boolean => literal.test(template.replace(placeholder, ''));

const variableFaults = (body: Sent, template: string, pointer: string): readonly ProblemError[] => {
  const used = [...template.matchAll(placeholder)].map(([, name = '']) => name);
  const fault = faultsAt(pointer);
  const known = variables.map((name) => `{${name}}`).join(', ');
  return [
    ...fault('unknown_variable', used.every(isVariable), `Has other variables than ${known}.`),
    ...fault(
      'name_required',
      body.name !== null || !used.includes('name'),
      'Uses {name}, so the export must have a name.',
    ),
  ];
};

/** Values as long as they can be. */
const longestValues = ({ name, scope }: Sent): Readonly<Record<Variable, string>> => {
  const most = Number.MAX_SAFE_INTEGER;
  return valuesOf({ name, scope, schedule: null }, { export: most, job: most, created: 0, run: most });
};
