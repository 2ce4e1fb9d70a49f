/** Announced forgetting: forgets people, after nobody can get a file with them any more. */
import { parseEntry } from '../profiles/stored-profile.ts';
import { keys } from '../table/keys.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { ForgottenPeople } from '../profiles/forgotten-people.ts';
import type { Removed } from '../profiles/tombstone.ts';
import { addTask } from '../tasks/tasks.ts';
import { forgetPeople, type ForgetDeps, type ForgetOptions } from './forget-person.ts';
import { cleanupTask } from './undo-cleanups.ts';

/** Ports of a forgetting with its announcement. */
export interface AnnouncedDeps extends ForgetDeps {
  readonly forgotten: Pick<ForgottenPeople, 'announce' | 'settle'>;
}

/** The people at these ordinals, and a name of the attempt at the forgetting that is unique. */
interface Forgetting extends ForgetOptions {
  readonly ordinals: readonly number[];
  readonly attemptId: string;
}

/** What a forgetting removed of each person who was there, and which of the people are forgotten now. */
interface Forgotten<Seen> {
  readonly removed: ReadonlyMap<number, Removed>;
  readonly gone: readonly number[];
  readonly seen: Seen;
}

/**
 * Announces the forgetting of the people at these ordinals, then forgets them as `forgetPeople` does. The announcement
 * comes first, so no forgetting lacks one: the drainer, which finishes an interrupted forgetting, need not make it.
 * `look` runs in between: nobody gets another file with these people, and the profiles are still there. So a repeated
 * request finds the same, unless somebody was forgotten.
 */
export const forgetAnnounced = async <Seen>(
  deps: AnnouncedDeps,
  scope: PropertyScope,
  { ordinals, attemptId, ...options }: Forgetting,
  look: () => Promise<Seen>,
): Promise<Forgotten<Seen>> => {
  const now = deps.clock();
  const announced = await deps.forgotten.announce(scope.id, ordinals, now);
  // Behind the announcement: a cleanup that does not see these people does not end.
  await addTask(deps, cleanupTask(scope.id, now));
  const seen = await look();
  const removed = await forgetPeople(deps, scope, ordinals, attemptId, options);
  // Another call may have finished a forgetting. Only where nobody was forgotten, the announcement goes.
  const items = await deps.table.getMany(ordinals.map((ordinal) => keys.profile(scope.id, ordinal)));
  const gone = ordinals.filter((_, index) => parseEntry(items[index]).kind === 'forgotten');
  await deps.forgotten.settle(announced, gone, deps.clock());
  return { removed, gone, seen };
};
