/** `npm run admin -- <command>`: the operator's command line. `--help` lists the commands. */
import { readFile } from 'node:fs/promises';
import { styleText } from 'node:util';
import { sendBrandFile, shippedBrands, type Ask } from '../shared/brands/send-file.ts';
import { help, readArguments, type AdminRequest, type Payload } from './admin-commands.ts';
import { askOperator, describeTarget, findTarget, type AdminAnswer, type Target } from './admin-service.ts';
import { wholeList } from './admin-list.ts';
import { fail, show } from './admin-output.ts';
import { refusalOf } from './admin-question.ts';
import { runAudit } from './audit.ts';
import { listChanges } from './changes-since.ts';
import { raiseAll } from './counters.ts';
import { deleteWhole } from './delete-property.ts';
import { replayAll } from './forgettings.ts';
import { readSecret } from './read-secret.ts';

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

type Command = Extract<AdminRequest, { kind: 'run' }>;

/** Runs a command. Commands that take many calls have functions of their own. */
const run = ({ payload, json }: Command, target: Target): Promise<AdminAnswer> => {
  const askFunction = (name: string) => (one: Payload) => askOperator(one, target, name);
  switch (String(payload['command'])) {
    case 'audit':
      return runAudit(payload, askFunction('auditIndex'), json);
    case 'audit-log.since':
      return listChanges(payload, askFunction('operator'));
    case 'forgettings.replay':
      return replayAll(payload, askFunction('replayForgettings'));
    case 'property.delete':
      return deleteWhole(payload, (one) =>
        askFunction(one['command'] === 'property.close' ? 'operator' : 'deleteProperty')(one),
      );
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

const request = readArguments(process.argv.slice(2));
if (request.kind === 'help') {
  console.log(help(request.words));
} else if (request.kind === 'wrong') {
  fail(request.message);
} else {
  try {
    const { stdin } = request;
    const target = await findTarget(request);
    // Standard output is the answer's.
    console.error(styleText('dim', describeTarget(target)));
    const refused = await refusalOf(request, target, (facts) => askOperator(facts, target));
    if (refused !== undefined) throw new Error(refused);
    const secret = stdin === undefined ? {} : { [stdin]: await readSecret(stdin) };
    const answer = await run({ ...request, payload: { ...request.payload, ...secret } }, target);
    if (request.json) console.log(JSON.stringify(answer, undefined, 2));
    else show(answer);
    if (!answer.ok) process.exitCode = 1;
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}
