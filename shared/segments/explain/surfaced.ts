/** Surfaced values as evidence: what lookups show of a field, with its source. */
import { ageOn } from '../../profiles/age.ts';
import type { Provenance } from '../../profiles/provenance-schema.ts';
import type { ResolvedProfile } from '../../profiles/types.ts';
import type { Evidence } from './schemas.ts';

/** The winning value of a field; nothing when there is none. */
export const surfaced = ({ fields }: Provenance, field: string): readonly Evidence[] =>
  (fields[field] ?? []).flatMap(({ value, won, ...mark }) =>
    won && (typeof value === 'string' || typeof value === 'number') ? [{ field, value, ...mark }] : [],
  );

/** The value that decides the age at a time (epoch milliseconds): the birthday, or else the stated age. */
export const ageEvidence = (
  { fields: { birthday }, age }: ResolvedProfile,
  provenance: Provenance,
  now: number,
): readonly Evidence[] => {
  const told = { age: birthday === null ? (age ?? 0) : ageOn(birthday, now) };
  return surfaced(provenance, birthday === null ? 'age' : 'birthday').map((one) => ({ ...one, ...told }));
};
