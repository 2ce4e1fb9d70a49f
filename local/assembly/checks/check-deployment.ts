import type { FunctionEntry } from '../../../functions/entry.ts';
import { functionProblems } from './functions.ts';
import { storageProblems } from './storage.ts';
import { wiringProblems } from './wiring.ts';
import type { Deployment } from '../deployment.ts';

/**
 * Lists everything that the stacks lack to run as the manifest says, one sentence each. The list is empty when the
 * stacks are complete. The loader has already checked every reference; these checks find resources to which no other
 * resource refers, but without which the service fails.
 */
export const checkDeployment = (
  deployment: Deployment,
  manifest: Readonly<Record<string, FunctionEntry>>,
): readonly string[] => [
  ...functionProblems(deployment, manifest),
  ...storageProblems(deployment),
  ...wiringProblems(deployment),
];
