/** Runs the workflows of the template on prepared answers. */
import { StateMachine } from 'aws-local-stepfunctions';
import { expect } from 'vitest';
import * as v from 'valibot';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { readDefinition } from '../../local/services/states/definition.ts';
import { named, synthesized } from './stacks.ts';

const { deployment } = synthesized('dev');
const Call = v.object({ FunctionName: v.string(), Payload: v.record(v.string(), v.unknown()) });

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Answer = Json | Error;
/** What a workflow called, and how it ended. */
export interface Run {
  /** `State(payload)` of each call, in order; without the ids that every payload holds. */
  readonly calls: readonly string[];
  readonly ended: string;
}

/** Each workflow of the template as an interpreted machine, which checks its definition once. */
const machines = new Map<string, Workflow>();

interface Workflow {
  readonly machine: StateMachine;
  /** The names of its task states. */
  readonly names: readonly string[];
}

const workflowOf = (workflow: string): Workflow => {
  const known = machines.get(workflow);
  if (known) return known;
  const { properties } = named(deployment.machines, `tidemark-dev-${workflow}`);
  const { definition, tasks } = readDefinition(properties.DefinitionString);
  const made = { machine: new StateMachine(definition), names: [...tasks.keys()] };
  machines.set(workflow, made);
  return made;
};

/** Runs a workflow on prepared answers: a list for each task state, whose last answer is repeated. */
export const run = async (
  workflow: string,
  input: Record<string, Json>,
  answers: Record<string, Answer[]>,
): Promise<Run> => {
  const { machine, names } = workflowOf(workflow);
  const calls: string[] = [];
  const answer =
    (state: string) =>
    (given: unknown): Json => {
      const { Payload } = v.parse(Call, given);
      const own = Object.entries(Payload).filter(
        ([key]) => !['property', 'import', 'export', 'job'].includes(key),
      );
      expect(Payload).toMatchObject(input);
      calls.push(`${state}(${own.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(' ')})`);
      const list = answers[state] ?? [{}];
      const next = list.length > 1 ? list.shift() : list[0];
      if (next instanceof Error) throw next;
      return { Payload: next ?? null };
    };
  const waits = [
    'WaitForBatches',
    'WaitForTurn',
    'TroubleOfSettleImport',
    'TroubleOfFailImport',
    'TroubleOfFailExport',
    'TroubleOfAnnounceImport',
    'WaitForDelivery',
    ...['PushFile', 'PutObject', 'TellChanges', 'TellWebhook', 'SendEmail'].flatMap((state) => [
      `WaitFor${state}`,
      `TroubleOf${state}`,
    ]),
  ];
  const { result } = machine.run(input, {
    overrides: {
      taskResourceLocalHandlers: Object.fromEntries(names.map((name) => [name, answer(name)])),
      waitTimeOverrides: Object.fromEntries(waits.map((name) => [name, 1])),
      retryIntervalOverrides: Object.fromEntries(names.map((name) => [name, 1])),
    },
  });
  const ended = await result.then(
    () => 'succeeded',
    (error: unknown) => String(error),
  );
  return { calls, ended };
};

/** How often a state without a payload of its own was called. */
export const count = (calls: readonly string[], state: string): number =>
  calls.filter((call) => call === `${state}()`).length;

/** Throttles of many hours. */
export const LONG = 100;

/** Failures of a busy service. */
export const throttled = (times: number): Error[] =>
  Array.from({ length: times }, () => new UnavailableError('throttled'));
