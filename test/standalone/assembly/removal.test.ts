import { describe, expect, it } from 'vitest';
import { resolveDeployment } from '../../../local/assembly/deployment.ts';
import type { Assembly } from '../../../local/assembly/assembly.ts';
import { DeploymentError } from '../../../local/assembly/template.ts';
import { earlierFunctions } from '../../../lib/constructs/earlier-logs.ts';
import { sampleOf } from '../../support/scale.ts';
import { problemsOfStart, realAssembly, without } from './stacks.ts';

const assembly = realAssembly();

const problemsOf = (given: Assembly): readonly string[] => {
  try {
    return problemsOfStart(resolveDeployment(given));
  } catch (error) {
    if (error instanceof DeploymentError) return error.problems;
    throw error;
  }
};

const resources = assembly.stacks.flatMap(({ name, template }) =>
  Object.entries(template.Resources).map(([logicalId, { Type }]) => ({ stack: name, logicalId, type: Type })),
);

/** Resources that the running service does not need: only the construct tree misses them. */
const ORNAMENTS = [
  'AWS::CloudWatch::Dashboard',
  'AWS::CDK::Metadata',
  'AWS::CloudWatch::Alarm',
  'AWS::Logs::MetricFilter',
];

/** Whether a resource is the log of a function that went: nothing writes to it. */
const isOfEarlier = ({ logicalId }: { readonly logicalId: string }): boolean =>
  Object.values(earlierFunctions).some((names) => names.some((name) => logicalId.startsWith(`${name}Logs`)));

describe('the stacks of the service', () => {
  it('are whole', () => {
    expect(problemsOf(assembly)).toEqual([]);
    expect(resources.length).toBeGreaterThan(150);
  });

  it('the stacks do not start without any one of their resources', () => {
    const started = resources.filter(({ stack, logicalId }) => {
      const problems = problemsOf(without(assembly, stack, logicalId));
      return !problems.some((problem) => problem.includes(logicalId));
    });
    expect(started).toEqual([]);
  });

  it('the stacks do not start without a serving resource, even when it was never made', () => {
    const serving = resources.filter((one) => !ORNAMENTS.includes(one.type) && !isOfEarlier(one));
    const started = sampleOf(serving, 7).filter(
      ({ stack, logicalId }) => problemsOf(without(assembly, stack, logicalId, true)).length === 0,
    );
    expect(started).toEqual([]);
    // `npm run test:full` tries some 470 resources, for a minute on a slow machine.
  }, 240_000);

  it('the stacks do not start with a resource of an unknown type', () => {
    const [first] = assembly.stacks;
    const odd = { Type: 'AWS::Neptune::DBCluster', Properties: {} };
    const stacks = assembly.stacks.map((stack) =>
      stack === first
        ? { ...stack, template: { ...stack.template, Resources: { ...stack.template.Resources, Odd: odd } } }
        : stack,
    );
    expect(problemsOf({ ...assembly, stacks })).toEqual([
      expect.stringContaining('Odd (AWS::Neptune::DBCluster): resource type'),
    ]);
  });
});
