/** Index step: the segments that one indexing step brings up to date, and the profiles that belong in them. */
import type { Clock } from '../runtime/clock.ts';
import { offsetInChunk } from '../table/keys.ts';
import { bitsOf, noBits, orInto, setBit, type Bits } from './chunk.ts';
import { conditionsByField, indexedValuesOf } from '../catalogue/derive.ts';
import { identityKey } from '../catalogue/identity.ts';
import type { ReadProfiles } from '../profiles/profile-repository.ts';
import type { Brands } from '../catalogue/brands.ts';
import { isHiddenId } from '../catalogue/calendars.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { identityIn, type Derivation, type Derivations } from '../catalogue/derivation.ts';
import type { IndexedIdentity, Segment, SegmentIdentity } from '../catalogue/types.ts';
import type { MembershipDeps } from './deps.ts';
import { IndexWork, ordinalsOfWorks, type ChunkWork } from './index-work.ts';
import type { ResolvedProfile } from '../profiles/types.ts';

/** The frame of an indexing step: one derivation, and all memberships that the step must bring up to date. */
export interface IndexFrame {
  readonly derivation: Derivation;
  readonly works: readonly ChunkWork[];
  /** The segments of the works by id, as that derivation names them. An unknown segment has no members. */
  readonly known: ReadonlyMap<number, IndexedIdentity & Pick<Segment, 'retired'>>;
}

/**
 * The frame of a step that begins now. While memberships of the previous version may remain, a frame also includes
 * every membership that the version change affected for these profiles. Otherwise the drainer could fix one membership
 * and lose track of the rest. Work for deleted value segments goes to the segments that replace them.
 */
export const frameOf = async (
  deps: MembershipDeps,
  property: number,
  step: readonly ChunkWork[],
): Promise<IndexFrame> => {
  const derivations = await deps.derivations.of(property);
  const now = deps.clock();
  const derivation = derivations.at(now);
  const before = derivations.previous(now);
  const versions = before && { before: before.brands, brands: derivation.brands };
  let works = versions ? await widenWork(deps, property, { step, ...versions }) : step;
  for (;;) {
    const ids = [...new Set(works.map(({ segment }) => segment))];
    const known = await segmentsKnown(deps.catalogue, property, ids, derivation);
    const isForeign = (id: number): boolean => isLeftOut(property, id, derivation, known);
    if (ids.some(isForeign)) works = works.filter(({ segment }) => !isForeign(segment));
    const unknown = ids.filter((id) => !known.has(id));
    const deleted = await deps.catalogue.deleted(property, unknown);
    if (deleted.size === 0) return { derivation, works, known };
    works = await redirectWork(deps, property, { works, deleted, derivation });
  }
};

/** The segments with these ids, those of the derivation and those of the catalogue. */
const segmentsKnown = async (
  catalogue: Pick<SegmentCatalogue, 'indexed'>,
  property: number,
  ids: readonly number[],
  derivation: Derivation,
): Promise<IndexFrame['known']> => {
  const known = new Map<number, IndexedIdentity & Pick<Segment, 'retired'>>();
  for (const id of ids) {
    const identity = identityIn(derivation, id);
    if (identity) known.set(id, identity);
  }
  const others = ids.filter((id) => !known.has(id));
  for (const [id, segment] of await catalogue.indexed(property, others, derivation.brands))
    known.set(id, segment);
  return known;
};

/**
 * Whether the work of a segment is left out: of a condition or a hidden segment that the derivation does not know yet, or
 * does not know any more. It is never written as "no member". The derivation was read after the entry was ripe. So the
 * condition is newer than the profile writes of the entry, and its filling announces these people again; or it is deleted.
 */
const isLeftOut = (
  property: number,
  id: number,
  derivation: Derivation,
  known: IndexFrame['known'],
): boolean =>
  identityIn(derivation, id) === undefined &&
  (isHiddenId(property, id) || known.get(id)?.type === 'condition' || derivation.conditions.dropped.has(id));

