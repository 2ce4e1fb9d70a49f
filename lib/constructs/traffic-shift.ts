/** Traffic shift: moves the requests of a route from the old code of its function to the new code, gradually. */
import { Aws, Stack } from 'aws-cdk-lib/core';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { type IRole, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { acknowledgeTrafficShift } from '../config/nag-suppressions.ts';
import { physicalName, type Service } from './service.ts';
import type { ServiceFunction } from './service-function.ts';

/** The alarm that stops a shift and turns it back: clients get errors. */
export const SHIFT_ALARM = 'api-errors';

/** The alias of the version that serves clients. */
const ALIAS = 'live';

/** What CodeDeploy does in a shift (CodeDeploy User Guide, "AWSCodeDeployRoleForLambdaLimited"), without its hooks. */
const shiftRole = (scope: Construct, { stage }: Service): IRole => {
  const functions = `arn:${Aws.PARTITION}:lambda:${Aws.REGION}:${Aws.ACCOUNT_ID}:function:${physicalName(stage, '*')}`;
  const role = new Role(scope, 'ShiftRole', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    inlinePolicies: {
      shift: new PolicyDocument({
        statements: [
          new PolicyStatement({
            actions: ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias'],
            resources: [functions],
          }),
          // CloudWatch has no smaller resource for this action.
          new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }),
        ],
      }),
    },
  });
  acknowledgeTrafficShift(role, stage);
  // The CDK would add the policy of AWS, which allows the same for all functions of the account.
  return role.withoutPolicyUpdates();
};

/** The deployment groups of a stack: they shift the requests of its aliases, and stop at the alarm. */
const shiftGroups = (
  scope: Construct,
  service: Service,
): ((target: ServiceFunction, alias: Alias) => LambdaDeploymentGroup) => {
  const { stage } = service;
  const application = new LambdaApplication(scope, 'Shift', { applicationName: Stack.of(scope).stackName });
  const role = shiftRole(scope, service);
  const alarms = [Alarm.fromAlarmName(scope, 'ShiftAlarm', physicalName(stage, SHIFT_ALARM))];
  return (target, alias) =>
    new LambdaDeploymentGroup(target, 'Shift', {
      ...{ alias, application, role, alarms, deploymentGroupName: target.name },
      deploymentConfig: stage.closed
        ? LambdaDeploymentConfig.ALL_AT_ONCE
        : LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
      // Who stops a shift wants the old version. Otherwise the alias would stay with both.
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      // A closed stage answers 503, so its alarm rings, and would stop the deployment that mends it.
      ignoreAlarmConfiguration: stage.closed,
    });
};

/**
 * For each function of a stack, the ARN to which its routes go: the alias of the version that serves. Where the stage
 * shifts gradually, CodeDeploy gives a new version a tenth of the requests for ten minutes, and then all. Two moves of each
 * alias keep a deployment of all functions within the rate of Lambda's own API. When `SHIFT_ALARM` rings, CodeDeploy gives
 * all requests back to the old version, and CloudFormation then undoes the deployment of the stack. Otherwise, and in a
 * closed stage, a new version gets all requests at once. The local stage has one version of each function.
 */
export const routeTarget = (scope: Construct, service: Service): ((target: ServiceFunction) => string) => {
  const { stage } = service;
  if (stage.name === 'local') return (target) => target.function.functionArn;
  const addGroup = stage.gradualShift ? shiftGroups(scope, service) : undefined;
  return (target) => {
    const alias = target.function.addAlias(ALIAS);
    addGroup?.(target, alias);
    return alias.functionArn;
  };
};
