/**
 * Feature flags of the CDK that change templates. Here and not in cdk.json, so that synthesizing in-process and through
 * the command line gives the same stacks.
 */
export const featureFlags = {
  // A stack that others read from cannot drop what they read.
  '@aws-cdk/core:defaultCrossStackReferences': 'strong',
  '@aws-cdk/core:checkSecretUsage': true,
  '@aws-cdk/core:validateAgainstDefaultRules': true,
  '@aws-cdk/core:target-partitions': ['aws'],
  '@aws-cdk/aws-iam:minimizePolicies': true,
} as const;
