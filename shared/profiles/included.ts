import { currentAge } from './age.ts';
import { shownStatement } from './consent.ts';
import type { Include, PageInclude } from './include-schema.ts';
import type { ResolvedProfile } from './types.ts';

/** A segment as a lookup shows it. */
export interface ShownSegment {
  readonly id: number;
  readonly type: string;
  readonly name: string;
}

/** Port: the segments of a profile at a time (epoch milliseconds). */
export type SegmentsOf = (
  property: number,
  profile: ResolvedProfile,
  now: number,
) => Promise<readonly ShownSegment[]>;

/** The values of a profile that `include` names, each under its own name, at the time of the request. */
export const includedIn = (
  profile: ResolvedProfile,
  { segments, now }: { readonly segments: readonly ShownSegment[]; readonly now: number },
  include: ReadonlySet<Include>,
): Readonly<Partial<Record<Include, unknown>>> => {
  const { age, country, tags, likes, sources, extra, consent } = profile;
  const all: Readonly<Record<Include, unknown>> = {
    age,
    current_age: currentAge(profile, now),
    country,
    tags,
    social_likes: likes.map((id) => ({ id })),
    sources,
    extra_data: extra,
    consent: consent.map(shownStatement),
    segments: segments.map(({ id, type, name }) => ({ id, type, name })),
  };
  return Object.fromEntries([...include].map((name) => [name, all[name]]));
};

/** The values of a profile that a page shows besides the 23 fields. */
export type IncludedValues = Readonly<Partial<Record<PageInclude, unknown>>>;
