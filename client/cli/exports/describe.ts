/** Describes exports in words. */
import type { Answer, Tidemark } from '../../src/index.ts';
import type { Context } from '../context.ts';
import { unlessMissing } from '../problems.ts';
import { nextRunText, scheduleText } from './options.ts';

/** An export as lists show it. */
export type Export = Answer<'getExport'>;

/** Where the files or the changes of an export go. */
export const destinationOf = ({
  destination_credentials: sftp,
  s3_destination: bucket,
  changes,
}: Pick<Export, 'destination_credentials' | 's3_destination' | 'changes'>): string => {
  if (changes) return `calls to ${changes.url}`;
  if (sftp !== null) return `sftp ${sftp.client_id}@${sftp.domain}`;
  return bucket === null ? 'download' : `bucket ${bucket.bucket}`;
};

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

/** What the calls of an export tell. */
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
    ['runs', one.schedule === null ? 'on request' : scheduleText(one.schedule)],
    ...(one.next_run === null ? [] : [['next run', nextRunText(one.schedule, one.next_run)] as const]),
    ['to', destinationOf(one)],
    ...(one.changes ? [['tells', toldBy(one.changes)] as const] : [['format', formatOf(one)] as const]),
    ...(one.destination_credentials?.public_key
      ? [['our key', one.destination_credentials.public_key] as const]
      : []),
  ]);
