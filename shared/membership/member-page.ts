/**
 * Member pages: stable pagination over the members of an expression, forward and backward, bounded in bytes and
 * queries.
 */
import type { Table } from '../table/table.ts';
import { membersBefore, membersFrom, WalkBudget } from './walk-members.ts';
import type { MembersOf } from './expression-plan.ts';
import { limits } from '../config/limits.ts';
import { bytesInAnswer } from '../http/fitting.ts';
import type { PageInclude } from '../profiles/include-schema.ts';
import { includedIn, type IncludedValues } from '../profiles/included.ts';
import type { ReadProfiles, ShownProfile } from '../profiles/profile-repository.ts';
import type { ResolvedProfile } from '../profiles/types.ts';
import { workBudget, type WorkBudget } from '../runtime/work-budget.ts';

/** Profiles read at once while their size is unknown. */
const STEP = 256;

/** What a page keeps of a profile: the fields, and what the request asks for besides, with its bytes in the answer. */
export interface KeptProfile extends ShownProfile {
  readonly included: IncludedValues;
  readonly includedBytes: number;
}

export interface MemberPageDeps<Shown> {
  readonly table: Table;
  readonly readProfiles: ReadProfiles;
  /** The views of profiles in their order, each with its size in bytes. */
  readonly show: (
    profiles: readonly KeptProfile[],
  ) => readonly { readonly shown: Shown; readonly bytes: number }[];
}

/**
 * The position of a page: it begins with the first member at or above `from`. With `before`, it ends with the last
 * member below that ordinal. `queries` bounds each of the three walks of a page (over the page, and to the page on
 * either side).
 */
export interface MemberPageRequest {
  readonly from: number;
  readonly before?: number | undefined;
  readonly limit: number;
  readonly bytes: number;
  readonly queries: number;
  /** The time of the request (epoch milliseconds), at which people have their ages. */
  readonly now: number;
  /** What to keep of each profile besides its fields. */
  readonly include?: ReadonlySet<PageInclude> | undefined;
}

/**
 * A page of members in order of ordinal, and the ordinals where its neighbours begin. The search for a neighbour ends
 * when its budget of queries is spent. The neighbour then begins at the ordinal where the search stopped, and may be
 * empty.
 */
export interface MemberPage<Shown> {
  readonly profiles: readonly Shown[];
  /** The first member after the page. */
  readonly next?: number;
  /** The first member of the previous page, and the end of that page. */
  readonly previous?: { readonly from: number; readonly before: number };
}

/**
 * Reads a page of members. Pages follow each other without a gap or an overlap, in both directions, although members
 * join and leave: a page forward starts where the page before it ended, and a page backward ends where the page after
 * it began. So the reader fills a page with `before` from its end, and leaves the members that do not fit to the
 * previous page. A page also ends when its budget of queries is spent, and when its profiles, of which it shows a part,
 * are too large together (`limits.work.pageProfiles`).
 */
export const readMemberPage = async <Shown>(
  deps: MemberPageDeps<Shown>,
  members: MembersOf,
  wanted: MemberPageRequest,
): Promise<MemberPage<Shown>> => {
  const { from, before } = wanted;
  const budget = new WalkBudget(wanted.queries);
  const walk =
    before === undefined
      ? membersFrom(deps.table, members, from, budget)
      : membersBefore(deps.table, members, { from, before }, budget);
  // The neighbours that do not depend on the page are searched beside it.
  const [filled, after, priorToFrom] = await Promise.all([
    fill(deps, members.property, walk, wanted),
    before === undefined ? undefined : nextFrom(deps.table, members, before, wanted),
    before === undefined ? startOfPrevious(deps.table, members, from, wanted) : undefined,
  ]);
  const next = before === undefined ? (filled.rest ?? budget.stoppedAt) : after;
  const start = startOf(wanted, filled, budget);
  const previous =
    before === undefined ? priorToFrom : await startOfPrevious(deps.table, members, start, wanted);
  return {
    profiles: before === undefined ? filled.profiles : filled.profiles.toReversed(),
    ...(next === undefined ? {} : { next }),
    ...(previous === undefined ? {} : { previous: { from: previous, before: start } }),
  };
};

interface Filled<Shown> {
  readonly profiles: readonly Shown[];
  /** The last member of the walk. */
  readonly last: number | undefined;
  /** The first member that did not fit. */
  readonly rest: number | undefined;
}

/** The begin of a page. All ordinals below belong to the previous page, even if members are added there. */
const startOf = (
  { from, before }: MemberPageRequest,
  { last, rest }: Filled<unknown>,
  { stoppedAt }: WalkBudget,
): number => {
  if (before === undefined) return from;
  return rest === undefined ? (stoppedAt ?? Math.min(from, before)) : (last ?? before);
};

