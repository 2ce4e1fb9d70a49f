import { cpSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../services/states/engine.ts';
import type { Outcome } from '../../../services/lambda/outcome.ts';
import { finished, MACHINE, workflowEngines } from './workflow.ts';
import { newFolders } from '../../support/folders.ts';

const newFolder = newFolders();
const engineOf = workflowEngines();

const call = (name: string, more: object) => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Parameters: { FunctionName: name, 'Payload.$': '$' },
  ResultPath: null,
  ...more,
});

/** Two steps, and one that notes the failure of either. */
const Catch = [{ ErrorEquals: ['States.ALL'], ResultPath: '$.failure', Next: 'Note' }];
const workflow = {
  StartAt: 'First',
  States: {
    First: call('first', { Next: 'Second', Catch }),
    Second: call('second', { End: true, Catch }),
    Note: call('note', { End: true }),
  },
};

/** A process with what an earlier one has left; its functions answer as `invoke` says, or never. */
const live = (dataDir: string, invoke: (name: string, payload: string) => Promise<Outcome>): Engine => {
  const engine = engineOf(workflow, { dataDir, invoke });
  engine.resume();
  return engine;
};

const ok: Outcome = { ok: true, payload: '{}' };
const never = (): Promise<Outcome> => new Promise(() => undefined);

/** What the next process finds after a crash: the files as they are now. */
const crashed = (dataDir: string): string => {
  const next = newFolder();
  cpSync(dataDir, next, { recursive: true });
  return next;
};

/** Answers the first step, and crashes once so many executions are in the second. */
const crashInSecond = async (
  dataDir: string,
  start?: (engine: Engine) => void,
  executions = 1,
): Promise<string> => {
  const { promise, resolve: reached } = Promise.withResolvers<undefined>();
  let waiting = 0;
  const engine = live(dataDir, (name) => {
    if (name !== 'second') return Promise.resolve(ok);
    waiting += 1;
    if (waiting === executions) reached(undefined);
    return never();
  });
  start?.(engine);
  await promise;
  return crashed(dataDir);
};

describe('a step in which the process ends', () => {
  it('runs three times and not a fourth time: it fails, and its execution goes on as after any failure', async () => {
    let dataDir = newFolder();
    dataDir = await crashInSecond(dataDir, (engine) => engine.start(MACHINE, 'poison', '{}'));
    dataDir = await crashInSecond(dataDir);
    dataDir = await crashInSecond(dataDir);
    const called: string[] = [];
    const engine = live(dataDir, (name, payload) => {
      called.push(name, payload);
      return Promise.resolve(ok);
    });
    expect(await finished(engine, 'poison')).toMatchObject({ status: 'SUCCEEDED' });
    expect(called.filter((_, index) => index % 2 === 0)).toEqual(['first', 'note']);
    expect(called.at(-1)).toContain('Runtime.ExitError');
  });

  it('loses no try if the process stops in order', async () => {
    let dataDir = newFolder();
    for (let stops = 0; stops < 5; stops += 1) {
      const { promise, resolve: reached } = Promise.withResolvers<undefined>();
      const engine = live(dataDir, () => {
        reached(undefined);
        return never();
      });
      if (stops === 0) engine.start(MACHINE, 'patient', '{}');
      await promise;
      await engine.stop();
      dataDir = crashed(dataDir);
    }
    const engine = live(dataDir, () => Promise.resolve(ok));
    const { status, crashes } = await finished(engine, 'patient');
    expect({ status, crashes }).toEqual({ status: 'SUCCEEDED', crashes: {} });
  });

  it('takes no try from the steps beside it: after a crash, the steps that were under way run one by one', async () => {
    const startAll = (engine: Engine): void => {
      for (const name of ['poison', 'good-0', 'good-1', 'good-2'])
        engine.start(MACHINE, name, JSON.stringify(name));
    };
    let dataDir = await crashInSecond(newFolder(), startAll, 4);
    for (let crashes = 0; crashes < 2; crashes += 1) {
      const { promise, resolve: reached } = Promise.withResolvers<undefined>();
      live(dataDir, (name, payload) => {
        if (name !== 'second' || payload !== '"poison"') return Promise.resolve(ok);
        reached(undefined);
        return never();
      });
      await promise;
      dataDir = crashed(dataDir);
    }
    const engine = live(dataDir, () => Promise.resolve(ok));
    await Promise.all(['poison', 'good-0', 'good-1', 'good-2'].map((name) => finished(engine, name)));
    const ends = engine.ledger.all().map(({ name, crashes }) => [name, crashes['Second'] ?? 0]);
    expect(Object.fromEntries(ends)).toEqual({ poison: 3, 'good-0': 1, 'good-1': 1, 'good-2': 1 });
  });
});
