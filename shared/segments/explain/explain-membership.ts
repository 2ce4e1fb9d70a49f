/** Explain membership: the use case that tells whether a profile is in a segment, and why. */
import type { DerivationSource } from '../../catalogue/derivation.ts';
import type { UseCase } from '../../http/api-types.ts';
import { nobodyFound, notFound } from '../../http/not-found.ts';
import { provenanceOf } from '../../profiles/provenance.ts';
import type { ProfileRepository } from '../../profiles/profile-repository.ts';
import type { PropertyScope } from '../../properties/scope.ts';
import { openUuid, sealOrdinal } from '../../profiles/profile-uuid.ts';
import { isoTime } from '../../runtime/clock.ts';
import { err, ok } from '../../runtime/result.ts';
import type { Table } from '../../table/table.ts';
import type { SegmentCatalogue } from '../../catalogue/catalogue.ts';
import { idsIn } from '../../catalogue/definition.ts';
import { segmentsOf } from '../../catalogue/derive.ts';
import { everyoneOf } from '../../catalogue/identity.ts';
import { segmentsHolding } from '../../membership/moments.ts';
import type { Segment } from '../../catalogue/types.ts';
import { evidenceIndex } from './evidence.ts';
import { findSegment, type FindSegmentDeps } from './find-segment.ts';
import type { ExplainQuery } from './schemas.ts';
import { isPending, explainCondition, type Known } from './conditions.ts';

export interface ExplainDeps extends FindSegmentDeps {
  readonly derivations: DerivationSource;
  readonly table: Table;
  readonly catalogue: FindSegmentDeps['catalogue'] & Pick<SegmentCatalogue, 'getMany'>;
  readonly profiles: Pick<ProfileRepository, 'findByOrdinal' | 'readWithState'>;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
}

/**
 * Whether a profile is in a segment, and why. The verdict comes from the index, so it agrees with pages; the values are
 * the present values of the profile. 404 for a segment or profile that the property does not have: forged, foreign or
 * forgotten. The refusals of names are those of `findSegment`.
 */
export const explainMembership: UseCase<ExplainDeps, ExplainQuery> = async (deps, request) => {
  const { property, path, now } = request;
  const found = await findSegment(deps, request);
  if (!found.ok) return found;
  const segment = found.value;
  const scope = await deps.scopeOf(property.id);
  const named = openUuid(scope.keys.uuid, path['profile_uuid'] ?? '');
  if (named !== undefined)
    request.announce?.({ profile_uuid: sealOrdinal(scope.keys.uuid, named), segment_id: segment.id });
  const profile = named === undefined ? undefined : await deps.profiles.findByOrdinal(property.id, named);
  if (!profile) return err(nobodyFound(property, { profile_uuid: path['profile_uuid'] }));
  const { ordinal } = profile;
  const segments = await segmentsNamed(deps.catalogue, property.id, segment);
  const known = await readSettled(deps, { property: property.id, ordinal, now, segments });
  if (!known) return err(notFound('segment', { property, path }));
  const why = explainCondition(known, segment);
  const profile_uuid = sealOrdinal(scope.keys.uuid, ordinal);
  return ok({
    status: 200,
    audited: { profile_uuid, segment_id: segment.id },
    body: {
      profile_uuid,
      segment: { id: segment.id, name: segment.name, type: segment.type },
      member: why.holds,
      pending: isBehind(known),
      as_of: isoTime(now),
      why,
    },
  });
};

interface Asked extends Pick<Known, 'property' | 'segments'> {
  readonly ordinal: number;
  readonly now: number;
}

/**
 * A segment, all segments in its definition, and `everyone`, the base of every `not`, by id. Deleted segments are
 * absent; the expanded definition contains their members.
 */
const segmentsNamed = async (
  catalogue: ExplainDeps['catalogue'],
  property: number,
  segment: Segment,
): Promise<ReadonlyMap<number, Segment>> => {
  const everyone = everyoneOf(property);
  const found = new Map([segment, everyone].map((one) => [one.id, one]));
  for (let fresh: readonly Segment[] = [segment]; fresh.length > 0;) {
    const named = fresh.flatMap(({ custom }) =>
      custom ? [...idsIn(custom.definition), ...idsIn(custom.members)] : [],
    );
    const unseen = new Set(named.map(({ id }) => id).filter((id) => !found.has(id)));
    fresh = [...(await catalogue.getMany(property, [...unseen])).values()];
    for (const one of fresh) found.set(one.id, one);
  }
  return found;
};

/** Reads the index and the profile; once more if they differ, because a write may have come in between. */
const readSettled = async (deps: ExplainDeps, asked: Asked): Promise<Known | undefined> => {
  const first = await look(deps, asked);
  return first && isBehind(first) ? look(deps, asked) : first;
};

const isBehind = (known: Known): boolean =>
  [...known.segments.values()].some((segment) => isPending(known, segment));

const look = async (
  { table, profiles, derivations }: ExplainDeps,
  { property, ordinal, now, segments }: Asked,
): Promise<Known | undefined> => {
  const leaves = [...segments.values()]
    .filter(({ custom }) => custom === undefined)
    .flatMap(({ id, retired }) => (retired?.mergedInto === undefined ? [id] : [id, retired.mergedInto]));
  const held = new Set(await segmentsHolding(table, property, ordinal, leaves));
  const whole = await profiles.readWithState(property, ordinal);
  if (!whole) return undefined;
  const deciding = { now, derivation: (await derivations.of(property)).at(now) };
  return {
    property,
    segments,
    holds: (segment) => held.has(segment) || held.has(segments.get(segment)?.retired?.mergedInto ?? segment),
    derived: segmentsOf(whole.profile, now, deciding.derivation),
    evidence: evidenceIndex(whole.profile, provenanceOf(whole.state), deciding),
  };
};
