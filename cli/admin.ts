/** `npm run admin -- <command>`: the operator's command line. `--help` lists the commands. */
import { styleText } from 'node:util';
import { help, readArguments } from './admin-commands.ts';
import { askOperator, describeTarget, findTarget } from './admin-service.ts';
import { fail, show } from './admin-output.ts';
import { refusalOf } from './admin-question.ts';
import { readSecret } from './read-secret.ts';
import { runCommand } from './run-command.ts';

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
    const answer = await runCommand({ ...request, payload: { ...request.payload, ...secret } }, target);
    if (request.json) console.log(JSON.stringify(answer, undefined, 2));
    else show(answer);
    if (!answer.ok) process.exitCode = 1;
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}
