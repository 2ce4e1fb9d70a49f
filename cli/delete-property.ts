/** `npm run admin -- property delete`: calls the function that deletes a property until there is nothing to do but wait. */
import * as v from 'valibot';
import type { Payload } from './admin-commands.ts';
import type { AdminAnswer } from './admin-service.ts';

const progress = v.looseObject({ state: v.string(), items: v.number(), objects: v.number() });

/** Works on a deletion until it is done or has to wait; `tell` gets each step. May be run again at any time. */
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
