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
import { profileView, type ProfileRepository } from './profile-repository.ts';
import { sealOrdinal } from './profile-uuid.ts';
import { objectionView, type Objection } from './objections.ts';
import { provenanceOf } from './provenance.ts';
import { identitiesOf } from './resolve-profile.ts';
import type { Identity, StoredTimes } from './types.ts';
import { includes, type LookupQuery } from './schemas.ts';

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
 * stored, and the answer is 303 to an address that is valid for `limits.profiles.accessFileSeconds`. 404 when there is no
 * such person.
 */
export const accessRequest: UseCase<AccessRequestDeps, LookupQuery> = async (
  { scopeOf, profiles, segmentsOf, momentsOf, formerOf, objectionsOf, disclosuresOf, work },
  { property, query, now, requestId, announce },
) => {
  const scope = await scopeOf(property.id);
  const found = await findProfile(profiles, scope, query, announce);
  if (!found) return err(nobodyFound(property, query));
  const { profile, state } = found;
  const profile_uuid = sealOrdinal(scope.keys.uuid, profile.ordinal);
  const [segments, moments, objections, former, disclosures] = await Promise.all([
    segmentsOf(property.id, profile, now),
    momentsOf(property.id, profile.ordinal),
    objectionsOf(scope, identitiesOf(state)),
    formerOf(property.id, profile.ordinal),
    disclosuresOf(property.id, profile.ordinal, now),
  ]);
  const body = {
    property: property.id,
    created: isoTime(now),
    stored: storedTimes(profile),
    profile: profileView(profile, profile_uuid),
    ...includedIn(profile, segments, new Set(includes)),
    provenance: provenanceOf(state),
    moments: moments.map(({ segment, timeline }) => ({ segment, timeline })),
    objections: objections.map(objectionView),
    former,
    disclosures,
  };
  const audited = { profile_uuid };
  const fileName = fileNameOf(profile_uuid);
  if (bytesInAnswer(body) <= limits.profiles.accessAnswerBytes) {
    const headers = { 'content-disposition': `attachment; filename="${fileName}"` };
    return ok({ status: 200, audited, body, headers });
  }
  const key = `${folderOf('access-requests', property.id)}${requestId}.json`;
  await work.put(key, Buffer.from(JSON.stringify(body)));
  const location = await work.presignGet(key, { seconds: limits.profiles.accessFileSeconds, fileName });
  return ok({ status: 303, audited, headers: { location, 'referrer-policy': 'no-referrer' } });
};
