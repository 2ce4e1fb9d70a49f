/** The channels on which somebody has given consent: each has a segment. */
import type { Sized } from './catalogue.ts';
import type { Definition } from './definition.ts';

/** A channel with the segment of those who have given consent on it. */
export interface Channel {
  readonly channel: string;
  readonly segment: number;
}

const GIVEN = ': given';

/** The field that has the address of a channel. A channel of the reader's own has none that the service knows. */
const addresses: Readonly<Record<string, 'email' | 'phone_number' | 'street'>> = {
  email: 'email',
  phone: 'phone_number',
  sms: 'phone_number',
  post: 'street',
};

/** The field with the address of a channel; `undefined` if the service knows none. */
export const addressOf = (channel: string) =>
  Object.hasOwn(addresses, channel) ? addresses[channel] : undefined;

type Address = (typeof addresses)[string];

/** Those of a definition, with consent on a channel if there is one, of whom no address is known. */
export const withoutAddress = (
  definition: Definition,
  field: Address,
  channel: Channel | undefined,
): Definition => ({
  all: [definition, { not: { where: { field, op: 'exists' } } }, ...(channel ? [channel.segment] : [])],
});

/** Those of a definition who have given consent on a channel, and have an address of it. */
export const reachable = (definition: Definition, { channel, segment }: Channel): Definition => {
  const field = addressOf(channel);
  const where = field === undefined ? [] : [{ where: { field, op: 'exists' } } as const];
  return { all: [definition, ...where, segment] };
};

/** The channels on which somebody has given consent or withdrawn it. */
export const channelNames = (segments: readonly Sized[]): readonly string[] => [
  ...new Set(
    segments.flatMap(({ type, name }) => (type === 'consent' ? [name.slice(0, name.lastIndexOf(':'))] : [])),
  ),
];

/** The channels, that of most people first. */
export const channelsOf = (segments: readonly Sized[]): readonly Channel[] =>
  segments
    .filter(({ type, name }) => type === 'consent' && name.endsWith(GIVEN))
    .map(({ id, name }) => ({ channel: name.slice(0, -GIVEN.length), segment: id }));
