/**
 * Changes since a time: reads the audit logs of all accounts, which no restore sets back, for what a restore to that time
 * has lost and people must do again.
 */
import * as v from 'valibot';
import { auditItem } from '../audit/audit-trail.ts';
import { limits } from '../config/limits.ts';
import { isoTime } from '../runtime/clock.ts';
import { auditKeys } from '../table/request-keys.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import { readCounter } from '../table/read-counter.ts';
import { padded } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

export interface ChangesDeps {
  readonly credentials: Pick<Table, 'get'>;
  readonly auditLog: Pick<Table, 'query'>;
}

/** A place in the logs: account, partition of its log, and the entry behind which the next page begins. */
const placeForm = /^(\d{1,15})\/(\d)\/(.{0,200})$/;
const place = v.pipe(v.string(), v.regex(placeForm, 'Must be the `next` of the answer before.'));

/** The parameters of the command. */
export const changesSinceCommand = v.strictObject({
  since: v.pipe(v.string(), v.isoTimestamp('Must be a time, such as 2026-11-23T06:00:00Z.')),
  after: v.optional(place),
});

/**
 * What somebody did: `undo` of an import, `cancellation` of a job, `withdrawal` of a location, of links, of an address or
 * of a token, `deletion`, `replacement` and `creation` of a definition or a link; or a `command` of an operator.
 */
type ChangeKind =
  'undo' | 'cancellation' | 'withdrawal' | 'deletion' | 'replacement' | 'creation' | 'command';

/** The table that has a change: a restore of the other table keeps it. Each restores a part of a change in both. */
interface Change {
  readonly kind: ChangeKind;
  readonly table: 'data' | 'credentials' | 'both';
}

/** Where definitions and links are made. */
const made = /\/(?:imports|exports|segments|collections|timelines|chart-links|erasures)$/;

/**
 * The change that an action of the audit log has made. `undefined` for reads, for work such as imports and runs, for the
 * profiles of people, and for forgettings and objections, which `forgettings replay` repeats.
 */
export const changeOf = (action: string): Change | undefined => {
  const [method = '', path = ''] = action.split(' ');
  if (method === 'operator') return commandChange(path);
  if (method === 'sign-out' || (method === 'DELETE' && path.startsWith('/v1/me/tokens/')))
    return { kind: 'withdrawal', table: 'credentials' };
  if (method === 'DELETE' && /\/(?:profile|objections\/[^/]+)$/.test(path)) return undefined;
  const kind = kindOf(method, path);
  return kind && { kind, table: 'data' };
};

const kindOf = (method: string, path: string): ChangeKind | undefined => {
  if (method === 'DELETE')
    return /\/(?:location|chart-links|notification-emails)$/.test(path) ? 'withdrawal' : 'deletion';
  if (method === 'PUT') return 'replacement';
  if (method !== 'POST') return undefined;
  if (path.endsWith('/undo')) return 'undo';
  if (path.endsWith('/cancel')) return 'cancellation';
  return made.test(path) ? 'creation' : undefined;
};

/** Commands about properties, but for their rules, are among those of the credentials: `property list` shows what differs after a restore. */
const commandChange = (command: string): Change | undefined => {
  if (/\.(?:list|show)$/.test(command)) return undefined;
  if (/^(?:import|enricher)\.|^property\.set$/.test(command)) return { kind: 'command', table: 'data' };
  // These also end mail and links, which the table of data has.
  if (/^user\.(?:disable|delete|erase|password)$/.test(command)) return { kind: 'command', table: 'both' };
  return /^(?:account|property|client|user|token)\./.test(command)
    ? { kind: 'command', table: 'credentials' }
    : undefined;
};

const stored = v.object({ sk: v.string(), ...auditItem.entries });

/** The changes on one page of the logs. `next` goes into `after`; null at the end. */
export interface ChangesPage {
  readonly looked: number;
  readonly changes: readonly Readonly<Record<string, unknown>>[];
  readonly next: string | null;
}

/**
 * Reads a part of the logs: their entries since a time, one account after the other, also of accounts that are gone. What
 * an answer holds is bounded, however many entries there are.
 */
export const changesSince = async (
  { credentials, auditLog }: ChangesDeps,
  { since, after }: v.InferOutput<typeof changesSinceCommand>,
): Promise<ChangesPage> => {
  const last = await readCounter(credentials, credentialKeys.counter('account'));
  const from = padded(Date.parse(since), 13);
  const { queries, entries } = limits.operator.logPage;
  const changes: Readonly<Record<string, unknown>>[] = [];
  let [at, looked] = [placeOf(after), 0];
  for (let query = 0; at.account <= last; query += 1) {
    if (query === queries || looked >= entries) return { looked, changes, next: textOf(at) };
    const logs = auditKeys.logs(at.account);
    const pk = logs[at.shard] ?? '';
    const range = at.sk === '' ? { from } : { from, after: at.sk };
    const page = await auditLog.query(pk, { ...range, limit: entries });
    looked += page.items.length;
    changes.push(...page.items.flatMap((item) => shown(at.account, item)));
    if (page.next !== undefined) at = { ...at, sk: page.next };
    else if (at.shard + 1 < logs.length) at = { account: at.account, shard: at.shard + 1, sk: '' };
    else at = { account: at.account + 1, shard: 0, sk: '' };
  }
  return { looked, changes, next: null };
};

interface Place {
  readonly account: number;
  readonly shard: number;
  readonly sk: string;
}

const placeOf = (text = '1/0/'): Place => {
  const [, account = '', shard = '', sk = ''] = placeForm.exec(text) ?? [];
  return { account: Number(account), shard: Number(shard), sk };
};

const textOf = ({ account, shard, sk }: Place): string => `${account}/${shard}/${sk}`;

/** A change as an operator sees it. Requests and commands that were refused have changed nothing. */
const shown = (account: number, item: unknown): Readonly<Record<string, unknown>>[] => {
  const { time, action, outcome, property, user, operator, ids } = v.parse(stored, item);
  const change = changeOf(action);
  if (!change || !isDone(outcome)) return [];
  const by = operator === undefined ? { user: user ?? null } : { operator };
  return [{ time: isoTime(time), ...change, action, account, property: property ?? null, ...by, ids }];
};

/** Statuses of success, and the words of commands that were carried out. */
const isDone = (outcome: string): boolean => /^(?:2\d\d|ok|erasing|ended)$/.test(outcome);
