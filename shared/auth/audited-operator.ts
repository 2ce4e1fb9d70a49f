import * as v from 'valibot';
import { subjectOf } from '../audit/operator-entry.ts';
import type { AuditTrail } from '../audit/trail.ts';
import { isObject } from '../http/json.ts';
import type { Log } from '../runtime/log.ts';
import { operate, type OperatorAnswer, type OperatorDeps } from './operator.ts';

interface AuditedOperatorDeps extends OperatorDeps {
  readonly audit: AuditTrail;
  readonly log: Log;
}

const called = v.object({ command: v.pipe(v.string(), v.regex(/^[a-z.]{1,32}$/)) });
const operatorName = v.pipe(v.string(), v.regex(/^[\w@.:/+=,-]{1,200}$/));

/**
 * Runs one command of an operator, and tells it in the log and in the audit log of the account that it concerns. Beside the
 * command the payload may say who the `operator` is: only their own word, since the function is not told who calls it. Of
 * the command itself ids are told alone: the rest may hold a password.
 */
export const auditedOperate = async (
  deps: AuditedOperatorDeps,
  payload: unknown,
): Promise<OperatorAnswer> => {
  const { operator: told, ...rest } = isObject(payload) ? payload : {};
  const command = isObject(payload) ? rest : payload;
  const operator = v.is(operatorName, told) ? told : undefined;
  const before = await subjectOf(deps.credentials, command);
  const answer = await operate(deps, command);
  const after = await subjectOf(deps.credentials, answer);
  const { account = after.account, property = after.property, user = after.user } = before;
  const name = v.is(called, command) ? command.command : 'none';
  const outcome = answer.ok ? 'ok' : answer.error.code;
  const facts = { operator, account, property, user };
  deps.log(answer.ok ? 'operator.done' : 'operator.refused', { ...facts, command: name, outcome });
  if (account !== undefined)
    await deps.audit.tell(account, {
      time: deps.clock(),
      action: `operator ${name}`,
      outcome,
      request_id: deps.ids.uuid(),
      operator,
      property,
      ids: user === undefined ? {} : { user_id: user },
    });
  return answer;
};
