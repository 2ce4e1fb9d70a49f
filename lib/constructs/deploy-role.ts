/** Deploy role: the role that a pipeline in GitHub takes, without keys of its own, to deploy a stage. */
import { readFileSync } from 'node:fs';
import { Aws, CfnOutput, Duration } from 'aws-cdk-lib/core';
import { PolicyDocument, PolicyStatement, Role, WebIdentityPrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import * as v from 'valibot';
import { acknowledgeDeployGrants } from '../config/nag-suppressions.ts';
import type { Stage } from '../config/stages.ts';

/** GitHub's provider of identities, which an AWS account has once for all stages. */
const PROVIDER = 'token.actions.githubusercontent.com';

const several = v.union([
  v.array(v.string()),
  v.pipe(
    v.string(),
    v.transform((one) => [one]),
  ),
]);
const Policy = v.object({
  Statement: v.array(v.object({ Effect: v.literal('Allow'), Action: several, Resource: several })),
});

/** The statements of a policy that people who deploy have, too. */
const statementsOf = (name: string): v.InferOutput<typeof Policy>['Statement'] => {
  const path = new URL(`../../docs/policies/${name}.json`, import.meta.url);
  return v.parse(Policy, JSON.parse(readFileSync(path, 'utf8'))).Statement;
};

/**
 * A role for jobs of one repository that run in the environment of the stage (GitHub Docs, "Configuring OpenID Connect in
 * Amazon Web Services"). It may deploy, and make a smoke run. Without `deployRepository` there is no such role.
 */
export const deployRole = (scope: Construct, stage: Stage): void => {
  const { name, deployRepository } = stage;
  if (deployRepository === undefined) return;
  const statements = [...statementsOf('deploy'), ...statementsOf('operator')];
  const provider = `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:oidc-provider/${PROVIDER}`;
  const role = new Role(scope, 'DeployRole', {
    assumedBy: new WebIdentityPrincipal(provider, {
      StringEquals: {
        [`${PROVIDER}:aud`]: 'sts.amazonaws.com',
        [`${PROVIDER}:sub`]: `repo:${deployRepository}:environment:${name}`,
      },
    }),
    inlinePolicies: {
      deploy: new PolicyDocument({
        statements: statements.map(
          ({ Action, Resource }) => new PolicyStatement({ actions: Action, resources: Resource }),
        ),
      }),
    },
    maxSessionDuration: Duration.hours(2),
  });
  acknowledgeDeployGrants(
    role,
    statements.flatMap(({ Resource }) => Resource),
  );
  new CfnOutput(scope, 'DeployRoleArn', { value: role.roleArn, description: 'Role of the pipeline' });
};
