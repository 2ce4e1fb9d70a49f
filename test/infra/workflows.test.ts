import { resolveStage } from '../../lib/config/stages.ts';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import type { WorkflowTrigger } from '../../functions/entry.ts';
import { limits } from '../../shared/config/limits.ts';
import { attribute, functionOf, functions, named, only, synthesized } from './stacks.ts';

const stacks = synthesized('dev');

const Rule = v.object({ ErrorEquals: v.array(v.string()) });
const State = v.looseObject({
  Type: v.string(),
  Next: v.optional(v.string()),
  Default: v.optional(v.string()),
  Choices: v.optional(v.array(v.looseObject({ Next: v.string() })), []),
  Catch: v.optional(v.array(v.object({ ...Rule.entries, Next: v.string() })), []),
  Retry: v.optional(
    v.array(
      v.object({
        ...Rule.entries,
        MaxAttempts: v.number(),
        MaxDelaySeconds: v.number(),
        IntervalSeconds: v.number(),
        BackoffRate: v.number(),
        JitterStrategy: v.optional(v.string()),
      }),
    ),
    [],
  ),
  TimeoutSeconds: v.optional(v.number()),
  Parameters: v.optional(v.looseObject({ FunctionName: v.string() })),
  ItemProcessor: v.optional(v.unknown()),
  Branches: v.optional(v.array(v.unknown()), []),
  MaxConcurrency: v.optional(v.number()),
});
type State = v.InferOutput<typeof State>;
type Retry = State['Retry'][number];
const Machine = v.looseObject({ StartAt: v.string(), States: v.record(v.string(), State) });
type Machine = v.InferOutput<typeof Machine>;

const machineOf = (workflow: WorkflowTrigger['workflow']): Machine => {
  const { properties } = named(stacks.deployment.machines, `tidemark-dev-${workflow}`);
  return v.parse(Machine, JSON.parse(properties.DefinitionString));
};

/** The state machine, with the machines inside its maps and branches. */
const levelsOf = (machine: Machine): readonly Machine[] => [
  machine,
  ...Object.values(machine.States).flatMap(({ ItemProcessor, Branches }) =>
    [...(ItemProcessor === undefined ? [] : [ItemProcessor]), ...Branches].flatMap((inner) =>
      levelsOf(v.parse(Machine, inner)),
    ),
  ),
];

const targetsOf = ({ Next, Default, Choices, Catch }: State): readonly string[] => [
  ...[Next, Default].filter((one) => one !== undefined),
  ...[...Choices, ...Catch].map((one) => one.Next),
];

/** The only rule about an error. */
const retryAfter = (rules: readonly Retry[], error: string): Retry =>
  only(rules, error, ({ ErrorEquals }) => ErrorEquals.includes(error));

/** The most seconds between the first try and the last. */
const longestWait = ({ IntervalSeconds, MaxDelaySeconds, MaxAttempts }: Retry): number => {
  const grown = Math.min(MaxAttempts, Math.ceil(Math.log2(MaxDelaySeconds / IntervalSeconds)));
  const growing = Array.from({ length: grown }, (_, n) => IntervalSeconds * 2 ** n);
  return growing.reduce((sum, seconds) => sum + seconds, 0) + (MaxAttempts - grown) * MaxDelaySeconds;
};

const workflows = ['importFile', 'undoJob', 'runExport', 'deliverExport'] as const;

describe.each(workflows)('the workflow %s', (workflow) => {
  const levels = levelsOf(machineOf(workflow));
  const tasks = levels.flatMap(({ States }) =>
    Object.entries(States).filter(([, { Type }]) => Type === 'Task'),
  );
  const entries = functions.filter(
    ([, { trigger }]) => trigger.kind === 'workflow' && trigger.workflow === workflow,
  );

  it('the workflow calls exactly the functions that the manifest gives it', () => {
    const called = tasks.map(([, { Parameters }]) => Parameters?.FunctionName);
    const declared = entries.map(([name]) => attribute(functionOf(stacks, name), 'Arn'));
    expect([...new Set(called)].toSorted()).toEqual(declared.toSorted());
  });

  it.each(tasks)('%s outlasts its function and retries with jitter', (_, state) => {
    const called = entries.find(
      ([name]) => attribute(functionOf(stacks, name), 'Arn') === state.Parameters?.FunctionName,
    );
    expect(state.TimeoutSeconds).toBeGreaterThan(called?.[1].timeoutSeconds ?? Infinity);
    expect(state.Retry.length).toBeGreaterThan(0);
    for (const retry of state.Retry) {
      expect(retry).toMatchObject({ BackoffRate: 2, JitterStrategy: 'FULL' });
      expect(retry.MaxAttempts).toBeGreaterThan(0);
      expect(retry.MaxDelaySeconds).toBeLessThanOrEqual(limits.workflows.pollSecondsMax);
    }
    // Step Functions accepts the wildcard only alone and in the last place.
    expect(state.Retry.at(-1)?.ErrorEquals).toEqual(['States.ALL']);
  });

  it.each(tasks)('%s waits for Lambda until the execution ends', (_, { Retry }) => {
    expect(longestWait(retryAfter(Retry, 'Lambda.TooManyRequestsException'))).toBeGreaterThan(
      limits.workflows.timeoutSeconds,
    );
  });

  it.each(tasks)('%s waits for a busy service for hours, and for a day at most', (_, { Retry }) => {
    const busy = retryAfter(Retry, 'UnavailableError');
    // The pauses are half of the longest on average.
    expect(longestWait(busy) / 2).toBeGreaterThan(11 * 3_600);
    expect(longestWait(busy)).toBeLessThan(24 * 3_600);
  });

  it.each(tasks)(
    '%s, while it waits, is seen in each period of the alarm',
    (_, { Retry, TimeoutSeconds = 0 }) => {
      const pauses = Retry.map(({ MaxDelaySeconds }) => MaxDelaySeconds);
      expect(TimeoutSeconds + Math.max(...pauses)).toBeLessThan(limits.alarms.postponedStepSeconds);
    },
  );

  it('the workflow catches every error of every step until the job has failed or its file exists', () => {
    const [top] = levels;
    const open = Object.entries(top?.States ?? {})
      .filter(([, { Type }]) => Type === 'Task' || Type === 'Map')
      .filter(([, { Catch }]) => !Catch.some(({ ErrorEquals }) => ErrorEquals.includes('States.ALL')))
      .map(([name]) => name);
    const last = {
      importFile: [],
      undoJob: [],
      runExport: ['StartDeliveries'],
      deliverExport: [],
    };
    expect(open).toEqual(last[workflow]);
  });

  it('every state of the workflow is reachable, and no transition leads to a missing state', () => {
    for (const { StartAt, States } of levels) {
      const reached = new Set([StartAt]);
      for (const name of reached)
        for (const target of targetsOf(v.parse(State, States[name]))) reached.add(target);

      expect([...reached].toSorted()).toEqual(Object.keys(States).toSorted());
    }
  });

  it('maps process few enough items at once', () => {
    const maps = levels.flatMap(({ States }) => Object.values(States).filter(({ Type }) => Type === 'Map'));
    for (const { MaxConcurrency } of maps) expect(MaxConcurrency).toBe(resolveStage('dev', {}).exportParts);
  });
});
