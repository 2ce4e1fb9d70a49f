import type { DisclosuresOf } from '../../shared/profiles/disclosures.ts';

/** Nobody got data of anybody. */
export const noDisclosures: DisclosuresOf = () =>
  Promise.resolve({ since: '2026-01-01T00:00:00.000Z', all_looked_at: true, exports: [], enrichers: [] });
