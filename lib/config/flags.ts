/**
 * Feature flags of the CDK that change templates. They are here and not in cdk.json, so that a synthesis in this process
 * and a synthesis through the command line give the same stacks.
 */
export const featureFlags = {
  // A stack cannot remove an output while another stack reads it, so nobody is left with the name of what is gone. The
  // way out is two deployments: see "Resources that stacks share" in CONTRIBUTING.md.
  '@aws-cdk/core:defaultCrossStackReferences': 'strong',
  '@aws-cdk/core:checkSecretUsage': true,
  '@aws-cdk/core:validateAgainstDefaultRules': true,
  '@aws-cdk/core:target-partitions': ['aws'],
  '@aws-cdk/aws-iam:minimizePolicies': true,
} as const;
