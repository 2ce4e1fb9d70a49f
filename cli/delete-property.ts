/** `npm run admin -- property delete`: calls the deletion function until it has finished or must wait. */
import * as v from 'valibot';
import type { Payload } from './admin-commands.ts';
import type { AdminAnswer } from './admin-service.ts';

const progress = v.looseObject({ state: v.string(), items: v.number(), objects: v.number() });

/**
 * Continues a deletion until it has finished or must wait. Calls `tell` after each step. It is safe to run again at any
 * time.
 */
export const deleteWhole = async (
  payload: Payload,
  ask: (payload: Payload) => Promise<AdminAnswer>,
  tell: (step: string) => void = (step) => {
    console.error(step);
  },
): Promise<AdminAnswer> => {
  for (;;) {
    const answer = await ask(payload);
    if (!answer.ok) return answer;
    const { state, items, objects } = v.parse(progress, answer);
    if (state !== 'erasing') return answer;
    tell(`${items} items and ${objects} objects removed so far`);
  }
};
