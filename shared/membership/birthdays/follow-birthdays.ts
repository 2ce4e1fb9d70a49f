import { listAllProperties } from '../../properties/items.ts';
import { Failures } from '../../runtime/failures.ts';
import { keys } from '../../table/keys.ts';
import { dayOf } from './days.ts';
import { followProperty, type BirthdayDeps } from './follow-property.ts';
import { readRounds, saveRounds, type Rounds } from './progress.ts';

/**
 * Visits all properties once a UTC day, and moves people to the age bands that their birthdays lead to. Catches up on
 * missed days. Called every few minutes: a call continues where the previous call stopped, and costs one read once the
 * day is done. Returns the number of visited properties. A property whose work fails is visited again, like a property
 * that has to wait; the other properties go on, and the first failure is thrown at the end.
 */
export const followBirthdays = async (deps: BirthdayDeps, hasTime: () => boolean): Promise<number> => {
  const rounds = await readRounds(deps.table);
  const today = dayOf(deps.clock());
  if (rounds.day >= today) return 0;
  const visit = { day: today, after: null, waiting: false, ...rounds.round };
  let after = visit.after ?? undefined;
  let { waiting } = visit;
  const failures = new Failures();
  let visited = 0;
  do {
    const { items: properties, next } = await listAllProperties(deps.table, after);
    for (const property of properties) {
      const follow = () => followProperty(deps, property, visit.day, hasTime);
      const followed = hasTime() ? ((await failures.attempt(follow)) ?? 'waiting') : 'late';
      if (followed === 'late') {
        await saveRounds(deps.table, { ...rounds, round: { ...visit, after: after ?? null, waiting } });
        failures.throwFirst();
        return visited;
      }
      waiting ||= followed === 'waiting';
      after = keys.listedProperty(property).sk;
      visited += 1;
    }
    after = next;
  } while (after !== undefined);
  await saveRounds(deps.table, ended(rounds, visit.day, waiting));
  failures.throwFirst();
  return visited;
};

/** The state after a round. If a property had to wait, all are visited once more; a finished property costs one read. */
const ended = (rounds: Rounds, day: string, waiting: boolean): Rounds =>
  waiting ? { ...rounds, round: null } : { day, round: null };
