/**
 * Feature flags of the CDK that change templates. Here and not in cdk.json, so that synthesizing in-process and through
 * the command line gives the same stacks.
 */
export const featureFlags = {
  '@aws-cdk/core:checkSecretUsage': true,
  '@aws-cdk/core:validateAgainstDefaultRules': true,
  '@aws-cdk/core:target-partitions': ['aws'],
  '@aws-cdk/aws-iam:minimizePolicies': true,
} as const;
