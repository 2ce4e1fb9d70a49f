/** Read parts: reads the sealed parts of a job for its file. */
import * as v from 'valibot';
import type { MemberChunk } from '../../membership/read-members.ts';
import { gather } from '../../runtime/bytes.ts';
import { mapAhead } from '../../runtime/map-ahead.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import type { ExportDefinition, ExportPart, JobRef } from '../model/items.ts';
import { sealContext } from '../model/work-keys.ts';
import { decodeFrozen, unionOf } from '../model/frozen-set.ts';
import { extraColumns, keyCollector, layoutOf, type ExtraColumns } from './layout.ts';
import { unpackRows, type PackedRows } from './part-rows.ts';
import { open } from './sealed-frames.ts';

/** Where the parts of a job are, and the key that opens them. */
export interface PartSource {
  readonly work: Pick<ObjectStore, 'get' | 'read'>;
  readonly dataKey: Uint8Array;
  readonly ref: JobRef;
}

/** Small objects read at once. */
const READS_AHEAD = 16;

const keyList = v.array(v.string());

/** The columns of `extra_data`, from the keys in the parts. */
export const columnsOf = async (
  { work, dataKey, ref }: PartSource,
  definition: ExportDefinition,
  parts: readonly ExportPart[],
): Promise<ExtraColumns> => {
  const layout = layoutOf(definition);
  if (!layout.extras) return { keys: [], rest: false };
  const collector = keyCollector();
  const lists = mapAhead(parts, READS_AHEAD, async ({ shard, keys_key }) => {
    if (keys_key === null) return [];
    const sealed = await work.get(keys_key);
    if (!sealed) throw new Error('exports: the keys of a part are missing');
    const plain = await gather(open({ dataKey, context: sealContext(ref, shard, 'keys') }, [sealed]));
    return v.parse(keyList, JSON.parse(plain.toString()));
  });
  for await (const list of lists) for (const key of list) collector.add(key);
  return extraColumns(collector.smallest(), layout.header.length);
};

/** The members whom the parts leave out of changes. */
export const omittedMembers = async (
  { work, dataKey, ref }: PartSource,
  parts: readonly ExportPart[],
): Promise<readonly MemberChunk[]> => {
  let all: readonly MemberChunk[] = [];
  for (const { shard, omitted_key } of parts) {
    if (omitted_key === null) continue;
    const sealed = await work.get(omitted_key);
    if (!sealed) throw new Error('exports: the members whom a part leaves out are missing');
    const plain = await gather(open({ dataKey, context: sealContext(ref, shard, 'omitted') }, [sealed]));
    all = unionOf(all, decodeFrozen(plain));
  }
  return all;
};

/** A part, and its rows as they arrive. */
interface PartInTurn {
  readonly part: ExportPart;
  readonly batches: AsyncIterable<PackedRows>;
}

/**
 * The parts in order. Once the caller takes the rows of one, the first rows of the next are on their way: an export of 1,000
 * parts would otherwise wait 1,000 times for the first byte of an object. No more than these rows is in memory. A part
 * whose rows nobody takes begins no read.
 */
export async function* partsAhead(
  source: PartSource,
  parts: readonly ExportPart[],
  lineEnd: string,
): AsyncGenerator<PartInTurn, void> {
  const reads: { current?: Opened | undefined; next?: Opened | undefined } = {};
  async function* batchesOf(part: ExportPart, follower: ExportPart | undefined) {
    const { rows, first } = (reads.current = reads.next ?? opens(source, part, lineEnd));
    reads.next = follower && opens(source, follower, lineEnd);
    const { done, value } = await first;
    if (done === true) return;
    yield value;
    yield* rows;
  }
  try {
    for (const [index, part] of parts.entries()) yield { part, batches: batchesOf(part, parts[index + 1]) };
  } finally {
    // A caller that stops early leaves two streams.
    await reads.current?.rows.return();
    await reads.next?.rows.return();
  }
}

/** The rows of a part, the first of which is asked for. */
interface Opened {
  readonly rows: AsyncGenerator<PackedRows, void>;
  readonly first: ReturnType<AsyncGenerator<PackedRows, void>['next']>;
}

const opens = (source: PartSource, part: ExportPart, lineEnd: string): Opened => {
  const rows = rowsOf(source, part, lineEnd);
  const first = rows.next();
  // A read that fails early is thrown in its turn, not as an unhandled rejection.
  first.catch(() => undefined);
  return { rows, first };
};

/** The rows of a part in order. Throws when the part has another number of rows than its item says. */
async function* rowsOf(
  { work, dataKey, ref }: PartSource,
  { shard, key, etag, rows }: ExportPart,
  lineEnd: string,
): AsyncGenerator<PackedRows, void> {
  const sealed = work.read(key, { etag });
  let count = 0;
  const opened = open({ dataKey, context: sealContext(ref, shard, 'rows') }, sealed);
  for await (const batch of unpackRows(opened, lineEnd)) {
    count += batch.count;
    yield batch;
  }
  if (count !== rows) throw new Error('exports: a part does not hold the rows it says');
}
