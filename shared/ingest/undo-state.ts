/** Undo rule: the state of a profile without the values of an import job. A pure rule over states. */
import { isWithdrawn } from '../profiles/consent.ts';
import {
  jobOfOrigin,
  sourceOfOrigin,
  dominatorsOf,
  identityName,
  isNobody,
  mergeStates,
  registerKey,
  stateOf,
  type LwwRegister,
  type State,
} from '../profiles/profile-state.ts';
import { identitiesOf } from '../profiles/resolve-profile.ts';
import type { UndoCounts } from './undo-counts.ts';
import type { LateRecord, ProfileChange, UndoEntry } from './undo-log.ts';

/** Everything that the undo log of a job says about one person. */
export type PersonLog = Omit<UndoEntry, 'ordinal'>;

/** A person whom the log does not mention. */
export const emptyLog: PersonLog = { brought: [], beneath: [], late: [] };

/** What an undo knows besides the profile and its log. */
export interface UndoContext {
  readonly job: number;
  /** The jobs that were undone before. */
  readonly before: ReadonlySet<number>;
  /** What restated the profile, without the records of undone jobs. */
  readonly restated: State;
  /** `false`: a part of the log of the person is lost. */
  readonly isWhole: boolean;
}

/** Whether the log of a person names a register of the job. */
export const isLoggedIn = ({ brought }: PersonLog): ((register: LwwRegister) => boolean) => {
  const logged = stateOf(brought);
  return (register) => logged.get(registerKey(register))?.stamp === register.stamp;
};

/**
 * The change of a profile that undoes a job: it takes the registers of the job away and restores everything that they
 * hid, except the registers of jobs that were undone before. The result equals the merge of all records but those of
 * undone jobs, with one exception: what a person withdrew stays withdrawn, as a statement of the definition that belongs to
 * no job. Nobody is left without an identity: then only answers of enrichers about the records of undone jobs remain,
 * and they go too. Where a part of the log is lost, nobody knows what a register of the job has hidden: it may have
 * repeated the only identity of the person. So a register that the log does not name stays, as a value of the definition
 * that belongs to no job.
 */
export const undoChange = (
  ordinal: number,
  stored: State,
  log: PersonLog,
  { job, before: undone, restated, isWhole }: UndoContext,
): ProfileChange => {
  const stays = ({ origin }: LwwRegister): boolean => {
    const own = jobOfOrigin(origin);
    return own !== job && !(own !== undefined && undone.has(own));
  };
  const isLogged = isWhole ? () => true : isLoggedIn(log);
  const before = new Map<string, LwwRegister>();
  for (const [key, register] of stored) {
    if (jobOfOrigin(register.origin) !== job) before.set(key, register);
    else if (isWithdrawal(register) || !isLogged(register))
      before.set(key, { ...register, origin: sourceOfOrigin(register.origin) });
  }
  const sure = [...log.beneath, ...restated.values()].filter(stays);
  let late = log.late.map((record) => ({ ...record, registers: record.registers.filter(stays) }));
  for (;;) {
    const restored = [...sure, ...late.flatMap(({ registers }) => registers)];
    const after = mergeStates(before, stateOf(restored));
    const own = late.filter((record) => isOf(record, after));
    if (own.length === late.length)
      return { ordinal, before, after: withoutNobody(after), records: [], restored };
    late = own;
  }
};

/** Whether a register is a statement that withdraws consent. A person said it, so no undo takes it back. */
const isWithdrawal = ({ area, value }: LwwRegister): boolean => area === 'consent' && isWithdrawn(value);

/**
 * A state; without an identity, only what the person withdrew. That stays until the claims of the identities, which keep
 * it, are free.
 */
export const withoutNobody = (state: State): State =>
  isNobody(state) ? new Map([...state].filter(([, register]) => isWithdrawal(register))) : state;

/**
 * Whether a late record belongs to the person of a state: the person has all of its identities. Its writer logged the
 * record before it lost a race, and may then have stored the record at somebody else.
 */
const isOf = ({ identities }: LateRecord, state: State): boolean => {
  const held = new Set(identitiesOf(state).map(({ kind, value }) => identityName(kind, value)));
  return identities.every((name) => held.has(name));
};

/** The jobs whose registers a log of a person hides. */
export const jobsIn = ({ beneath, late }: PersonLog): ReadonlySet<number> =>
  new Set(
    [...beneath, ...late.flatMap(({ registers }) => registers)].flatMap(
      ({ origin }) => jobOfOrigin(origin) ?? [],
    ),
  );

/** The values that a job brought to one person, by what the undo did to them. */
export type ValueCounts = UndoCounts['values'];

/**
 * Counts the values that a job brought to a person, by the state after the undo: a value that a newer value hides was
 * replaced before the undo; a withdrawal of consent that the state has was kept; any other value was taken back. So the
 * counts are the same when the undo is repeated.
 */
export const countValues = (after: State, brought: readonly LwwRegister[]): ValueCounts => {
  // Of two values of the job, only the one that replaced the other counts.
  const own = stateOf(brought);
  const counts = { taken_back: 0, replaced: 0, kept: 0 };
  for (const [key, register] of own) {
    if (dominatorsOf(after, register).length > 0) counts.replaced += 1;
    else if (isWithdrawal(register) && after.has(key)) counts.kept += 1;
    else counts.taken_back += 1;
  }
  return counts;
};
