import { normalizeRecord } from '../../shared/profiles/normalize-record.ts';
import type { ProfilePatch } from '../../shared/profiles/profile-patch.ts';

export const NOW = Date.UTC(2026, 0, 15, 12);
export const context = { now: NOW, tier: 1 } as const;

/** The faults of a record as `field code`; undefined when it is taken. */
export const refused = (record: unknown): readonly string[] | undefined => {
  const result = normalizeRecord(record, context);
  return result.ok ? undefined : result.error.map(({ field, code }) => `${field ?? '(record)'} ${code}`);
};

/** The patch of a record of `u` with these fields. */
export const accepted = (fields: object): ProfilePatch => {
  const result = normalizeRecord({ unique_id: 'u', ...fields }, context);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};
