/** The channels on which somebody has given consent: each has a segment. */
import type { Sized } from './catalogue.ts';

/** A channel with the segment of those who have given consent on it. */
export interface Channel {
  readonly channel: string;
  readonly segment: number;
}

const GIVEN = ': given';

/** The channels, that of most people first. */
export const channelsOf = (segments: readonly Sized[]): readonly Channel[] =>
  segments
    .filter(({ type, name }) => type === 'consent' && name.endsWith(GIVEN))
    .map(({ id, name }) => ({ channel: name.slice(0, -GIVEN.length), segment: id }));
