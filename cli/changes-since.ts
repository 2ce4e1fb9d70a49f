/** `npm run admin -- audit-log since`: reads the audit logs page by page, and joins the changes that they hold. */
import * as v from 'valibot';
import type { Payload } from './admin-commands.ts';
import { eachPage } from './admin-list.ts';
import type { AdminAnswer } from './admin-service.ts';

const page = v.looseObject({
  looked: v.number(),
  changes: v.array(v.looseObject({ time: v.string() })),
  next: v.nullable(v.string()),
});

/** All changes since a time, the earliest first. It changes nothing. */
export const listChanges = async (
  payload: Payload,
  ask: (payload: Payload) => Promise<AdminAnswer>,
): Promise<AdminAnswer> => {
  const found: v.InferOutput<typeof page>['changes'] = [];
  let looked = 0;
  const refused = await eachPage(payload, ask, (answer) => {
    const read = v.parse(page, answer);
    looked += read.looked;
    found.push(...read.changes);
  });
  return refused ?? { ok: true, looked, changes: found.toSorted((a, b) => a.time.localeCompare(b.time)) };
};
