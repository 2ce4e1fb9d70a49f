import type { FunctionEntry } from '../../../functions/entry.ts';
import type { Deployment } from '../../../local/assembly/deployment.ts';
import { conventionProblems } from './conventions.ts';
import { functionProblems } from './functions.ts';

/**
 * Lists everything that the stacks lack to run as the manifest says, one sentence each: resources to which no other
 * resource refers, but without which the service fails.
 */
export const stackProblems = (
  deployment: Deployment,
  manifest: Readonly<Record<string, FunctionEntry>>,
): readonly string[] => [...functionProblems(deployment, manifest), ...conventionProblems(deployment)];
