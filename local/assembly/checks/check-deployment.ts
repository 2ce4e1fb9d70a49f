import type { FunctionEntry } from '../../../functions/entry.ts';
import { functionProblems } from './functions.ts';
import { storageProblems } from './storage.ts';
import { wiringProblems } from './wiring.ts';
import type { Deployment } from '../deployment.ts';

/**
 * What the stacks lack to run as the manifest says, one sentence each; empty when they are whole. References were
 * settled when the deployment was loaded: here it is about what nobody refers to, yet nothing works without.
 */
export const checkDeployment = (
  deployment: Deployment,
  manifest: Readonly<Record<string, FunctionEntry>>,
): readonly string[] => [
  ...functionProblems(deployment, manifest),
  ...storageProblems(deployment),
  ...wiringProblems(deployment),
];
