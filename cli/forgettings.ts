/** `npm run admin -- forgettings replay`: replays one page of forgettings after the other, and adds up the results. */
import * as v from 'valibot';
import type { Payload } from './admin-commands.ts';
import { eachPage } from './admin-list.ts';
import type { AdminAnswer } from './admin-service.ts';

const page = v.looseObject({ looked: v.number(), forgotten: v.number(), next: v.nullable(v.string()) });

/** Replays all forgettings since a time. It is safe to run again, because a forgotten person stays forgotten. */
export const replayAll = async (
  payload: Payload,
  ask: (payload: Payload) => Promise<AdminAnswer>,
): Promise<AdminAnswer> => {
  let [looked, forgotten] = [0, 0];
  const refused = await eachPage(payload, ask, (answer) => {
    const replayed = v.parse(page, answer);
    looked += replayed.looked;
    forgotten += replayed.forgotten;
  });
  return refused ?? { ok: true, looked, forgotten };
};
