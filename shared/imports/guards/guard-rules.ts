/** Guard rules: when the guards of a definition stop a job, and what they tell the client. */
import { limits } from '../../config/limits.ts';
import type { SegmentIdentity } from '../../catalogue/types.ts';
import { fileFailure } from '../jobs/fail-import.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import type { GuardFailure } from '../items/guard-items.ts';

/** The guards of a definition. `null` switches a guard off. */
export type Guards = Pick<
  ImportDefinition,
  'max_new_segments' | 'max_refused_share' | 'max_addresses_per_id'
>;

/** Number of segments that the message of a failure names. */
const NAMED = 5;

/** Characters of a name in the message of a failure. */
const NAME_LENGTH = 60;

/** How the message of a failure names the first few of some segments: the type and the name, shortened. */
export const examplesOf = (segments: readonly Pick<SegmentIdentity, 'type' | 'name'>[]): readonly string[] =>
  firstExamples(segments).map(({ type, name }) => `${type} "${shortened(name)}"`);

/** The first few of a list: as many as a message names. */
export const firstExamples = <T>(all: readonly T[]): readonly T[] => all.slice(0, NAMED);

const shortened = (name: string): string =>
  name.length <= NAME_LENGTH ? name : `${name.slice(0, NAME_LENGTH).toWellFormed()}…`;

/** The new segments that a job would make: their number, or the least number if the count ended early. */
export interface NewSegmentCount {
  readonly count: number;
  readonly isExact: boolean;
  readonly examples: readonly string[];
}

/** The failure of a job that would make too many new segments; `undefined` while the guard allows their number. */
export const segmentFault = (
  { max_new_segments: most }: Guards,
  { count, isExact, examples }: NewSegmentCount,
): GuardFailure | undefined =>
  most === null || count <= most
    ? undefined
    : fileFailure(
        'too_many_new_segments',
        `The job would make ${isExact ? '' : 'at least '}${count} new segments, and its definition allows ${most}` +
          `: ${firstExamples(examples).join(', ')}${count > NAMED ? ' …' : ''}. ` +
          'Check the columns and separators of these values, or raise `max_new_segments`.',
      );

/** Judged rows, and how many of them were refused. */
export interface RefusedShare {
  readonly judged: number;
  readonly refused: number;
}

/** The failure of a job with too large a share of refused rows; `undefined` while the guard allows the share. */
export const refusedFault = (
  { max_refused_share: most }: Guards,
  { judged, refused }: RefusedShare,
): GuardFailure | undefined =>
  most === null || judged < limits.imports.judgedRowsLeast || refused <= most * judged
    ? undefined
    : fileFailure(
        'too_many_refused',
        `${refused} of ${judged} rows are refused, and the definition allows a share of ${most}. ` +
          'Mend the file or the mapping, or raise `max_refused_share`.',
      );

/** An id that comes with more different addresses than the guard allows, and the rows that have it so far. */
export interface SharedId {
  readonly kind: 'unique_id' | 'social_id';
  readonly value: string;
  readonly rows: number;
}

/** The failure of a job with ids that come with too many addresses; `undefined` while the guard allows all of them. */
export const sharedIdFault = (
  { max_addresses_per_id: most }: Guards,
  shared: readonly SharedId[],
): GuardFailure | undefined => {
  if (most === null || shared.length === 0) return undefined;
  const named = firstExamples(shared.toSorted((one, other) => other.rows - one.rows)).map(
    ({ kind, value, rows }) => `the ${kind} "${shortened(value)}" in ${rows} rows`,
  );
  return fileFailure(
    'shared_id',
    `More than ${most} different e-mail addresses come with ${named.join(', with ')}` +
      `${shared.length > NAMED ? ' …' : ''}. ` +
      "It would make one person of many. List what is nobody's id in `not_identities`, or raise `max_addresses_per_id`.",
  );
};
