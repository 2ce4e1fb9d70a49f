/** `npm run admin -- property delete`: calls the deletion function until it has finished or must wait. */
import * as v from 'valibot';
import type { Payload } from './admin-commands.ts';
import type { AdminAnswer } from './admin-service.ts';

const progress = v.looseObject({ state: v.string(), items: v.number(), objects: v.number() });

/**
 * Continues a deletion until it has finished or must wait. Calls `tell` after each step. It is safe to run again at any
 * time. A property without an owner, which a restore brought back, is closed first. `ask` gives `property.close` to the
 * function of operators, and the deletion to its own.
 */
export const deleteWhole = async (
  payload: Payload,
  ask: (payload: Payload) => Promise<AdminAnswer>,
  tell: (step: string) => void = (step) => {
    console.error(step);
  },
): Promise<AdminAnswer> => {
  let isClosed = false;
  for (;;) {
    const answer = await ask(payload);
    if (!answer.ok) {
      if (isClosed || answer.error.code !== 'unknown_property') return answer;
      const closed = await ask({ ...payload, command: 'property.close' });
      if (!closed.ok) return closed;
      isClosed = true;
      continue;
    }
    const { state, items, objects } = v.parse(progress, answer);
    if (state !== 'erasing') return answer;
    tell(`${items} items and ${objects} objects removed so far`);
  }
};
