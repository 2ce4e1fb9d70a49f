import type { ResolvedProfile } from '../../shared/profiles/types.ts';
import { blank, surfaced } from '../segments/profiles.ts';

/** A profile with only the given fields. */
export const profile = (
  ordinal: number,
  {
    fields,
    updatedAt = Date.parse('2026-05-05T12:00:00Z'),
    ...rest
  }: { fields?: Partial<ResolvedProfile['fields']> } & Partial<Omit<ResolvedProfile, 'fields'>> = {},
): ResolvedProfile => ({
  ...{ ...surfaced(ordinal), fields: { ...blank, ...fields } },
  ...{ updatedAt, usedSince: updatedAt },
  ...rest,
});
