/** The segments of the property with their sizes: the largest 2,000, and those too new to be measured. */
import { TidemarkProblem } from '../../../../client/src/problem.ts';
import type { Tidemark } from '../../../../client/src/tidemark.ts';
import type { Answer, Item } from '../../../../client/src/types.ts';
import type { Texts } from '../../texts/en.ts';
import { nameOf } from '../../segment-name.ts';
import type { Where } from './where-words.ts';

/** A segment with its size. */
export type Sized = Answer<'listSegmentSizes'>['segments'][number];

/** The type of a segment. */
export type SegmentType = Item<'findSegments'>['type'];

/** What has a name and a type. */
export interface Named {
  readonly name: string;
  readonly type: SegmentType;
  /** The rule of a condition. */
  readonly where?: Where;
}

/** A segment as its own route shows it. */
export type Segment = Answer<'getSegment'>;

/** The largest segments. `more` is whether there are more of them than the page takes. */
export interface Catalogue {
  readonly segments: readonly Sized[];
  readonly asOf: string | null;
  readonly more: boolean;
}

const MOST = 2_000;
const PAGE = 1_000;

/** Loads the sizes, the largest first. Throws as a call does. */
export const loadCatalogue = async (api: Tidemark, signal: AbortSignal): Promise<Catalogue> => {
  const segments: Sized[] = [];
  let asOf: string | null = null;
  let more = false;
  for await (const page of api.listSegmentSizes({ query: { limit: PAGE }, signal }).pages()) {
    segments.push(...page.segments);
    asOf = page.as_of;
    more = page.paging.next_page !== null;
    if (segments.length >= MOST) break;
  }
  return { segments: segments.slice(0, MOST), asOf, more: more || segments.length > MOST };
};

/** The segment of an id; `undefined` if it was deleted. Throws as a call does. */
const segmentIfThere = (api: Tidemark, id: number, signal: AbortSignal): Promise<Segment | undefined> =>
  api.getSegment({ path: { segment_id: id }, signal }).catch((problem: unknown) => {
    if (problem instanceof TidemarkProblem && problem.status === 404) return undefined;
    throw problem;
  });

/** The segments behind ids. A deleted one is left out. Throws as a call does. */
export const loadNamed = async (
  api: Tidemark,
  ids: readonly number[],
  known: ReadonlyMap<number, Named>,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Named>> => {
  const found = new Map<number, Named>();
  for (const id of ids) {
    const named = known.get(id) ?? (await segmentIfThere(api, id, signal));
    if (named) found.set(id, named);
  }
  return found;
};

/** Segments that were just made are not measured yet. At most so many of a type are asked for one by one. */
const NEW = 20;

/**
 * The segments of users that the sizes lack: conditions in preparation, and what was made since the last measurement. Throws as
 * a call does.
 */
export const loadUnmeasured = async (
  api: Tidemark,
  known: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<readonly Segment[]> => {
  const found: Segment[] = [];
  for (const type of ['condition', 'custom'] as const) {
    const newest = await api.findSegments({ query: { type, order: 'newest', limit: 200 }, signal });
    const missing = newest.filter(({ id }) => !known.has(id)).slice(0, NEW);
    for (const { id } of missing) {
      const segment = await segmentIfThere(api, id, signal);
      if (segment) found.push(segment);
    }
  }
  return found;
};

/** Whether a condition is still being prepared. */
export const isPreparing = (segment: Pick<Segment, 'ready'>): boolean => segment.ready === false;

/** The segments as they are now: those in preparation are asked for once more. Throws as a call does. */
export const followPreparing = async (
  api: Tidemark,
  segments: readonly Segment[],
  signal: AbortSignal,
): Promise<readonly Segment[]> => {
  const now = await Promise.all(
    segments.map(async (segment) =>
      isPreparing(segment) ? await segmentIfThere(api, segment.id, signal) : segment,
    ),
  );
  return now.flatMap((segment) => segment ?? []);
};

/** A segment in a list: its size is null while its condition is being prepared. */
export type Listed = Pick<Segment, 'id' | 'name' | 'type' | 'count' | 'progress'>;

/** Which segments a list shows. */
export interface Filter {
  readonly text: string;
  readonly type: SegmentType | '';
}

/**
 * The segments whose names have the text, as the page or as the API writes them, and whose type is wanted. Without a type,
 * moments are left out.
 */
export const filtered = (
  segments: readonly Listed[],
  { text, type }: Filter,
  texts: Texts,
): readonly Listed[] => {
  const wanted = text.trim().toLocaleLowerCase();
  return segments.filter(
    (segment) =>
      (type === '' ? segment.type !== 'moment' : segment.type === type) &&
      (wanted === '' || `${segment.name}\n${nameOf(segment, texts)}`.toLocaleLowerCase().includes(wanted)),
  );
};