/**
 * Takes members in the order of the walk until the page is full by number, bytes or work. One member always fits. While
 * profiles are read, the walk goes on to the members behind them, so that a page waits for few reads in sequence.
 */
const fill = async <Shown>(
  { readProfiles, show }: MemberPageDeps<Shown>,
  property: number,
  walk: AsyncGenerator<number>,
  { limit, bytes, now, include = new Set() }: MemberPageRequest,
): Promise<Filled<Shown>> => {
  const profiles: Shown[] = [];
  const work = workBudget(limits.work.pageProfiles);
  let used = 0;
  let last: number | undefined;
  let waiting = await take(walk, Math.min(limit, STEP));
  while (profiles.length < limit && waiting.length > 0) {
    const ordinals = waiting.slice(
      0,
      sizeOfStep(limit - profiles.length, bytes - used, used / profiles.length),
    );
    const known = waiting.slice(ordinals.length);
    const missing = limit - profiles.length - waiting.length + 1;
    const [{ found, whole }, ahead] = await Promise.all([
      readKept(readProfiles, property, { ordinals, work, now, include, bytes: bytes - used }),
      take(walk, Math.max(missing, 0)),
    ]);
    const views = show(found);
    const viewOf = new Map(found.map(({ ordinal }, index) => [ordinal, views[index]]));
    const read = whole ? ordinals : ordinals.slice(0, ordinals.indexOf(found.at(-1)?.ordinal ?? NaN) + 1);
    for (const ordinal of read) {
      // A member without a profile was just forgotten; the index clears its bit next.
      const one = viewOf.get(ordinal);
      if (one && used > 0 && used + one.bytes > bytes) return { profiles, last, rest: ordinal };
      if (one) profiles.push(one.shown);
      used += one?.bytes ?? 0;
      last = ordinal;
    }
    if (read.length < ordinals.length) return { profiles, last, rest: ordinals[read.length] };
    waiting = [...known, ...ahead];
  }
  return { profiles, last, rest: waiting[0] };
};

/** Profiles to read, and how far: until the work is done, or what is included fills more than the rest of the page. */
interface Reading {
  readonly ordinals: readonly number[];
  readonly work: WorkBudget;
  readonly now: number;
  readonly include: ReadonlySet<PageInclude>;
  readonly bytes: number;
}

/** What a page keeps of the profiles at these ordinals, and whether it got to their end. */
const readKept = async (
  readProfiles: ReadProfiles,
  property: number,
  { ordinals, work, now, include, bytes }: Reading,
): Promise<{ readonly found: readonly KeptProfile[]; readonly whole: boolean }> => {
  const found: KeptProfile[] = [];
  let left = bytes;
  for await (const profile of readProfiles(property, ordinals, work)) {
    const kept = keptOf(profile, now, include);
    found.push(kept);
    left -= kept.includedBytes;
    // The values of a step of large profiles would not fit into the memory of a function.
    if (left < 0) return { found, whole: false };
  }
  return { found, whole: work.take(0) };
};

const keptOf = (profile: ResolvedProfile, now: number, include: ReadonlySet<PageInclude>): KeptProfile => {
  const { ordinal, fields } = profile;
  if (include.size === 0) return { ordinal, fields, included: {}, includedBytes: 0 };
  const included = includedIn(profile, { segments: [], now }, include);
  return { ordinal, fields, included, includedBytes: bytesInAnswer(included) };
};

/**
 * Profiles of the next read: the rest of the page if profiles of the average size so far fill no more than the page,
 * otherwise a few, which bounds the reads of profiles that the page does not show.
 */
const sizeOfStep = (left: number, bytesLeft: number, average: number): number =>
  left * average <= bytesLeft ? left : Math.min(left, STEP);

/** The next ordinals of a walk; fewer at its end. */
const take = async (walk: AsyncGenerator<number>, count: number): Promise<readonly number[]> => {
  const taken: number[] = [];
  while (taken.length < count) {
    const step = await walk.next();
    if (step.done === true) break;
    taken.push(step.value);
  }
  return taken;
};

/** The first member from an ordinal on, or the ordinal where the search stopped. */
const nextFrom = async (
  table: Table,
  members: MembersOf,
  from: number,
  { queries }: MemberPageRequest,
): Promise<number | undefined> => {
  const budget = new WalkBudget(queries);
  const [next] = await take(membersFrom(table, members, from, budget), 1);
  return next ?? budget.stoppedAt;
};

/** The first member of the page that ends before an ordinal, or the ordinal where the search stopped. */
const startOfPrevious = async (
  table: Table,
  members: MembersOf,
  before: number,
  { limit, queries }: MemberPageRequest,
): Promise<number | undefined> => {
  const budget = new WalkBudget(queries);
  const found = await take(membersBefore(table, members, { before }, budget), limit);
  return budget.stoppedAt ?? found.at(-1);
};
