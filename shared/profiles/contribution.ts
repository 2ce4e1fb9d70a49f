import type { ProfilePatch } from './patch.ts';
import { erasable, identityName, stateOf, tagName, type Area, type Register, type State } from './state.ts';
import { tiers, type ExtraValue, type Identity, type Stamp } from './types.ts';

/** A record on its way into a profile. */
export interface AcceptedRecord {
  readonly patch: ProfilePatch;
  readonly stamp: Stamp;
  /**
   * Raise the stamp above all that is stored, so that the later of two calls wins whatever the clocks of their servers
   * say. For records that were not stored before they were applied, and so are never applied twice.
   */
  readonly latest?: boolean;
  /** Values of third-party and lower trust are left out. */
  readonly skipAppends?: boolean;
  /** Where its values come from, for provenance: `api` unless told. At most 64 characters. */
  readonly origin?: string;
  /**
   * Names the record, the same whenever it is applied again. It is kept on a profile that the record creates, so that its
   * outcome stays `created`.
   */
  readonly trace?: string;
}

/** What a record adds to its profile: its values, and those of its identities that the profile owns. */
export const contributionOf = (
  { patch, skipAppends, origin = 'api' }: AcceptedRecord,
  identities: readonly Identity[],
  stamp: Stamp,
): State => {
  const registers: Register[] = identities.map(({ kind, value }) => ({
    area: 'identity',
    tier: tiers.stated,
    name: identityName(kind, value),
    value: true,
    stamp,
    origin,
  }));
  if (skipAppends === true && patch.tier >= tiers.third_party) return stateOf(registers);
  const add = (area: Area, name: string, value: ExtraValue | null): void => {
    registers.push({ area, tier: patch.tier, name, value, stamp, origin });
  };
  for (const [name, value] of Object.entries(patch.attributes)) add('value', name, value);
  for (const [name, value] of patch.extra ?? []) add('extra', name, value);
  for (const { datetime, tag } of patch.tags ?? []) add('tag', tagName(datetime, tag), true);
  for (const like of patch.likes ?? []) add('like', like, true);
  for (const label of patch.labels ?? []) add('label', label, true);
  for (const area of erasable) if (isErasing(patch, area)) add('erased', area, true);
  return stateOf(registers);
};

const isErasing = (patch: ProfilePatch, area: (typeof erasable)[number]): boolean => {
  const sent = { extra: patch.extra, tag: patch.tags, like: patch.likes, label: patch.labels };
  return sent[area] === null;
};
