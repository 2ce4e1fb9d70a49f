/** Deploy role: the role that a pipeline in GitHub takes, without keys of its own, to deploy a stage. */
import { readFileSync } from 'node:fs';
import { Aws, CfnOutput, Duration } from 'aws-cdk-lib/core';
import { PolicyDocument, Role, WebIdentityPrincipal } from 'aws-cdk-lib/aws-iam';
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
const Policy = v.looseObject({ Statement: v.array(v.looseObject({ Resource: several })) });

/** A policy that people who deploy have, too. */
const documentOf = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../docs/policies/${name}.json`, import.meta.url), 'utf8'));

/** The policies of the role. */
const policies = ['deploy', 'operator'] as const;

/**
 * A role for jobs of one repository that run in the environment of the stage (GitHub Docs, "Configuring OpenID Connect in
 * Amazon Web Services"). It may deploy, and make a smoke run. Without `deployRepository` there is no such role.
 */
export const deployRole = (scope: Construct, stage: Stage): void => {
  const { name, deployRepository } = stage;
  if (deployRepository === undefined) return;
  const documents = policies.map((one) => [one, documentOf(one)] as const);
  const provider = `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:oidc-provider/${PROVIDER}`;
  const role = new Role(scope, 'DeployRole', {
    assumedBy: new WebIdentityPrincipal(provider, {
      StringEquals: {
        [`${PROVIDER}:aud`]: 'sts.amazonaws.com',
        [`${PROVIDER}:sub`]: `repo:${deployRepository}:environment:${name}`,
      },
    }),
    inlinePolicies: Object.fromEntries(
      documents.map(([one, document]) => [one, PolicyDocument.fromJson(document)]),
    ),
    maxSessionDuration: Duration.hours(2),
  });
  acknowledgeDeployGrants(
    role,
    documents.flatMap(([, document]) =>
      v.parse(Policy, document).Statement.flatMap(({ Resource }) => Resource),
    ),
  );
  new CfnOutput(scope, 'DeployRoleArn', { value: role.roleArn, description: 'Role of the pipeline' });
};
