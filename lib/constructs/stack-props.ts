import type { StackProps } from 'aws-cdk-lib/core';
import type { Stage } from '../config/stages.ts';

/**
 * The properties of a stack of a stage. CloudFormation deletes no stack of a stage that keeps its data, until
 * `npm run destroy` has asked.
 */
export const stackProps = ({ keepData }: Stage, description: string): StackProps => ({
  description: `Tidemark: ${description}`,
  terminationProtection: keepData,
});
