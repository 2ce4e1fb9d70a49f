/** Describes exports in words. */
import type { Answer, Tidemark } from '../../src/index.ts';
import type { Context } from '../context.ts';
import { unlessMissing } from '../problems.ts';
import { nextRunText, scheduleText } from './options.ts';

/** An export as lists show it. */
export type Export = Answer<'getExport'>;

/** Everybody who gets the files or the changes of an export, or is told where the file is. */
export const destinationOf = ({
  destination_credentials: sftp,
  s3_destination: bucket,
  notification_email: email,
  webhook_url: webhook,
  changes,
}: Pick<
  Export,
  'destination_credentials' | 's3_destination' | 'notification_email' | 'webhook_url' | 'changes'
>): string => {
  const receivers = [
    ...(changes ? [`calls to ${changes.url}`] : []),
    ...(sftp === null ? [] : [`sftp ${sftp.client_id}@${sftp.domain}`]),
    ...(bucket === null ? [] : [`bucket ${bucket.bucket}`]),
    ...(email === null ? [] : [`mail to ${email}`]),
    ...(webhook === null ? [] : [`webhook ${webhook}`]),
  ];
  return receivers.join(', ') || DOWNLOAD;
};

/** The destination of an export without a receiver: somebody has to fetch its files. */
export const DOWNLOAD = 'download';

/** The status of an export in words: the service says how the newest run ended, and `scheduled` before the first one. */
export const statusOf = ({ status, next_run }: Pick<Export, 'status' | 'next_run'>): string => {
  if (next_run === null) return status === 'scheduled' ? 'never run' : status;
  return ended.has(status) ? `scheduled (last run ${status})` : status;
};

const ended: ReadonlySet<string> = new Set(['complete', 'failed', 'cancelled']);

/** The names of the segments and collections of an export, by their ids. */
interface Names {
  readonly segments: ReadonlyMap<number, string>;
  readonly collections: ReadonlyMap<number, string>;
}

export const noNames: Names = { segments: new Map(), collections: new Map() };

/** Names that are asked for, one request each. */
const NAMED = 10;

/** The names of the first segments and collections of an export. What was deleted has none. */
export const namesOf = async (
  client: Tidemark,
  { segment, collection }: Pick<Export, 'segment' | 'collection'>,
): Promise<Names> => {
  const named = async (
    ids: readonly number[],
    ask: (id: number) => Promise<{ readonly name: string }>,
  ): Promise<ReadonlyMap<number, string>> => {
    const pairs = ids.slice(0, NAMED).map(async (id) => [id, await unlessMissing(ask(id))] as const);
    return new Map((await Promise.all(pairs)).flatMap(([id, found]) => (found ? [[id, found.name]] : [])));
  };
  return {
    segments: await named(segment, (id) => client.getSegment({ path: { segment_id: id } })),
    collections: await named(collection, (id) => client.getCollection({ path: { collection_id: id } })),
  };
};

const listOf = (ids: readonly number[], names: ReadonlyMap<number, string>): string =>
  ids.map((id) => (names.has(id) ? `${names.get(id)} (${id})` : String(id))).join(', ');

const formatOf = ({ data_format, compression, scope, skip_empty }: Export): string =>
  [
    data_format,
    ...(compression === 'none' ? [] : [compression]),
    ...(scope === 'delta' ? ['changes only'] : []),
    ...(skip_empty ? ['no file without rows'] : []),
  ].join(', ');

/** Which fields of people go out. */
const columnsText = ({ field_set: set, custom_result_format: columns }: Export): string => {
  if (set === 'email') return 'email';
  if (set === 'all' || columns === null) return 'all fields, and each key of extra_data';
  return columns
    .map(({ umbel_field_name: field, destination_field_name: heading }) =>
      field === heading ? field : `${field}=${heading}`,
    )
    .join(', ');
};

/** Which of the people in the segments go out, where not all do. */
const peopleFacts = ({ consent, start_date: from, end_date: to }: Export): readonly Fact[] => [
  ...(consent === null
    ? []
    : [['consent', `only people with consent on ${consent.channel} ${consent.state}`] as const]),
  ...(from === null && to === null
    ? []
    : [['stored', [from && `from ${from}`, to && `to ${to}`].filter(Boolean).join(' ')] as const]),
];

/** How the files of an export are named and locked, where somebody has said so. */
const fileFacts = ({ file_name: file, directory, pgp_public_key: key }: Export): readonly Fact[] => [
  ...(file === null ? [] : [['file name', file] as const]),
  ...(directory === null ? [] : [['directory', directory] as const]),
  ...(key === null ? [] : [['encryption', 'PGP'] as const]),
];

type Fact = readonly [name: string, value: string];

/** The changes that the calls of an export tell, in words. */
const toldBy = ({ kinds, first }: NonNullable<Export['changes']>): string =>
  `${kinds.join(', ')}; at first ${first === 'all' ? 'everybody who is in' : 'nobody'}`;

/** An export for people. */
export const exportLines = (context: Context, one: Export, names: Names): readonly string[] =>
  context.facts([
    ['id', one.id],
    ['name', one.name ?? '–'],
    ['status', statusOf(one)],
    ['segments', listOf(one.segment, names.segments) || '–'],
    ...(one.collection.length === 0
      ? []
      : [['collections', listOf(one.collection, names.collections)] as const]),
    ...peopleFacts(one),
    ['columns', columnsText(one)],
    ['runs', one.schedule === null ? 'on request' : scheduleText(one.schedule)],
    ...(one.next_run === null ? [] : [['next run', nextRunText(one.schedule, one.next_run)] as const]),
    ['to', destinationOf(one)],
    ...(one.changes ? [['tells', toldBy(one.changes)] as const] : [['format', formatOf(one)] as const]),
    ...fileFacts(one),
    ...(one.destination_credentials?.public_key
      ? [['our key', one.destination_credentials.public_key] as const]
      : []),
  ]);
