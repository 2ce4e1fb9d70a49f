/** Types of the profile model: timestamps, trust tiers, identities, resolved values and record outcomes. */
import type { FaultCode } from '../http/fault-codes.ts';
import type { RecordWarningCode, RowCode } from '../http/row-codes.ts';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import type { IdentityKind } from '../table/keys.ts';
import type { Consent } from './consent.ts';
import type { ResolvedField, ReturnedField } from './fields.ts';

/** Trust tiers, most trusted first. The number is stored; the lowest tier with a value wins. */
export const tiers = {
  stated: 1,
  professional_network: 2,
  social_network: 3,
  third_party: 4,
  provider_1: 5,
  provider_2: 6,
  provider_3: 7,
} as const;
export type TierName = keyof typeof tiers;
export type Tier = (typeof tiers)[TierName];

/** The name of each tier. */
export const tierNames: { readonly [Name in TierName as (typeof tiers)[Name]]: Name } = {
  1: 'stated',
  2: 'professional_network',
  3: 'social_network',
  4: 'third_party',
  5: 'provider_1',
  6: 'provider_2',
  7: 'provider_3',
};

/** Tiers that no client can claim. Only the operator grants them, to an import definition or an enricher. */
export const grantedTiers = [
  'professional_network',
  'social_network',
  'provider_1',
  'provider_2',
  'provider_3',
] as const satisfies readonly TierName[];
export type GrantedTier = (typeof grantedTiers)[number];

/** One identity of a record or profile: its kind and normalised value. */
export interface Identity {
  readonly kind: IdentityKind;
  readonly value: string;
}

/** A notice about an accepted record that the client should know. */
export interface Warning {
  readonly code: RecordWarningCode;
  readonly detail: string;
  /** The field concerned, if there is one; for the reports of imports. */
  readonly field?: string;
}

/** The reason of a refusal: `field` names the attribute, `message` is one sentence without the value. */
export interface Refusal<Code extends RowCode = RowCode> {
  readonly field: string | null;
  readonly code: Code;
  readonly message: string;
}

/** The reason why a record was not stored. */
export type RecordRefusal = Refusal<FaultCode>;

/** A profile as the API shows it. */
export type ProfileView = Readonly<Record<ReturnedField, string | null>>;

/** A value of `extra_data`: a JSON scalar or an array of scalars. */
export type ExtraValue = string | number | boolean | readonly (string | number | boolean | null)[];

/** A tag with its time (`YYYY-MM-DD HH:MM:SS`, UTC). */
export interface Tag {
  readonly tag: string;
  readonly datetime: string;
}

/** When a profile was stored, in epoch milliseconds. */
export interface StoredTimes {
  /** Of the write that stored it first. Null for profiles of releases that did not keep it. */
  readonly created: number | null;
  /** Of the write that stored it last. A restriction is no renewal of it. */
  readonly updatedAt: number;
}

/** A profile with its values resolved by trust and time. Segments, lookups and exports read this form. */
export interface ResolvedProfile extends StoredTimes {
  readonly ordinal: number;
  readonly fields: Readonly<Record<ResolvedField, string | null>>;
  readonly country: string | null;
  readonly age: number | null;
  readonly sources: readonly string[];
  readonly tags: readonly Tag[];
  /** Page identifiers. */
  readonly likes: readonly string[];
  /** The statement that counts on each channel, by channel. */
  readonly consent: readonly Consent[];
  /** Whether the person objects to every use: then the person is in no segment and no export. */
  readonly restricted: boolean;
  /** Whether the property does not use the special categories of the person: then they make no segments. */
  readonly withoutSpecial: boolean;
  readonly extra: Readonly<Record<string, ExtraValue>>;
  /** The identities that newer ones of their kinds have replaced. Lookups find the profile by them still. */
  readonly former: readonly Identity[];
  /** Epoch milliseconds since which the profile is used as it is: of that write, or of a later restriction or its end. */
  readonly usedSince: number;
}

/**
 * The outcome of a record. A refused record leaves its profile unchanged. A record of a person who was
 * forgotten after its acceptance stores nothing.
 */
export type RecordOutcome =
  | {
      readonly kind: 'created' | 'updated';
      readonly ordinal: number;
      /** Timestamp of its values, as stored. */
      readonly stamp: HybridTimestamp;
      readonly warnings: readonly Warning[];
    }
  | { readonly kind: 'forgotten'; readonly warnings: readonly Warning[] }
  | { readonly kind: 'refused'; readonly refusal: RecordRefusal };
