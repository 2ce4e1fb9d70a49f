import type { Choose } from '../ingest/interleave.ts';
import type { Shown } from './plain-model.ts';
import type { Where } from '../../shared/catalogue/conditions/shape.ts';
import { meeting, type KnownCondition } from './protocol-conditions.ts';
import type { ProtocolWorld } from './protocol-world.ts';
import type { Work } from './work.ts';

/** A custom segment as the plain model knows it. */
export interface KnownCustom {
  readonly id: number;
  readonly membersOf: (people: readonly Shown[]) => readonly string[];
  /** The condition that it names. */
  readonly names?: number;
}

interface ConditionSteps {
  readonly worldNow: () => ProtocolWorld;
  readonly choose: Choose;
  readonly pick: <T>(list: readonly T[]) => T | undefined;
  /** Whether work of this kind is under way, or stands still. */
  readonly isBusy: (what: string) => boolean;
  readonly begin: (work: Work) => void;
  readonly customs: KnownCustom[];
  /** The rules of the conditions. */
  readonly rules: readonly Where[];
  /** The segment that a timeline and an export name. */
  readonly watchedSegment: number | undefined;
  /** Notes what was done. */
  readonly note: (said: string) => void;
}

/** Steps that make, rename, prepare and delete conditions, and name them. */
export const conditionSteps = (given: ConditionSteps) => {
  const { worldNow, choose, pick, isBusy, begin, customs, rules, watchedSegment, note } = given;
  let names = 0;
  const some = (): KnownCondition | undefined => pick(worldNow().model.conditions);
  const newName = (): string => `Condition ${(names += 1)}`;
  const started = (work: Work): void => {
    note(work.what);
    begin(work);
  };
  // One change at a time: a request that stood still may come after a later one, and no model could say which counts.
  const isFree = (): boolean => !isBusy('condition');
  const steps = {
    condition: () => {
      const where = rules[choose(rules.length)];
      if (where && isFree()) started(worldNow().makeCondition(where, newName()));
      return Promise.resolve();
    },
    rename: () => {
      const one = some();
      if (one && isFree()) started(worldNow().renameCondition(one, newName()));
      return Promise.resolve();
    },
    unmake: () => {
      const one = some();
      if (!one || !isFree()) return Promise.resolve();
      const isUsed = (): boolean =>
        one.id === watchedSegment || customs.some((custom) => custom.names === one.id);
      started(worldNow().removeCondition(one, isUsed));
      return Promise.resolve();
    },
    prepare: () => {
      begin(worldNow().lookAtConditions());
      return Promise.resolve();
    },
    days: () => {
      // An import that takes days fails.
      const isShort = ['file', 'broken file', 'batch', 'undo'].some(isBusy);
      started(worldNow().followDay(isShort ? 1 : 18));
      return Promise.resolve();
    },
    drains: () => {
      begin(worldNow().drains());
      return Promise.resolve();
    },
    ready: () => worldNow().prepared(),
    over: async () => {
      const [one, world] = [some(), worldNow()];
      if (!one || !isFree() || !(await world.isReady(one))) return;
      const others = rules[choose(rules.length)];
      const other = world.model.conditions.find(({ where }) => where === others) ?? one;
      if (!(await world.isReady(other))) return;
      const id = await world.customOver({ any: [{ not: one.id }, other.id] });
      note(`custom ${id} over ${one.name} and ${other.name}`);
      const membersOf = (people: readonly Shown[]): readonly string[] => {
        const [without, within] = [one, other].map(({ where }) =>
          meeting(people, where, world.service.clock.now),
        );
        return people.flatMap(({ unique_id }) =>
          without?.includes(unique_id) !== true || within?.includes(unique_id) === true ? [unique_id] : [],
        );
      };
      customs.push({ id, membersOf, names: one.id });
      if (other !== one) customs.push({ id, membersOf, names: other.id });
    },
  };
  return {
    steps,
    /** Deletes all conditions that nothing else names. Returns what is left of those that are gone. */
    removeAll: async (): Promise<readonly string[]> => {
      const world = worldNow();
      for (const id of new Set(customs.flatMap((one) => (one.names === undefined ? [] : [one.id]))))
        await world.removeCustom(id);
      for (const one of world.model.conditions)
        if (one.id !== watchedSegment) await world.removeCondition(one, () => false).go();
      await world.prepared();
      return world.leftOfConditions();
    },
  };
};