/** Whether the derivation of a frame is still in force. */
export const isCurrentFrame = ({ derivation }: IndexFrame, derivations: Derivations, now: number): boolean =>
  derivations.at(now) === derivation;

/** The frame of works, and their profiles by ordinal, if they are known already. */
interface MembersWanted {
  readonly frame: IndexFrame;
  readonly profiles?: ReadonlyMap<number, ResolvedProfile> | undefined;
}

/** The bitmaps to fill for one chunk of ordinals. */
interface ChunkBitmaps {
  /** By segment key, without conditions. */
  readonly byKey: ReadonlyMap<string, readonly Bits[]>;
  /** Those of conditions, by id. */
  readonly byId: ReadonlyMap<number, readonly Bits[]>;
  /** By list of conditions, which is one array for many people: the offsets of those who meet it. */
  readonly met: Map<readonly number[], number[]>;
  /** Moments: only forgotten people leave them, so every existing profile keeps its bit. */
  readonly moments: readonly Bits[];
}

/**
 * Reads the profiles of works, and returns for each work, in order, the profiles that belong in its segment. For a
 * moment these are all profiles that still exist. `profiles` are all of them, by ordinal, if they are known already.
 */
export const membersByProfiles = async (
  { readProfiles, clock }: { readonly readProfiles: ReadProfiles; readonly clock: Clock },
  property: number,
  works: readonly ChunkWork[],
  { frame, profiles }: MembersWanted,
): Promise<readonly Bits[]> => {
  const found = works.map((work) => ({ work, members: noBits() }));
  const chunks = new Map(
    [...Map.groupBy(found, ({ work }) => work.base)].map(([base, all]) => [base, bitmapsFor(all, frame)]),
  );
  const { derivation } = frame;
  const conditions = derivation.conditions.fieldsOf(new Set(works.map(({ segment }) => segment)));
  for await (const profile of profiles?.values() ?? readProfiles(property, ordinalsOfWorks(works))) {
    const offset = offsetInChunk(profile.ordinal);
    const bitmaps = chunks.get(profile.ordinal - offset);
    if (!bitmaps) continue;
    const now = clock();
    setIn(bitmaps.moments, offset);
    for (const key of indexedValuesOf(profile, now, derivation).keys()) setIn(bitmaps.byKey.get(key), offset);
    for (const ids of conditionsByField(profile, now, derivation, conditions)) {
      const offsets = bitmaps.met.get(ids);
      if (offsets) offsets.push(offset);
      else bitmaps.met.set(ids, [offset]);
    }
  }
  for (const bitmaps of chunks.values()) enterConditions(bitmaps);
  return found.map(({ members }) => members);
};

const enterConditions = ({ met, byId }: ChunkBitmaps): void => {
  for (const [ids, offsets] of met) {
    const all = bitsOf(offsets);
    for (const id of ids) for (const members of byId.get(id) ?? []) orInto(members, all);
  }
};

const setIn = (bitmaps: readonly Bits[] | undefined, offset: number): void => {
  for (const members of bitmaps ?? []) setBit(members, offset, true);
};

const bitmapsFor = (
  found: readonly { readonly work: ChunkWork; readonly members: Bits }[],
  { known }: IndexFrame,
): ChunkBitmaps => {
  const byKey = new Map<string, Bits[]>();
  const byId = new Map<number, Bits[]>();
  const moments: Bits[] = [];
  for (const { work, members } of found) {
    const segment = known.get(work.segment);
    if (!segment || segment.retired) continue;
    if (segment.type === 'moment') {
      moments.push(members);
      continue;
    }
    if (segment.type === 'condition') {
      byId.set(work.segment, [...(byId.get(work.segment) ?? []), members]);
      continue;
    }
    const key = identityKey(segment);
    byKey.set(key, [...(byKey.get(key) ?? []), members]);
  }
  return { byKey, byId, met: new Map<readonly number[], number[]>(), moments };
};

