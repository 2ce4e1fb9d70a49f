import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Payload } from '../../cli/admin-commands.ts';
import type { AdminAnswer } from '../../cli/admin-service.ts';
import { removeRuns, runName, type AskStage } from '../../cli/smoke-account.ts';
import { readSmokeArguments } from '../../cli/smoke-arguments.ts';
import { sections, smoke } from '../../cli/smoke-run.ts';

const root = resolve(import.meta.dirname, '../..');

describe('the command line of a smoke run', () => {
  it('reads a stage, and has defaults for all else', () => {
    const { value } = { value: undefined, ...readSmokeArguments(['--stage', 'dev']) };
    expect(value).toEqual({ stage: 'dev', rows: 1_000, cleanUp: false, yes: false });
  });

  it('reads every option', () => {
    const words = '--stage prod --rows 50 --clean-up --yes --region eu-west-1 --profile ops'.split(' ');
    const { value } = { value: undefined, ...readSmokeArguments(words) };
    const place = { region: 'eu-west-1', profile: 'ops' };
    expect(value).toEqual({ stage: 'prod', rows: 50, cleanUp: true, yes: true, ...place });
  });

  it.each([
    [[], 'needs --stage'],
    [['--rows', '5'], 'needs --stage'],
    [['--stage', 'dev', '--rows', '0'], 'from 1 to 10000, not 0'],
    [['--stage', 'dev', '--rows', '10001'], 'from 1 to 10000'],
    [['--stage', 'dev', '--rows', 'many'], 'not many'],
    [['--stage', 'dev', '--force'], '--force'],
    [['dev'], 'dev'],
  ])('%j is refused', (words, told) => {
    const read = readSmokeArguments(words);
    expect(read.ok ? '' : read.error).toContain(told);
  });

  it('without a stage nothing runs, and the exit code is 1', () => {
    const { status, stderr, stdout } = spawnSync(process.execPath, ['cli/smoke.ts'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('A smoke run needs --stage');
  });
});

it.each(Object.values(sections))(
  'the runbook has the section %s, to which a failed step points',
  (section) => {
    const runbook = readFileSync(resolve(root, 'docs/runbook.md'), 'utf8');
    expect(runbook.split('\n')).toContain(`## ${section}`);
  },
);

it('an address that does not answer fails the run before anything is made', async () => {
  const ask: AskStage = () => Promise.reject(new Error('asked an operator function'));
  const stage = { ask, address: 'http://127.0.0.1:1', rows: 1, now: Date.now };
  await expect(smoke(stage)).rejects.toThrow(
    /^http:\/\/127\.0\.0\.1:1 does not answer: .+ See docs\/runbook\.md, "First"\.$/,
  );
});

describe('the end of smoke runs', () => {
  const HOUR = 3_600_000;
  const now = Date.parse('2026-11-27T12:00:00Z');
  const created = (hours: number): string => new Date(now - hours * HOUR).toISOString();
  const own = runName(now);
  const accounts = [
    { id: 1, name: 'Acme', created: created(900) },
    { id: 2, name: runName(now - 2 * HOUR), created: created(2) },
    { id: 3, name: runName(now - 0.5 * HOUR), created: created(0.5) },
    { id: 4, name: own, created: created(0) },
  ];

  /** A stage with these accounts, whose property 1002 can go, and whose other properties wait. */
  const stage = () => {
    const asked: string[] = [];
    const ask = (payload: Payload): Promise<AdminAnswer> => {
      const { command, account, username, property } = payload;
      const thing = account ?? username ?? property;
      asked.push(thing === undefined ? String(command) : `${String(command)} ${String(thing)}`);
      const answers: Readonly<Record<string, object>> = {
        'account.list': { accounts },
        'user.list': { users: [{ username: `user-${String(account)}` }] },
        'property.list': { properties: [{ id: 1_000 + Number(account) }] },
        'property.delete':
          property === 1_002 ? { state: 'deleted', again: null } : { state: 'waiting', again: created(-1) },
      };
      return Promise.resolve({ ok: true, ...answers[String(command)] });
    };
    return { ask, asked };
  };

  it('deletes its own account and those of runs that ended, users first, and no other', async () => {
    const { ask, asked } = stage();
    const removed = await removeRuns(ask, own, now);
    expect(removed).toEqual({ gone: 1, spared: 1, waiting: [{ account: 4, again: created(-1) }] });
    expect(asked).toEqual([
      'account.list',
      ...['user.list 2', 'user.delete user-2', 'property.list 2', 'property.delete 1002', 'account.delete 2'],
      ...['user.list 4', 'user.delete user-4', 'property.list 4', 'property.delete 1004'],
    ]);
  });

  it('a refusal of a command is its failure', async () => {
    const refuse: AskStage = () => Promise.resolve({ ok: false, error: { message: 'No.', errors: [] } });
    await expect(removeRuns(refuse, own, now)).rejects.toThrow('No.');
  });
});
