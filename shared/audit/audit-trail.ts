/** The audit log: who did what in an account. Entries are only ever added, and end after `limits.audit.retentionDays`. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { DAY_SECONDS, type Clock } from '../runtime/clock.ts';
import { withinMilliseconds } from '../runtime/deadline.ts';
import { errorFacts, type Log } from '../runtime/log.ts';
import { auditKeys } from '../table/audit-keys.ts';
import type { AppendOnlyTable } from '../table/table.ts';

/** Ids of what an action was about; never a name, an address or anything else that a client wrote. */
const ids = v.record(v.string(), v.union([v.string(), v.number()]));
export type AuditedIds = v.InferOutput<typeof ids>;

/** An entry as it is stored. */
export const auditItem = v.object({
  /** When it was done (epoch ms). */
  time: v.number(),
  /** Method and route template, or the name of another way to do something. */
  action: v.string(),
  /** HTTP status, or the word for what came of it. */
  outcome: v.string(),
  request_id: v.string(),
  property: v.optional(v.number()),
  /** Id of the API user. */
  user: v.optional(v.number()),
  /** Beginning of the hash of the token, which tells a user's tokens apart. */
  token: v.optional(v.string()),
  /** Who ran an operator command, in their own words: CloudTrail holds the proof. */
  operator: v.optional(v.string()),
  /** Address of the client. */
  source: v.optional(v.string()),
  ids: v.optional(ids, {}),
});
export type AuditEntry = Readonly<v.InferInput<typeof auditItem>>;

/** Adds entries to the audit logs of accounts. */
export interface AuditTrail {
  /** Resolves once the entry is stored; adding it again changes nothing. Throws when it cannot be stored in time. */
  add(account: number, entry: AuditEntry): Promise<void>;
  /** The same for what is done already, and cannot be undone: an entry that cannot be stored is written to the log. */
  tryAdd(account: number, entry: AuditEntry): Promise<void>;
}

/**
 * Stands for the account of names that are nobody's. A login under such a name writes an entry, too, and so takes as long as
 * a login under a name of somebody. Nobody reads these entries, and they end soon.
 */
export const NOBODY = 0;

/** The audit log in its table. */
export const auditTrail = ({
  entries,
  log,
  clock,
}: {
  readonly entries: Pick<AppendOnlyTable, 'add'>;
  readonly log: Log;
  readonly clock: Clock;
}): AuditTrail => {
  const add = (account: number, entry: AuditEntry): Promise<void> => {
    const { nobodySeconds, retentionDays, waitMilliseconds } = limits.audit;
    const kept = account === NOBODY ? nobodySeconds : retentionDays * DAY_SECONDS;
    const ttl = Math.ceil(entry.time / 1_000) + kept;
    const set = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
    const key = auditKeys.entry(account, entry.time, entry.request_id);
    return withinMilliseconds(clock, waitMilliseconds, () => entries.add(key, { ...set, ttl }));
  };
  return {
    add,
    tryAdd: async (account, entry) => {
      try {
        await add(account, entry);
      } catch (error) {
        const { action, outcome, request_id, property, user, token, operator, source } = entry;
        const facts = { action, outcome, request_id, property, user, token, operator, source };
        log('audit.lost', { account, ...facts, error: errorFacts(error) });
      }
    },
  };
};

const TOKEN_MARK = 8;

/** What tells the tokens of a user apart in logs: too short to look the token up by. */
export const tokenMark = (authorization: string): string =>
  createHash('sha256')
    .update(authorization.slice(authorization.indexOf(' ') + 1).trim())
    .digest('hex')
    .slice(0, TOKEN_MARK);