/** The work of an indexing step, and the deleted segments in it with their identities. */
interface RedirectRequest {
  readonly works: readonly ChunkWork[];
  readonly deleted: ReadonlyMap<number, SegmentIdentity>;
  readonly derivation: Derivation;
}

/**
 * Returns the work with each deleted segment replaced by the segment that has its identity now. If there is none, the
 * segment is created for profiles that belong in it. A profile that does not belong in it needs no work: whoever stores
 * it with this value again announces that.
 */
const redirectWork = async (
  { catalogue, readProfiles, clock }: MembershipDeps,
  property: number,
  { works, deleted, derivation }: RedirectRequest,
): Promise<readonly ChunkWork[]> => {
  const found = await catalogue.findIds(property, [...deleted.values()]);
  // A claim that is not freed yet leads to the deleted segment.
  const isHomeless = (identity: SegmentIdentity): boolean => {
    const id = found.get(identityKey(identity));
    return id === undefined || deleted.has(id);
  };
  const homeless = new Map([...deleted].filter(([, identity]) => isHomeless(identity)));
  const ordinals = ordinalsOfWorks(works.filter(({ segment }) => homeless.has(segment)));
  const derived = new Set<string>();
  for await (const profile of readProfiles(property, ordinals))
    for (const key of indexedValuesOf(profile, clock(), derivation).keys()) derived.add(key);
  const wanted = [...homeless].filter(([, identity]) => derived.has(identityKey(identity)));
  const created = await catalogue.recreate(
    property,
    wanted.map(([id]) => id),
  );
  // The writer of a claim that was found may not have written the items of the segment yet.
  const current = await catalogue.idsOf(
    property,
    [...deleted.values()].filter((identity) => !isHomeless(identity)),
  );
  const work = new IndexWork();
  for (const one of works) {
    const identity = deleted.get(one.segment);
    const id = identity ? (created.get(one.segment) ?? current.get(identityKey(identity))) : one.segment;
    if (id !== undefined) work.addBlock({ segments: [id], ordinals: ordinalsOfWorks([one]) });
  }
  return [...work.steps(property)].flat();
};

/** The work of an indexing step, and the versions of the catalogue before and after the change. */
interface WidenRequest {
  readonly step: readonly ChunkWork[];
  readonly before: Brands;
  readonly brands: Brands;
}

/**
 * Returns the work of the step and each membership of its profiles that the change of version affected, as chunks of work.
 */
const widenWork = async (
  { readProfiles, catalogue }: MembershipDeps,
  property: number,
  { step, before, brands }: WidenRequest,
): Promise<readonly ChunkWork[]> => {
  const work = new IndexWork();
  for (const one of step) work.addBlock({ segments: [one.segment], ordinals: ordinalsOfWorks([one]) });
  const ordinals = ordinalsOfWorks(step);
  const moved = new Map<number, ReadonlyMap<string, SegmentIdentity>>();
  for await (const profile of readProfiles(property, ordinals))
    moved.set(profile.ordinal, changedSegments(profile, before, brands));
  const identities = new Map([...moved.values()].flatMap((segments) => [...segments]));
  if (identities.size === 0) return step;
  const ids = await catalogue.findIds(property, [...identities.values()]);
  for (const [ordinal, segments] of moved) {
    for (const key of segments.keys()) {
      const id = ids.get(key);
      if (id !== undefined) work.add({ segment: id, ordinal });
    }
  }
  return [...work.steps(property)].flat();
};

/** The segments that follow from the likes of a profile by only one of two versions, by key. */
const changedSegments = (
  { likes }: ResolvedProfile,
  before: Brands,
  after: Brands,
): ReadonlyMap<string, SegmentIdentity> => {
  const left = new Map(likes.flatMap((like) => before.segmentsOf(like)));
  const entered = new Map(likes.flatMap((like) => after.segmentsOf(like)));
  return new Map([
    ...[...left].filter(([key]) => !entered.has(key)),
    ...[...entered].filter(([key]) => !left.has(key)),
  ]);
};
