/** Candidates: the people who may have a row in the file of a job, and the sets of members in which each of them is. */
import type { MemberChunk } from '../../membership/read-members.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import type { ExportPlan } from '../model/items.ts';
import { decodeFrozen, memberTest, unionOf, type HasMember } from '../model/frozen-set.ts';

/**
 * A candidate compared with the base of a delta: a new member, a member of both, or a member of the base only. `unsure`: a
 * member of whom the receiver may know either, because a job that named the person was given up.
 */
export type CandidateState = 'added' | 'kept' | 'removed' | 'unsure';

/** The sets that decide the state of a candidate. */
interface CandidateSets {
  readonly isMember: HasMember;
  readonly wasMember: HasMember;
  readonly isUncertain: HasMember;
}

/** Compares candidates with the members of a job and of its base. */
const candidateStates =
  ({ isMember, wasMember, isUncertain }: CandidateSets): ((ordinal: number) => CandidateState) =>
  (ordinal) => {
    if (!isMember(ordinal)) return 'removed';
    if (isUncertain(ordinal)) return 'unsure';
    return wasMember(ordinal) ? 'kept' : 'added';
  };

interface Candidates {
  readonly all: readonly MemberChunk[];
  readonly stateOf: (ordinal: number) => CandidateState;
}

/** The candidates of a job with these members: they, those of its base, and those of whom its receiver may know either. */
export const readCandidates = async (
  files: Pick<ObjectStore, 'get'>,
  members: readonly MemberChunk[],
  base: ExportPlan['base'],
): Promise<Candidates> => {
  if (base === null) return { all: members, stateOf: () => 'added' };
  const [before, uncertain] = await Promise.all([
    readFrozen(files, base.members_key),
    base.uncertain_key === null ? [] : readFrozen(files, base.uncertain_key),
  ]);
  return {
    all: [before, uncertain].reduce(unionOf, members),
    stateOf: candidateStates({
      isMember: memberTest(members),
      wasMember: memberTest(before),
      isUncertain: memberTest(uncertain),
    }),
  };
};

/** Reads a frozen set. Throws when its object is missing, because the bucket keeps objects longer than any job runs. */
export const readFrozen = async (
  files: Pick<ObjectStore, 'get'>,
  key: string,
): Promise<readonly MemberChunk[]> => {
  const frozen = await files.get(key);
  if (!frozen) throw new Error('exports: the frozen members are missing');
  return decodeFrozen(frozen);
};
