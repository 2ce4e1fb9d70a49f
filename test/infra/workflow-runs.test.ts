import { StateMachine } from 'aws-local-stepfunctions';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { readDefinition } from '../../local/services/states/definition.ts';
import { only, synthesized } from './stacks.ts';

const { deployment } = synthesized('dev');
const Call = v.object({ FunctionName: v.string(), Payload: v.record(v.string(), v.unknown()) });

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Answer = Json | Error;
interface Run {
  /** `State(payload)` of each call, in order; payloads without the ids every call gets. */
  readonly calls: readonly string[];
  readonly ended: string;
}

/** Runs a workflow on answers given in advance: a list for each task state, its last one repeated. */
const run = async (
  workflow: string,
  input: Record<string, Json>,
  answers: Record<string, Answer[]>,
): Promise<Run> => {
  const machine = only(
    deployment.machines.filter(({ name }) => name === `tidemark-dev-${workflow}`),
    workflow,
  );
  const { definition, tasks } = readDefinition(machine.properties.DefinitionString);
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
  const names = [...tasks.keys()];
  const waits = ['WaitForBatches', 'WaitForTurn', 'WaitToDeliver'];
  const { result } = new StateMachine(definition).run(input, {
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

describe('the import of a file', () => {
  const input = { property: 7, import: 701, job: 702 };

  it('is inspected, cut in as many calls as it takes, and settled', async () => {
    const { calls, ended } = await run('importFile', input, {
      InspectFile: [{ status: 'ok' }],
      SplitFile: [
        { status: 'ok', done: false },
        { status: 'ok', done: false },
        { status: 'ok', done: true },
      ],
      SettleImport: [{ done: false, wait_seconds: 2 }, { done: false, wait_seconds: 4 }, { done: true }],
    });
    expect(calls).toEqual([
      'InspectFile()',
      ...['SplitFile()', 'SplitFile()', 'SplitFile()'],
      ...['SettleImport()', 'SettleImport()', 'SettleImport()'],
    ]);
    expect(ended).toBe('succeeded');
  });

  it.each(['InspectFile', 'SplitFile'])('ends well when %s finds the file broken', async (step) => {
    const { calls, ended } = await run('importFile', input, {
      InspectFile: [{ status: 'ok' }],
      SplitFile: [{ status: 'ok' }],
      [step]: [{ status: 'failed' }],
    });
    expect(calls.at(-1)).toBe(`${step}()`);
    expect(ended).toBe('succeeded');
  });

  it('goes on after an error that passes', async () => {
    const { calls, ended } = await run('importFile', input, {
      SplitFile: [new Error('connection reset'), { status: 'ok', done: true }],
      SettleImport: [{ done: true }],
    });
    expect(calls).toEqual(['InspectFile()', 'SplitFile()', 'SplitFile()', 'SettleImport()']);
    expect(ended).toBe('succeeded');
  });

  it.each(['InspectFile', 'SplitFile', 'SettleImport'])(
    'marks the job when %s keeps failing',
    async (step) => {
      const { calls, ended } = await run('importFile', input, {
        SettleImport: [{ done: true }],
        [step]: [new RangeError('out of reach')],
      });
      expect(calls.filter((call) => call.startsWith(step))).toHaveLength(4);
      expect(calls.at(-1)).toBe('FailImport(error="RangeError" cause="out of reach")');
      expect(ended).toContain('A step failed for good');
    },
  );
});

describe('the run of an export', () => {
  const input = { property: 7, export: '703', job: 704 };
  const plan = [{ status: 'ok', shards: [{ shard: 0 }, { shard: 1 }] }];
  const told = [{ delivered: true, give_up: false, wait_seconds: 0 }];

  it('writes a part for each shard, joins them, and tells the webhook until it listens', async () => {
    const { calls, ended } = await run('runExport', input, {
      PlanExport: plan,
      AssembleExport: [{ status: 'ok' }],
      DeliverWebhook: [{ delivered: false, give_up: false, wait_seconds: 5 }, ...told],
    });
    expect(calls).toEqual([
      'PlanExport()',
      'WriteExportPart(shard=0)',
      'WriteExportPart(shard=1)',
      'AssembleExport()',
      'DeliverWebhook()',
      'DeliverWebhook()',
    ]);
    expect(ended).toBe('succeeded');
  });

  it('waits before its plan while another job of its definition runs', async () => {
    const { calls, ended } = await run('runExport', input, {
      PlanExport: [{ status: 'waiting', shards: [], wait_seconds: 1 }, ...plan],
      DeliverWebhook: told,
    });
    expect(calls.slice(0, 3)).toEqual(['PlanExport()', 'PlanExport()', 'WriteExportPart(shard=0)']);
    expect(ended).toBe('succeeded');
  });

  it('of nobody still makes a file', async () => {
    const { calls } = await run('runExport', input, {
      PlanExport: [{ status: 'ok', shards: [] }],
      DeliverWebhook: told,
    });
    expect(calls).toEqual(['PlanExport()', 'AssembleExport()', 'DeliverWebhook()']);
  });

  it('ends well when its plan is refused, or nobody listens for days', async () => {
    const refused = await run('runExport', input, {
      PlanExport: [{ status: 'failed', shards: [] }],
      DeliverWebhook: told,
    });
    expect(refused).toEqual({ calls: ['PlanExport()', 'DeliverWebhook()'], ended: 'succeeded' });
    const unheard = await run('runExport', input, {
      PlanExport: plan,
      DeliverWebhook: [{ delivered: false, give_up: true, wait_seconds: 0 }],
    });
    expect(unheard.ended).toBe('succeeded');
  });

  it.each(['PlanExport', 'WriteExportPart', 'AssembleExport'])(
    'marks the job when %s keeps failing, and tells the webhook',
    async (step) => {
      const { calls, ended } = await run('runExport', input, {
        PlanExport: plan,
        [step]: [new Error('broken')],
        FailExport: [{ status: 'failed' }],
        DeliverWebhook: [{ delivered: false, give_up: false, wait_seconds: 5 }, ...told],
      });
      expect(calls.at(-3)).toMatch(/^FailExport\(error=".+" cause=".+"\)$/);
      expect(calls.slice(-2)).toEqual(['DeliverWebhook()', 'DeliverWebhook()']);
      expect(ended).toContain('A step failed for good');
    },
  );

  it('ends well when the step that failed had finished its work', async () => {
    const { ended } = await run('runExport', input, {
      PlanExport: plan,
      AssembleExport: [new Error('the answer was lost')],
      FailExport: [{ status: 'complete' }],
      DeliverWebhook: told,
    });
    expect(ended).toBe('succeeded');
  });

  it('leaves a complete job alone when its notice cannot be sent', async () => {
    const { calls, ended } = await run('runExport', input, {
      PlanExport: plan,
      DeliverWebhook: [new Error('nobody home')],
    });
    expect(calls.at(-1)).toBe('DeliverWebhook()');
    expect(ended).toContain('nobody home');
  });
});
