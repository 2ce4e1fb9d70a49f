import type { IdentityKind } from '../table/keys.ts';

/**
 * When a record was accepted: 13 digits of epoch milliseconds, a dot, 9 digits of order within that millisecond (the row
 * of a file or batch). Strings compare as times do. Fixed at acceptance, so that redelivery never changes it.
 */
export type Stamp = string;

/** Trust tiers, most trusted first. The number is what is stored; the lowest one with a value is surfaced. */
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

/** Trust that no client can claim: only the operator grants it, to an import definition or an enricher. */
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

/** What stands on a profile beside its values: something the client should know although the record was taken. */
export interface Warning {
  readonly code: 'identity_conflict' | 'forgotten' | 'segment_limit';
  readonly detail: string;
  /** The field it is about, where it is about one; for the reports of imports. */
  readonly field?: string;
}

/** Why a record was refused: `field` names the attribute, `code` is stable, `message` is one sentence without the value. */
export interface Refusal {
  readonly field: string | null;
  readonly code: string;
  readonly message: string;
}

/** The 23 fields of a looked-up profile, in the order of the contract; null when unknown. */
export const returnedFields = [
  'last_name',
  'professional_id',
  'street',
  'street2',
  'city',
  'state',
  'zipcode',
  'education_level',
  'home_owner_status',
  'ethnicity',
  'first_name',
  'full_name',
  'social_id',
  'home_value',
  'has_children',
  'phone_number',
  'birthday',
  'gender',
  'marital_status',
  'email',
  'household_income',
  'profile_uuid',
  'unique_id',
] as const;
type ReturnedField = (typeof returnedFields)[number];
/** A profile as the API shows it. */
export type ReturnedProfile = Readonly<Record<ReturnedField, string | null>>;

/** A value of `extra_data`: a JSON scalar or an array of scalars. */
export type ExtraValue = string | number | boolean | readonly (string | number | boolean | null)[];

/** A tag with the moment it was given (`YYYY-MM-DD HH:MM:SS`, UTC). */
export interface Tag {
  readonly tag: string;
  readonly datetime: string;
}

/** A profile as it surfaces after trust and time are applied: what segments, lookups and exports are made from. */
export interface SurfacedProfile {
  readonly ordinal: number;
  /** The returned fields but for `profile_uuid`, which is the sealed ordinal. */
  readonly fields: Readonly<Record<Exclude<ReturnedField, 'profile_uuid'>, string | null>>;
  readonly country: string | null;
  readonly age: number | null;
  readonly sources: readonly string[];
  readonly tags: readonly Tag[];
  /** Page identifiers. */
  readonly likes: readonly string[];
  readonly extra: Readonly<Record<string, ExtraValue>>;
  /** Epoch milliseconds of the storing write. */
  readonly updatedAt: number;
}

/**
 * What became of a record. A refused one left its profile as it was; one of somebody who was forgotten after it was
 * accepted left nothing.
 */
export type RecordOutcome =
  | {
      readonly kind: 'created' | 'updated';
      readonly ordinal: number;
      /** Of its values, as they were stored. */
      readonly stamp: Stamp;
      readonly warnings: readonly Warning[];
    }
  | { readonly kind: 'forgotten'; readonly warnings: readonly Warning[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };
