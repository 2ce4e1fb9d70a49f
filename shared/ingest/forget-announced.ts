/** Announced forgetting: forgets a person, after nobody can get a file with the person any more. */
import { parseEntry } from '../profiles/stored-profile.ts';
import { keys } from '../table/keys.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { ForgottenPeople } from '../profiles/forgotten-people.ts';
import type { Removed } from '../profiles/tombstone.ts';
import { forgetPerson, type ForgetDeps } from './forget-person.ts';

/** Ports of a forgetting with its announcement. */
export interface AnnouncedDeps extends ForgetDeps {
  readonly forgotten: Pick<ForgottenPeople, 'announce' | 'settle' | 'withdraw'>;
}

/** The person at an ordinal, and a name of the attempt at the forgetting that is unique. */
interface Forgetting {
  readonly ordinal: number;
  readonly attemptId: string;
}

/**
 * Announces the forgetting of the person at an ordinal, then forgets the person as `forgetPerson` does. The announcement
 * comes first, so no forgetting lacks one: the drainer, which finishes an interrupted forgetting, need not make it.
 * `look` runs in between: nobody gets another file with the person, and the profile is still there. So a repeated request
 * finds the same, unless the person was forgotten.
 */
export const forgetAnnounced = async <Seen>(
  deps: AnnouncedDeps,
  scope: PropertyScope,
  { ordinal, attemptId }: Forgetting,
  look: () => Promise<Seen>,
): Promise<{ readonly removed: Removed; readonly seen: Seen } | undefined> => {
  const announced = await deps.forgotten.announce(scope.id, ordinal, deps.clock());
  const seen = await look();
  const removed = await forgetPerson(deps, scope, ordinal, attemptId);
  // Another call may have finished the forgetting. Only where nobody was forgotten, the announcement goes.
  const entry = removed ? undefined : parseEntry(await deps.table.get(keys.profile(scope.id, ordinal)));
  if (removed || entry?.kind === 'forgotten') await deps.forgotten.settle(announced, deps.clock());
  else await deps.forgotten.withdraw(announced);
  return removed && { removed, seen };
};
