import { withdrawnAfter, type Shown } from './plain-model.ts';
import type { ProtocolWorld } from './protocol-world.ts';

interface Forgetting {
  readonly worldNow: () => ProtocolWorld;
  readonly people: () => readonly Shown[];
  readonly pick: <T>(list: readonly T[]) => T | undefined;
  readonly isQuiet: () => boolean;
  /** Takes an address from the receiver of the deltas. */
  readonly remove: (email: string) => void;
  /** Notes what was done. */
  readonly note: (said: string) => void;
}

/** Steps that forget one person, or everybody in a segment, in the service and in the plain model. */
export const forgettingSteps = ({ worldNow, people, pick, isQuiet, remove, note }: Forgetting) => {
  /** Whoever asks for a forgetting knows whom to remove from other systems. */
  const forgotten = (person: number): void => {
    const world = worldNow();
    for (const { who, email } of world.model.said) if (who === person && email !== undefined) remove(email);
    world.model.withdrawn = withdrawnAfter(world.model.said, world.model.withdrawn, person);
    world.model.said = world.model.said.filter(({ who }) => who !== person);
    world.forgotten.set(person, world.service.clock.now);
  };
  return {
    forget: async (): Promise<void> => {
      const one = pick(people());
      if (!one || !isQuiet()) return;
      await worldNow().service.forget({ unique_id: one.unique_id });
      forgotten(one.who);
      note(`forget ${one.unique_id}`);
    },
    erase: async (): Promise<void> => {
      const one = pick(people());
      if (!one || !isQuiet()) return;
      const { city } = one;
      const world = worldNow();
      // The index shows everything that was stored.
      await world.compared();
      const erased = (await world.service.everybody()).filter((other) => other.city === city);
      const segment = city === null ? 0 : await world.service.segmentNamed(city);
      if (segment === 0 || erased.length === 0) return;
      await world.service.erase(segment, erased.length);
      const ids = new Set(erased.map(({ unique_id }) => unique_id));
      for (const { unique_id, who } of people()) if (ids.has(unique_id)) forgotten(who);
      note(`erase ${city}: ${[...ids].join()}`);
    },
  };
};
