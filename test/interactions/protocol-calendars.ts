/** The calendars of the histories: days pass, and the job of a day announces who enters or leaves a segment with it. */
import { dayOf } from '../../shared/membership/calendars/days.ts';
import { followCalendars } from '../../shared/membership/calendars/follow-calendars.ts';
import { readProgress } from '../../shared/membership/calendars/progress.ts';
import { HOUR_MS } from '../../shared/runtime/clock.ts';
import { scope } from '../profiles/harness.ts';
import type { ServiceInMemory } from './service-in-memory.ts';
import { workOf, type Work } from './work.ts';

/** Calls of the job, with drains between them, that follow every day. */
const MOST_CALLS = 20;

export const protocolCalendars = ({ ports, clock, front, draining, reading, settled }: ServiceInMemory) => {
  const deps = {
    ...{ ...ports, ...draining, catalogue: front.segments, derivations: front.derivations },
    readProfiles: reading.readProfiles,
  };
  const call = (): Promise<number> => followCalendars(deps, () => true);
  return {
    /** Hours pass, and the job is called. */
    followDay: (hours: number): Work => {
      clock.now += hours * HOUR_MS;
      return workOf(`the job of ${dayOf(clock.now)}`, [call]);
    },
    /** Calls the job until it has followed the day, and the index shows that. */
    followed: async (): Promise<void> => {
      for (let calls = 0; calls < MOST_CALLS; calls += 1) {
        const visited = await call();
        await settled();
        const { day } = await readProgress(ports.table, scope.id);
        if (visited === 0 && day === dayOf(clock.now)) return;
      }
      throw new Error('the calendars are never followed');
    },
  };
};
