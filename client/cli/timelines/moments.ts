/** Finds the moments of a timeline that a person names. */
import { failed, ok, type Result } from '../result.ts';
import { moment, plain } from '../terminal/text.ts';

/** A moment of a timeline. */
export interface TimelineMoment {
  readonly id: number;
  readonly created_date: string;
  readonly count: number;
  /** People who joined and left since the moment before; null for the first moment. */
  readonly added: number | null;
  readonly removed: number | null;
}

/** What a person says of two moments: an id, or a time in UTC or its beginning, such as a day. */
interface Said {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Two moments, and whether no other is between them. */
export interface MomentPair {
  readonly from: TimelineMoment;
  readonly to: TimelineMoment;
  readonly isNext: boolean;
}

/**
 * The two moments that a person means, of all moments with the oldest first. Without words they are the newest and the one
 * before. Of several moments of a day, `from` is the first one, and `to` the last one. Fails with a sentence.
 */
export const momentPair = (
  moments: readonly TimelineMoment[],
  { from, to }: Said,
): Result<MomentPair, string> => {
  const later = to === undefined ? moments.length - 1 : moments.findLastIndex((one) => isMeant(one, to));
  if (later < 0) return failed(noMoment('--to', to ?? '', moments));
  const earlier = from === undefined ? later - 1 : moments.findIndex((one) => isMeant(one, from));
  const [one, other] = [moments[earlier], moments[later]];
  if (from !== undefined && one === undefined) return failed(noMoment('--from', from, moments));
  if (one === undefined || other === undefined) return failed('There is no moment before the one of --to.');
  if (earlier >= later) {
    return failed(
      `The moment of --from (${moment(one.created_date)}) must be before that of --to (${moment(other.created_date)}).`,
    );
  }
  return ok({ from: one, to: other, isNext: later - earlier === 1 });
};

const isMeant = ({ id, created_date: time }: TimelineMoment, said: string): boolean =>
  String(id) === said ||
  (/^\d{4}-/.test(said) && time.startsWith(said.replace(' ', 'T').replace(/ ?(?:UTC|Z)$/, '')));

const noMoment = (option: string, said: string, moments: readonly TimelineMoment[]): string => {
  const [first, last] = [moments[0], moments.at(-1)];
  const known =
    first === undefined || last === undefined
      ? 'The timeline has no moments.'
      : `The ${moments.length} moments are from ${moment(first.created_date)} to ${moment(last.created_date)}.`;
  return `${option} "${plain(said)}" is no moment of the timeline. ${known}`;
};
