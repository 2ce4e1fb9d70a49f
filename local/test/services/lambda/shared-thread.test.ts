import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogs, type Logs } from '../../../services/lambda/logs.ts';
import type { Outcome } from '../../../services/lambda/outcome.ts';
import { createRunner, type Runner } from '../../../services/lambda/runner.ts';
import { sharedThread } from '../../../services/lambda/shared-thread.ts';
import { newFolders, ofCheckout } from '../../support/folders.ts';
import { until } from '../../support/until.ts';

const newFolder = newFolders(ofCheckout);
const startThread = sharedThread();

const opened: { runner: Runner; logs: Logs }[] = [];
afterEach(async () => {
  for (const { runner, logs } of opened.splice(0)) {
    await runner.end();
    await logs.close();
  }
});

/** What the functions do on request; each says its name and how often its module was called. */
const source = `
import { setTimeout as delay } from 'node:timers/promises';
let calls = 0;
export const handler = async ({ wait = 0, breaks, exits }) => {
  calls += 1;
  if (exits) process.exit(3);
  if (breaks) setTimeout(() => { throw new Error('broken later'); });
  await delay(wait);
  console.log('output of ' + process.env.NAME);
  return { name: process.env.NAME, calls, file: import.meta.filename.endsWith('index.mjs') };
};`;

/** A runner of the functions `f` and `g`, which have the same bundle. */
const start = () => {
  const folder = newFolder();
  const file = join(folder, 'index.mjs');
  writeFileSync(file, source);
  const logs = createLogs(join(folder, 'logs'));
  const of = (name: string) => ({
    ...{ name, arn: `arn:${name}`, file, exportName: 'handler', env: { NAME: name }, memoryMb: 64 },
    ...{ timeoutSeconds: 5, logGroup: `/${name}`, mostSandboxes: 2 },
  });
  const runner = createRunner({ logs, startThread, functions: [of('f'), of('g')] });
  opened.push({ runner, logs });
  return {
    runner,
    invoke: (name: 'f' | 'g', event: object = {}): Promise<Outcome> =>
      runner.invoke(name, JSON.stringify(event)),
    logged: (name: string) => logs.read(name),
  };
};

const answer = (name: string, calls: number) => ({
  ok: true,
  payload: JSON.stringify({ name, calls, file: true }),
});

describe('functions in a shared thread', () => {
  it('have environments and outputs of their own while they run side by side', async () => {
    const { invoke, logged } = start();
    const outcomes = await Promise.all([invoke('f', { wait: 50 }), invoke('g', { wait: 20 })]);
    expect(outcomes).toEqual([answer('f', 1), answer('g', 1)]);
    for (const name of ['f', 'g'])
      await until('the log', async () => (await logged(name)) === `output of ${name}\n` || undefined);
  });

  it('have a module for each sandbox, which a recycling ends', async () => {
    const { invoke, runner } = start();
    expect(await Promise.all([invoke('f', { wait: 20 }), invoke('f', { wait: 20 })])).toEqual([
      answer('f', 1),
      answer('f', 1),
    ]);
    expect(await invoke('f')).toEqual(answer('f', 2));
    runner.recycle('f');
    expect(await invoke('f')).toEqual(answer('f', 1));
  });

  it('break alone, even after their call', async () => {
    const { invoke } = start();
    const [broken, other] = await Promise.all([
      invoke('f', { breaks: true, wait: 100 }),
      invoke('g', { wait: 200 }),
    ]);
    expect(broken).toMatchObject({ failure: { errorType: 'Runtime.ExitError' } });
    expect(JSON.stringify(broken)).toContain('broken later');
    expect(other).toEqual(answer('g', 1));
    expect(await invoke('f')).toEqual(answer('f', 1));
  });

  it('end together when one leaves the process, and the next call starts another thread', async () => {
    const { invoke } = start();
    const outcomes = await Promise.all([invoke('g', { wait: 1_000 }), invoke('f', { exits: true })]);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ failure: { errorType: 'Runtime.ExitError' } });
    expect(await invoke('g')).toEqual(answer('g', 1));
  });
});
