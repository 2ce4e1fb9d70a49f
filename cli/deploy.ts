/**
 * `npm run deploy -- -c stage=<stage>`: synthesizes the stacks, says what the deployment would take away, and deploys
 * them with the CDK. CloudFormation takes up tables and buckets that an earlier stack left under the same names.
 */
import { readDeployArguments } from './deploy-arguments.ts';
import { cdk, deployStage } from './deploy-stage.ts';

const ownHelp = `
Also of npm run deploy:
      --allow-removal      Deploy although the deployment takes something away
`;

const args = readDeployArguments(process.argv.slice(2));
if (args.help) {
  process.exitCode = await cdk('deploy', '--help');
  console.log(ownHelp);
} else {
  process.exitCode = await deployStage(args);
}
