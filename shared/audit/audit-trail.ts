/**
 * Audit trail: records every action in an account with its actor. Entries are never changed, and expire after
 * `limits.audit.retentionDays`.
 */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { DAY_MS, ttlAt, type Clock, systemClock } from '../runtime/clock.ts';
import { withinMilliseconds } from '../runtime/deadline.ts';
import { errorFacts, type Log, systemLog } from '../runtime/log.ts';
import { auditKeys } from '../table/request-keys.ts';
import type { AppendOnlyTable } from '../table/table.ts';
import { sha256 } from '../runtime/hash.ts';
import { auditLogFromEnv } from '../table/dynamo-client.ts';
import type { Env } from '../runtime/env.ts';

/** Ids of the subject of an action; never a name, an address or other text of a client. */
const ids = v.record(v.string(), v.union([v.string(), v.number()]));
export type AuditedIds = v.InferOutput<typeof ids>;

/** An entry as stored. */
export const auditItem = v.object({
  /** Time of the action (epoch ms). */
  time: v.number(),
  /** Method and route template, or the name of another kind of action. */
  action: v.string(),
  /** HTTP status, or a word for the outcome. */
  outcome: v.string(),
  request_id: v.string(),
  property: v.optional(v.number()),
  /** Id of the API user. */
  user: v.optional(v.number()),
  /** Beginning of the hash of the token, which distinguishes a user's tokens. */
  token: v.optional(v.string()),
  /** The operator of a command, in their own words; CloudTrail holds the proof. */
  operator: v.optional(v.string()),
  /** Address of the client. */
  source: v.optional(v.string()),
  ids: v.optional(ids, {}),
});
export type AuditEntry = Readonly<v.InferInput<typeof auditItem>>;

/** The place of an entry in the log of its account. */
export interface EntryPlace {
  /** The rate that an operator has set for the account: a higher one has more partitions. */
  readonly requestsPerSecond?: number | undefined;
  /** Whether the request has an entry that was stored before its outcome was known: this one stands for both. */
  readonly isLater?: boolean;
}

/**
 * Stands for the account of unknown user names. A login under an unknown name writes an entry too, so it takes
 * as long as a login under a known name. Nobody reads these entries, and they expire soon.
 */
export const NOBODY = 0;

/** The audit logs of accounts, in their table. */
export const auditTrail = ({
  entries,
  log,
  clock,
}: {
  readonly entries: Pick<AppendOnlyTable, 'add'>;
  readonly log: Log;
  readonly clock: Clock;
}) => {
  /** Resolves once the entry is stored; adding it again changes nothing. Throws when it cannot be stored in time. */
  const add = (account: number, entry: AuditEntry, place: EntryPlace = {}): Promise<void> => {
    const { nobodySeconds, retentionDays, waitMilliseconds } = limits.audit;
    const kept = account === NOBODY ? nobodySeconds * 1_000 : retentionDays * DAY_MS;
    const ttl = ttlAt(entry.time + kept);
    const set = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
    const { requestsPerSecond, isLater = false } = place;
    const first = auditKeys.entry({
      account,
      time: entry.time,
      request: entry.request_id,
      requestsPerSecond,
    });
    const key = isLater ? auditKeys.later(first) : first;
    return withinMilliseconds(clock, waitMilliseconds, () => entries.add(key, { ...set, ttl }));
  };
  return {
    add,
    /**
     * The same for an action that is already done and cannot be undone: an entry that cannot be stored is written to the log.
     */
    tryAdd: async (account: number, entry: AuditEntry, place?: EntryPlace): Promise<void> => {
      try {
        await add(account, entry, place);
      } catch (error) {
        const { action, outcome, request_id, property, user, token, operator, source } = entry;
        const facts = { action, outcome, request_id, property, user, token, operator, source };
        log('audit.lost', { account, ...facts, error: errorFacts(error) });
      }
    },
  };
};

export type AuditTrail = ReturnType<typeof auditTrail>;

const TOKEN_MARK = 8;

/** Distinguishes the tokens of a user in logs: too short to look the token up. */
export const tokenMark = (authorization: string): string =>
  markOfHash(sha256(authorization.slice(authorization.indexOf(' ') + 1).trim()));

/** The mark of the token with a hash. */
export const markOfHash = (hash: string): string => hash.slice(0, TOKEN_MARK);

/** Whether a text has the form of a mark. */
export const isTokenMark = (text: string): boolean => text.length === TOKEN_MARK && /^[0-9a-f]+$/.test(text);

/** The audit log in the table that the environment of a function names. Throws when it names none. */
export const auditTrailFromEnv = (env: Env<'AUDIT_LOG_TABLE_NAME'>): AuditTrail =>
  auditTrail({ entries: auditLogFromEnv(env), log: systemLog, clock: systemClock });

/** The facts of a route that decide about its audit. */
export interface AuditedRoute {
  readonly method: string;
  /**
   * For a route that shows personal data which the service holds: of one person, whom its response then names for the log,
   * or of many people.
   */
  readonly shows?: 'person' | 'people';
}

/** Whether requests of a route are in the audit log: changes, and reads of personal data. */
export const isAudited = ({ method, shows }: AuditedRoute): boolean =>
  method !== 'GET' || shows !== undefined;
