/**
 * Load of the message groups of a standard queue, by the rules that AWS documents for fair queues (SQS Developer Guide,
 * "How Amazon SQS fair queues work"). A group is a noisy neighbor when it has more than 10% of the messages in flight
 * and at least 30 of them, or when it took more than 10% of the recent processing time.
 */

/** A group is noisy above this share of the messages in flight, or of the processing time. */
const NOISY_SHARE = 0.1;

/** Below this number of messages in flight, the share of messages in flight does not count. */
const NOISY_IN_FLIGHT = 30;

/** A group without messages in flight becomes quiet after this time. */
const QUIET_MS = 5 * 60_000;

/** AWS does not document the length of "recent". Here processing time decays with this time constant. */
const RECENT_MS = 60_000;

interface Share {
  inFlight: number;
  /** Milliseconds of processing time, decayed until `at`. */
  busy: number;
  at: number;
  /** When the last message in flight became visible again or was deleted. */
  lastBusy: number;
}

/** The load of a group at one moment. */
export interface GroupLoad {
  readonly noisy: boolean;
  readonly inFlight: number;
  readonly busy: number;
}

/** The groups of one queue with recent load. It starts without any. */
export const createGroupLoads = () => {
  const groups = new Map<string, Share>();
  const shareOf = (group: string, now: number): Share => {
    const share = groups.get(group) ?? { inFlight: 0, busy: 0, at: now, lastBusy: now };
    groups.set(group, share);
    return fade(share, now);
  };
  return {
    /** A consumer received a message of the group. */
    began: (group: string, at: number) => {
      shareOf(group, at).inFlight += 1;
    },
    /** A message of the group became visible again, or was deleted. */
    ended: (group: string, at: number) => {
      shareOf(group, at).inFlight -= 1;
    },
    /** The queue has no more messages of the group. The group becomes quiet. */
    consumed: (group: string) => void groups.delete(group),
    /** The present loads. A missing group is quiet. */
    current: (now: number): ReadonlyMap<string, GroupLoad> => {
      const shares = [...groups].map(([name, share]) => [name, fade(share, now)] as const);
      const inFlight = shares.reduce((sum, [, share]) => sum + share.inFlight, 0);
      const busy = shares.reduce((sum, [, share]) => sum + share.busy, 0);
      return new Map(
        shares.map(([name, share]) => [name, { ...share, noisy: isNoisy(share, { inFlight, busy }, now) }]),
      );
    },
  };
};

/** Updates the processing time of a group: the integral of its messages in flight, with exponential decay. */
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
