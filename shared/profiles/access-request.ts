/** Access request: everything that the service knows of one person, as one file (GDPR, article 15). */
import { limits } from '../config/limits.ts';
import { bytesInAnswer } from '../http/fitting.ts';
import type { UseCase } from '../http/api-types.ts';
import { nobodyFound } from '../http/not-found.ts';
import { folderOf } from '../properties/folders.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { isoTime } from '../runtime/clock.ts';
import type { ObjectStore } from '../runtime/ports.ts';
import { err, ok } from '../runtime/result.ts';
import type { DisclosuresOf } from './disclosures.ts';
import type { FormerValuesOf } from './former-values.ts';
import { findProfile } from './find-profile.ts';
import { includedIn, type SegmentsOf } from './included.ts';
import { profileView, type FoundProfile, type ProfileRepository } from './profile-repository.ts';
import { sealOrdinal } from './profile-uuid.ts';
import { objectionView, type Objection } from './objections.ts';
import { provenanceOf } from './provenance.ts';
import { identitiesOf } from './resolve-profile.ts';
import type { Identity, StoredTimes } from './types.ts';
import { includes } from './include-schema.ts';
import type { AccessQuery } from './schemas.ts';

export interface AccessRequestDeps {
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly profiles: ProfileRepository;
  readonly segmentsOf: SegmentsOf;
  /** The moments of timelines with the person at an ordinal. */
  readonly momentsOf: (
    property: number,
    ordinal: number,
  ) => Promise<readonly { readonly segment: number; readonly timeline: number }[]>;
  readonly formerOf: FormerValuesOf;
  /** The objections of some identities. */
  readonly objectionsOf: (
    scope: PropertyScope,
    identities: readonly Identity[],
  ) => Promise<readonly Objection[]>;
  readonly disclosuresOf: DisclosuresOf;
  readonly work: Pick<ObjectStore, 'put' | 'presignGet'>;
}

const storedTimes = ({ created, updatedAt }: StoredTimes) => ({
  first: created === null ? null : isoTime(created),
  last: isoTime(updatedAt),
});

const fileNameOf = (uuid: string): string => `access-request-${uuid}.json`;

/**
 * `GET profile/access-request`: the profile with all values, the source of each value, every identity, the segments and
 * the moments of one person, objections, and who may have got the data, as a file. A file too large for one answer is
 * stored, and the answer is 303 to an address that is valid for `limits.profiles.accessFileSeconds`, or has this address with
 * `redirect=false`. With `only=disclosures` the answer is who may have got the data. 404 when there is no such person.
 */
export const accessRequest: UseCase<AccessRequestDeps, AccessQuery> = async (deps, request) => {
  const { property, now, requestId, announce } = request;
  const { only, redirect, ...query } = request.query;
  const scope = await deps.scopeOf(property.id);
  const part = only === undefined ? {} : { shown: only };
  const found = await findProfile(deps.profiles, scope, query, (who) => announce?.({ ...who, ...part }));
  if (!found) return err(nobodyFound(property, query));
  const { ordinal } = found.profile;
  const profile_uuid = sealOrdinal(scope.keys.uuid, ordinal);
  const audited = { profile_uuid, ...part };
  if (only === 'disclosures') {
    const disclosures = await deps.disclosuresOf(property.id, ordinal, now);
    return ok({ status: 200, audited, body: { disclosures } });
  }
  const body = await everythingOf(deps, { scope, found, profile_uuid, now });
  const fileName = fileNameOf(profile_uuid);
  if (bytesInAnswer(body) <= limits.profiles.accessAnswerBytes) {
    const headers = { 'content-disposition': `attachment; filename="${fileName}"` };
    return ok({ status: 200, audited, body, headers });
  }
  const key = `${folderOf('access-requests', property.id)}${requestId}.json`;
  await deps.work.put(key, Buffer.from(JSON.stringify(body)));
  const seconds = limits.profiles.accessFileSeconds;
  const location = await deps.work.presignGet(key, { seconds, fileName });
  if (redirect) return ok({ status: 303, audited, headers: { location, 'referrer-policy': 'no-referrer' } });
  return ok({ status: 200, audited, body: { location, expires: isoTime(now + seconds * 1_000) } });
};

/** A person who was found, for the file about them. */
interface Subject {
  readonly scope: PropertyScope;
  readonly found: FoundProfile;
  readonly profile_uuid: string;
  readonly now: number;
}

/** The file about a person. */
const everythingOf = async (
  { segmentsOf, momentsOf, formerOf, objectionsOf, disclosuresOf }: AccessRequestDeps,
  { scope, found: { profile, state }, profile_uuid, now }: Subject,
) => {
  const { id: property } = scope;
  const { ordinal } = profile;
  const [segments, moments, objections, former, disclosures] = await Promise.all([
    segmentsOf(property, profile, now),
    momentsOf(property, ordinal),
    objectionsOf(scope, identitiesOf(state)),
    formerOf(property, ordinal),
    disclosuresOf(property, ordinal, now),
  ]);
  return {
    property,
    created: isoTime(now),
    stored: storedTimes(profile),
    profile: profileView(profile, profile_uuid),
    ...includedIn(profile, { segments, now }, new Set(includes)),
    provenance: provenanceOf(state),
    moments: moments.map(({ segment, timeline }) => ({ segment, timeline })),
    objections: objections.map(objectionView),
    former,
    disclosures,
  };
};
