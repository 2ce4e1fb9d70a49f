import type { StoredTimes } from '../../shared/profiles/types.ts';

/** The times of a profile that a release without `created` stored. */
export const storedAt = (updatedAt: number): StoredTimes => ({ created: null, updatedAt });
