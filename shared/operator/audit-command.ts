/**
 * Command audit: records operator commands in the log and in the audit log of the account that a command or its
 * answer names.
 */
import * as v from 'valibot';
import { ownerOf } from '../auth/accounts.ts';
import { readUser } from '../auth/change-user.ts';
import { isObject } from '../http/json.ts';
import { roleSchema } from '../http/permissions.ts';
import { idSchema } from '../http/text.ts';
import type { Clock } from '../runtime/clock.ts';
import { sha256 } from '../runtime/hash.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Log } from '../runtime/log.ts';
import type { Table } from '../table/table.ts';
import { markOfHash, type AuditedIds, type AuditTrail } from '../audit/audit-trail.ts';
import { enricherName, fingerprint, hex64 } from './command-ids.ts';

/** The operator's name, in their own words: a function does not learn its caller. */
export const operatorName = v.pipe(v.string(), v.regex(/^[\w@.:/+=,-]{1,200}$/));

/** Splits a payload into the command and its `operator`. An invalid name is dropped. */
export const splitOperator = (
  payload: unknown,
): { readonly operator: string | undefined; readonly command: unknown } => {
  if (!isObject(payload)) return { operator: undefined, command: payload };
  const { operator, ...command } = payload;
  return { operator: v.is(operatorName, operator) ? operator : undefined, command };
};

interface ToldDeps {
  readonly audit: Pick<AuditTrail, 'tryAdd'>;
  readonly log: Log;
  readonly credentials: Pick<Table, 'get'>;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The answer of any operator command. */
type Answer = { readonly ok: true } | { readonly ok: false; readonly error: { readonly code: string } };

/**
 * Runs the command of a payload, and records it with its operator in the log and in the audit log of the
 * account concerned. It records only ids of the command and of its answer: other fields may contain a password.
 */
export const auditCommand = async <A extends Answer>(
  deps: ToldDeps,
  payload: unknown,
  run: (command: unknown) => Promise<A>,
): Promise<A> => {
  const { operator, command } = splitOperator(payload);
  const before = await subjectOf(deps.credentials, command);
  const answer = await run(command);
  const after = await subjectOf(deps.credentials, answer);
  const { account = after.account, property = after.property, user = after.user } = before;
  const name = v.is(called, command) ? command.command : 'none';
  const outcome = answer.ok ? 'ok' : answer.error.code;
  // A command on dead letters answers with the name of a queue of the service.
  const queue = v.is(onQueue, answer) ? answer.queue : undefined;
  const facts = { operator, account, property, user, ...(queue !== undefined && { queue }) };
  deps.log(answer.ok ? 'operator.done' : 'operator.refused', { ...facts, command: name, outcome });
  if (account !== undefined) {
    await deps.audit.tryAdd(account, {
      time: deps.clock(),
      action: `operator ${name}`,
      outcome,
      request_id: deps.ids.uuid(),
      operator,
      property,
      ids: { ...(user !== undefined && { user_id: user }), ...idsOf(command), ...givenIn(answer) },
    });
  }
  return answer;
};

/** A command may be refused as invalid and still have its entry, so its ids are judged here, too. */
const things = v.object({
  /** A token is named by itself or by its id, which is its hash. */
  token: v.optional(hex64),
  id: v.optional(hex64),
  fingerprint: v.optional(fingerprint),
  import: v.optional(idSchema),
  /** A user who is gone. */
  user: v.optional(idSchema),
  /** Rules of a property: who asks since when a rule holds reads the log. */
  profile_months: v.optional(v.number()),
  file_days: v.optional(v.number()),
  special_categories: v.optional(v.picklist(['on', 'off'])),
  search_names: v.optional(v.picklist(['on', 'off'])),
  /** The log says since when a user has had a role. */
  role: v.optional(roleSchema),
});
const onEnricher = v.object({
  command: v.pipe(v.string(), v.startsWith('enricher.')),
  name: enricherName,
});

/** The ids of the thing that a command is about, besides its account, its property and its user; and the rules that it sets. */
const idsOf = (command: unknown): AuditedIds => {
  const named = v.safeParse(things, command);
  if (!named.success) return {};
  const { token, id, fingerprint: key, import: definition, user, role } = named.output;
  const { profile_months: months, file_days: days, special_categories: special } = named.output;
  const { search_names: names } = named.output;
  const hash = id ?? (token === undefined ? undefined : sha256(token));
  return {
    ...(hash !== undefined && { token: markOfHash(hash) }),
    ...(key !== undefined && { fingerprint: key }),
    ...(definition !== undefined && { import_id: definition }),
    ...(user !== undefined && { user_id: user }),
    ...(months !== undefined && { profile_months: months }),
    ...(days !== undefined && { file_days: days }),
    ...(special !== undefined && { special_categories: special }),
    ...(names !== undefined && { search_names: names }),
    ...(role !== undefined && { role }),
    ...(v.is(onEnricher, command) && { enricher: command.name }),
  };
};

const addedKeys = v.object({ keys: v.array(v.string()) });
const madeUser = v.object({ user: v.number(), role: roleSchema });

/**
 * What a command gave a user: the fingerprints of SSH keys in one text, and the role of a new user, also where the command
 * names none.
 */
const givenIn = (answer: unknown): AuditedIds => ({
  ...(v.is(addedKeys, answer) && { fingerprint: answer.keys.join(' ') }),
  ...(v.is(madeUser, answer) && { role: answer.role }),
});

const called = v.object({ command: v.pipe(v.string(), v.regex(/^[a-z.-]{1,32}$/)) });
const onQueue = v.object({ queue: v.string() });
const named = v.object({
  account: v.optional(v.number()),
  property: v.optional(v.number()),
  username: v.optional(v.string()),
});

/** Ids of the subject of an operator command. */
interface Subject {
  readonly account?: number | undefined;
  readonly property?: number | undefined;
  readonly user?: number | undefined;
}

/** The subject of a command or of its answer, by the ids and the user name in it; empty when there is none. */
const subjectOf = async (credentials: Pick<Table, 'get'>, told: unknown): Promise<Subject> => {
  const parsed = v.safeParse(named, told);
  if (!parsed.success) return {};
  const { account, property, username } = parsed.output;
  const user = username === undefined ? undefined : await readUser(credentials, username);
  const owner = property === undefined ? undefined : await ownerOf(credentials, property);
  return { account: account ?? owner ?? user?.account, property, user: user?.id };
};
