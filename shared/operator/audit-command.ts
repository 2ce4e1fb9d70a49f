/**
 * Command audit: records operator commands in the log and in the audit log of the account that a command or its
 * answer names.
 */
import * as v from 'valibot';
import { ownerOf } from '../auth/accounts.ts';
import { readUser } from '../auth/read-user.ts';
import { isObject } from '../http/json.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Log } from '../runtime/log.ts';
import type { Table } from '../table/table.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';

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
 * account concerned. It records only ids of the command: other fields may contain a password.
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
      ids: user === undefined ? {} : { user_id: user },
    });
  }
  return answer;
};

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
