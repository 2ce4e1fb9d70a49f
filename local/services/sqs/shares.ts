/**
 * How much of a standard queue's consumers each message group uses, by the rules that AWS documents for fair queues
 * (SQS Developer Guide, "How Amazon SQS fair queues work"). A group is a noisy neighbor when it has more than 10% of the
 * messages in flight and at least 30 of them, or when it took more than 10% of the recent processing time.
 */

/** Share of the messages in flight, and of the processing time, above which a group is noisy. */
const NOISY_SHARE = 0.1;
/** With fewer messages in flight than this, the share of messages in flight says nothing. */
const NOISY_IN_FLIGHT = 30;
/** A group that had nothing in flight for so long is quiet again. */
const QUIET_MS = 5 * 60_000;
/** "Recent" is not documented as a number: here older processing time fades away with this time constant. */
const RECENT_MS = 60_000;

interface Share {
  inFlight: number;
  /** Milliseconds of processing time, faded up to `at`. */
  busy: number;
  at: number;
  /** When the last message in flight came back or was deleted. */
  lastBusy: number;
}

/** Where a group stands at a moment. */
export interface Standing {
  readonly noisy: boolean;
  readonly inFlight: number;
  readonly busy: number;
}

/** The groups of one queue that used consumers lately. */
export interface Shares {
  /** A message of the group went into flight. */
  began(group: string, at: number): void;
  /** A message of the group came back into view, or was deleted. */
  ended(group: string, at: number): void;
  /** The group has no message in the queue any more: it is quiet. */
  consumed(group: string): void;
  /** Where the groups stand now. A group that is missing here is quiet. */
  standings(now: number): ReadonlyMap<string, Standing>;
}

/** Nobody has used anything yet. */
export const createShares = (): Shares => {
  const groups = new Map<string, Share>();
  const shareOf = (group: string, now: number): Share => {
    const share = groups.get(group) ?? { inFlight: 0, busy: 0, at: now, lastBusy: now };
    groups.set(group, share);
    return fade(share, now);
  };
  return {
    began: (group, at) => {
      shareOf(group, at).inFlight += 1;
    },
    ended: (group, at) => {
      shareOf(group, at).inFlight -= 1;
    },
    consumed: (group) => void groups.delete(group),
    standings: (now) => {
      const shares = [...groups].map(([name, share]) => [name, fade(share, now)] as const);
      const inFlight = shares.reduce((sum, [, share]) => sum + share.inFlight, 0);
      const busy = shares.reduce((sum, [, share]) => sum + share.busy, 0);
      return new Map(
        shares.map(([name, share]) => [name, { ...share, noisy: isNoisy(share, { inFlight, busy }, now) }]),
      );
    },
  };
};

/** Brings the processing time of a share up to now: the integral of messages in flight, fading exponentially. */
const fade = (share: Share, now: number): Share => {
  const kept = Math.exp(-Math.max(0, now - share.at) / RECENT_MS);
  share.busy = share.busy * kept + share.inFlight * RECENT_MS * (1 - kept);
  share.at = Math.max(share.at, now);
  if (share.inFlight > 0) share.lastBusy = share.at;
  return share;
};

const isNoisy = (
  { inFlight, busy, lastBusy }: Share,
  total: { readonly inFlight: number; readonly busy: number },
  now: number,
): boolean => {
  if (now - lastBusy >= QUIET_MS) return false;
  const crowds = inFlight >= NOISY_IN_FLIGHT && inFlight > total.inFlight * NOISY_SHARE;
  return crowds || busy > total.busy * NOISY_SHARE;
};
