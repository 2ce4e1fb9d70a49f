import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { dayOf } from '../../shared/membership/calendars/days.ts';
import { followProperty } from '../../shared/membership/calendars/follow-calendars.ts';
import { saveProgress } from '../../shared/membership/calendars/progress.ts';
import { journal } from '../../shared/membership/journal.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { membersFrom } from '../../shared/membership/walk-members.ts';
import { NOW, scope } from '../profiles/harness.ts';
import { unloadedBrands } from '../support/brands.ts';
import { followRules } from '../interactions/ruling.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { drainRequested, indexedHarness, processOf } from './indexed-harness.ts';
import { begun } from './objections-harness.ts';
import { undoHarness } from './undo-harness.ts';

/** Special values of a person of 15 years, as records say. */
export const young = { ethnicity: 'Elf', birthday: '2010-06-01' };

/** The segments that such values make. */
export const specialNames = ['Age: under 18', 'Ethnicity: Elf'];

/** A property of which nobody has changed the rules. */
export const specialScene = (before?: () => Promise<void> | void) => {
  const scene = begun(before);
  const { table, rules, scopeNow, clock } = scene;
  const harness = undoHarness(table, new MemoryObjects(before), { scopeNow });
  /** Makes every profile follow the rules, as the pass over all people does. */
  const pass = () => followRules(table, scene.deps(), scopeNow(), clock.now);
  /** Indexes everything that is announced. */
  const settle = async (): Promise<void> => {
    const people = indexedHarness(table);
    people.clock.now = clock.now;
    await people.sweep();
  };
  /** Follows the birthdays up to today, as the daily job does. */
  const followBirthdays = async (): Promise<void> => {
    const derivations = unloadedBrands;
    const around = { table, clock: () => clock.now, derivations, pause: () => Promise.resolve() };
    const catalogue = segmentCatalogue(around);
    const readProfiles = profileRepository({ table }).readEach;
    const queue = { drains: new MemoryQueue(), ids: systemIds };
    const deps = { ...around, ...queue, catalogue, readProfiles, journal: journal(around) };
    const today = dayOf(clock.now);
    await saveProgress(table, scope.id, { day: dayOf(NOW), place: null });
    if ((await followProperty(deps, scope.id, today, () => true)) !== 'done') throw new Error('not followed');
    await drainRequested(processOf(around), queue.drains);
  };
  const turn = (on: boolean): void => {
    rules.specialCategories = on;
  };
  /** The names of all segments of the catalogue. */
  const names = async (): Promise<readonly string[]> => {
    const around = {
      table,
      clock: () => clock.now,
      derivations: unloadedBrands,
      pause: () => Promise.resolve(),
    };
    const { items: segments } = await segmentCatalogue(around).list(scope.id, { limit: 1_000 });
    return segments.map(({ name }) => name);
  };
  /** The names of the special segments with a member. Fails when the index disagrees with the profiles. */
  const special = async (): Promise<readonly string[]> => {
    await scene.segments();
    const around = {
      table,
      clock: () => clock.now,
      derivations: unloadedBrands,
      pause: () => Promise.resolve(),
    };
    const { items: segments } = await segmentCatalogue(around).list(scope.id, { limit: 1_000 });
    const found: string[] = [];
    for (const { id, name } of segments) {
      if (!specialNames.includes(name)) continue;
      const members = await Array.fromAsync(membersFrom(table, { property: scope.id, expression: id }));
      if (members.length > 0) found.push(name);
    }
    return found.sort();
  };
  return { ...scene, ...harness, forget: scene.forget, pass, settle, followBirthdays, turn, names, special };
};

/** A property whose rules about special categories change. */
export type SpecialScene = ReturnType<typeof specialScene>;
