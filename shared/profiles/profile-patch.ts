import type { Consent } from './consent.ts';
import type { AttributeName } from './fields.ts';
import type { ExtraValue, Identity, Tag, Tier } from './types.ts';

/** The changes that a record makes to a profile, validated and normalised. Absent: unchanged. `null`: cleared. */
export interface ProfilePatch {
  /** Trust of all values except the identities, which are always stated. */
  readonly tier: Tier;
  /** At least one, strongest first. */
  readonly identities: readonly Identity[];
  readonly attributes: Readonly<Partial<Record<AttributeName, string | number | null>>>;
  /** Pairs in the order sent. A pair with `null` clears its key; `null` for the whole field clears every key. */
  readonly extra?: readonly (readonly [string, ExtraValue | null])[] | null;
  readonly tags?: readonly Tag[] | null;
  /** The tags have no time of their own, but that of the arrival of their file. */
  readonly tagsArrived?: boolean;
  /** Tags to be removed. Tags of the same record stay. */
  readonly removedTags?: readonly RemovedTag[];
  /** The tags replace all older tags of the same source. */
  readonly replacesTags?: true;
  /** Page identifiers. */
  readonly likes?: readonly string[] | null;
  /** Source labels. */
  readonly labels?: readonly string[] | null;
  /** Statements of consent. `contributionOf` dates the statements that have no `datetime`. */
  readonly consent?: readonly SentConsent[];
  /** For the enricher; never stored, returned or logged. */
  readonly socialToken?: string;
}

/** A tag to be removed: with any datetime, or with this one. */
export interface RemovedTag {
  readonly tag: string;
  readonly datetime: string | undefined;
}

/** A statement of consent in a record. */
export interface SentConsent extends Omit<Consent, 'datetime'> {
  readonly datetime: string | undefined;
}
