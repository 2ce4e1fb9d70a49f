/** Runs operator commands: asks the functions of operators, as often as a command needs. */
import { readFile } from 'node:fs/promises';
import { sendBrandFile, shippedBrands, type Ask } from '../shared/brands/send-file.ts';
import type { AdminRequest, Payload } from './admin-commands.ts';
import { wholeList } from './admin-list.ts';
import { askOperator, type AdminAnswer, type Target } from './admin-service.ts';
import { runAudit } from './audit.ts';
import { listChanges } from './changes-since.ts';
import { raiseAll } from './counters.ts';
import { deleteWhole } from './delete-property.ts';
import { endUser, type EndPorts } from './end-user.ts';
import { replayAll } from './forgettings.ts';

/** Sends a brand catalogue in parts. A file with errors is not sent. */
const loadBrands = async ({ file }: Payload, target: Target): Promise<AdminAnswer> => {
  const bytes = typeof file === 'string' ? await readFile(file) : await shippedBrands();
  const ask: Ask = async (command) => {
    const answer = await askOperator(command, target);
    if (!answer.ok) throw new Error(answer.error.message);
    return answer;
  };
  const loaded = await sendBrandFile(ask, bytes);
  if (loaded.ok) return { ok: true, ...loaded.value };
  const errors = loaded.error.map(({ line, message }) => ({ pointer: `/line ${line}`, detail: message }));
  return { ok: false, error: { message: 'The file has errors; nothing was loaded.', errors } };
};

/** A command as the command line has read it. */
export type Command = Pick<Extract<AdminRequest, { kind: 'run' }>, 'payload' | 'json'>;

/** What a command may need besides its target. */
export interface CommandPorts {
  /** Hears of each step of a deletion. */
  readonly tell?: (step: string) => void;
  /** Waits until the last requests of a user have ended. */
  readonly wait?: EndPorts['wait'];
}

/** Runs a command on a target. Commands that take many calls have functions of their own. */
export const runCommand = (
  { payload, json }: Command,
  target: Target,
  { tell, wait }: CommandPorts = {},
): Promise<AdminAnswer> => {
  const askFunction = (name: string) => (one: Payload) => askOperator(one, target, name);
  switch (String(payload['command'])) {
    case 'audit':
      return runAudit(payload, askFunction('auditIndex'), json);
    case 'audit-log.since':
      return listChanges(payload, askFunction('operator'));
    case 'forgettings.replay':
      return replayAll(payload, askFunction('replayForgettings'));
    case 'property.delete':
      return deleteWhole(
        payload,
        (one) => askFunction(one['command'] === 'property.close' ? 'operator' : 'deleteProperty')(one),
        tell,
      );
    case 'user.disable':
    case 'user.password':
    case 'user.delete':
    case 'user.erase':
      return endUser(payload, askFunction('operator'), { wait });
    case 'counters.raise':
      return raiseAll(payload, (command) => askOperator(command, target));
    case 'counters.list':
    case 'account.list':
    case 'property.list':
    case 'user.list':
      return wholeList(payload, askFunction('operator'));
    case 'brands.load':
      return loadBrands(payload, target);
    default:
      return askOperator(payload, target);
  }
};
