/**
 * `npm run destroy -- -c stage=<stage>`: lists the losses of a removal, and asks the operator. Then the CDK removes the stacks
 * of the stage.
 */
import { styleText } from 'node:util';
import { fail } from './admin-output.ts';
import { refusalOf } from './admin-question.ts';
import { awsAccount, liftProtection } from './aws-account.ts';
import { readDestroyArguments, type DestroyArguments } from './deploy-arguments.ts';
import { deployedOf, judgeRemoval } from './deploy-guard.ts';
import { ASSEMBLY, cdk, synthesizedStage } from './deploy-stage.ts';
import { ok } from '../shared/runtime/result.ts';

const ownHelp = `
Also of npm run destroy:
      --confirm <stage>    The name of the stage once more; a stage that keeps its data needs it
      --yes                Do not ask
`;

/** Removes a stage, unless the operator does not agree. Answers an exit code. */
const destroyStage = async (args: DestroyArguments): Promise<number> => {
  const { stage, profile, yes } = args;
  const synthesis = await synthesizedStage(args.forSynth);
  if (typeof synthesis === 'number') return synthesis;
  const { stacks, environment } = synthesis;
  const access = { region: environment.region, ...(profile !== undefined && { profile }) };
  const deployed = await deployedOf([...stacks.keys()], awsAccount(access));
  const { admitted, lines } = judgeRemoval(args, deployed);
  for (const line of lines) console.error(styleText('yellow', line));
  if (!admitted) return 1;
  const question = `Remove the stage ${stage} with all that is listed above`;
  const refused = await refusalOf(
    { words: 'destroy', payload: {}, loss: () => Promise.resolve(ok(question)), yes },
    { kind: 'aws', stage, account: environment.account, ...access },
    () => Promise.reject(new Error('A removal asks no function of the stage')),
  );
  if (refused !== undefined) {
    fail(refused);
    return 1;
  }
  await liftProtection(access, [...deployed.keys()]);
  // The question was asked.
  return cdk('destroy', '--all', '--force', '--app', ASSEMBLY, ...args.forDestroy);
};

const args = readDestroyArguments(process.argv.slice(2));
if (args.help) {
  process.exitCode = await cdk('destroy', '--help');
  console.log(ownHelp);
} else {
  process.exitCode = await destroyStage(args);
}
