/** `npm run smoke -- --stage <stage>`: sends a sample through a deployed stage, and compares every figure. */
import { styleText } from 'node:util';
import { ok } from '../shared/runtime/result.ts';
import type { Payload } from './admin-commands.ts';
import { fail } from './admin-output.ts';
import { refusalOf } from './admin-question.ts';
import { describeTarget, findTarget } from './admin-service.ts';
import { serviceAddress } from './aws-account.ts';
import { figureRow } from './demo-figures.ts';
import { runCommand } from './run-command.ts';
import { readSmokeArguments, smokeHelp, type SmokeArguments } from './smoke-arguments.ts';
import { cleanUp, smoke } from './smoke-run.ts';
import { count, table } from './terminal.ts';

const run = async ({ rows, yes, ...args }: SmokeArguments): Promise<void> => {
  const target = await findTarget(args);
  console.error(styleText('dim', describeTarget(target)));
  const purpose = args.cleanUp
    ? 'Delete what earlier smoke runs left'
    : `Make an account, import ${count(rows)} invented people, and delete all of it`;
  const refused = await refusalOf(
    { words: 'smoke', payload: {}, loss: () => Promise.resolve(ok(purpose)), yes },
    target,
    () => Promise.reject(new Error('The question needs no facts')),
  );
  if (refused !== undefined) throw new Error(refused);
  const stage = {
    ask: (payload: Payload) => runCommand({ payload, json: false }, target, { tell: () => undefined }),
    rows,
    now: Date.now,
  };
  if (args.cleanUp) {
    await cleanUp(stage);
    return;
  }
  const figures = await smoke({ ...stage, address: await serviceAddress(target) });
  console.log('');
  table(figures.map(figureRow));
};

const args = readSmokeArguments(process.argv.slice(2));
if (!args.ok) {
  fail(args.error);
} else if (args.value === 'help') {
  console.log(smokeHelp);
} else {
  try {
    await run(args.value);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}
