/** `npm run admin -- audit-log since`: reads the audit logs page by page, and keeps what a restore has lost. */
import * as v from 'valibot';
import type { Payload } from './admin-commands.ts';
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
  for (let after: string | null = null; ;) {
    const answer = await ask(after === null ? payload : { ...payload, after });
    if (!answer.ok) return answer;
    const read = v.parse(page, answer);
    looked += read.looked;
    found.push(...read.changes);
    after = read.next;
    if (after === null)
      return { ok: true, looked, changes: found.toSorted((a, b) => a.time.localeCompare(b.time)) };
  }
};
