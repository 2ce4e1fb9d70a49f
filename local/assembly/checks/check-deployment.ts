import { storageProblems } from './storage.ts';
import { wiringProblems } from './wiring.ts';
import type { Deployment } from '../deployment.ts';

/**
 * Lists what the embedded cloud could not run, or would lose without a trace, one sentence each. The loader has already
 * checked every reference.
 */
export const checkDeployment = (deployment: Deployment): readonly string[] => [
  ...storageProblems(deployment),
  ...wiringProblems(deployment),
];
