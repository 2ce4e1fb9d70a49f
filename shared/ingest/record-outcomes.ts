/** Record outcomes: what became of each record, with its warnings, or the reason why it was not stored. */
import { limits } from '../config/limits.ts';
import { EVERY_USE } from '../profiles/consent.ts';
import { restrictionIn } from '../profiles/profile-state.ts';
import type { RecordOutcome, RecordRefusal, Warning } from '../profiles/types.ts';
import type { Person } from './batch-person.ts';
import type { Decision, PendingRecord } from './write-plan.ts';

const segmentLimit: Warning = {
  code: 'segment_limit',
  detail: 'The property has no room for more segments; the values are stored without them.',
};

/** The refusal of a record that waited too long. */
export const outdated: RecordRefusal = {
  field: null,
  code: 'too_old',
  message: `The record was accepted more than ${limits.profiles.forgottenDays} days ago; send it again.`,
};

/** The refusal of a record about somebody who objects to being stored. */
export const objected: RecordRefusal = {
  field: null,
  code: 'objected',
  message: 'Somebody with an identity of the record objects to being stored; nothing was stored.',
};

const restricted: Warning = {
  code: 'restricted',
  detail: 'The person objects to every use: the values are stored, and are in no segment and no export.',
};

/** The refusal of a record of a job that was undone. */
export const ofUndoneJob: RecordRefusal = {
  field: null,
  code: 'undone',
  message: 'The import job of the record was undone; nothing was stored.',
};

/** The warning about a record of a person who was forgotten after its acceptance. */
export const forgotten: Warning = {
  code: 'forgotten',
  detail: 'The person was forgotten after this record was accepted; nothing was stored.',
};

/** The outcome of a record whose decision was carried out. `beyondLimit`: a segment of its person has no room. */
export const outcomeOf = (
  { pending, person, stamp, warnings, refusal }: Decision,
  beyondLimit: boolean,
): RecordOutcome => {
  if (refusal) return { kind: 'refused', refusal };
  if (person.ordinal === undefined) throw new Error('profiles: a stored person has no ordinal');
  return {
    kind: isCreator(person, pending) ? 'created' : 'updated',
    ordinal: person.ordinal,
    stamp,
    warnings: [
      ...warnings,
      ...(beyondLimit ? [segmentLimit] : []),
      ...(restrictionIn(person.state, EVERY_USE) ? [restricted] : []),
    ],
  };
};

/** Whether a record created its profile, now or in an earlier application. */
const isCreator = ({ entry, records }: Person, { index, record: { trace } }: PendingRecord): boolean =>
  entry.kind === 'empty' ? records[0] === index : trace !== undefined && entry.trace === trace;
