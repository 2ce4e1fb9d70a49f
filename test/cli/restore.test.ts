import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RestorePorts } from '../../cli/restore-ports.ts';
import { readRestoreArguments } from '../../cli/restore-arguments.ts';
import { isFinished, stateFile, stepNames, type RestoreState } from '../../cli/restore-state.ts';
import { planOf, runSteps } from '../../cli/restore-steps.ts';
import { begun, Died, SOURCE, Stage, TARGET, TO } from './restore-stage.ts';
import { newFolders } from '../../local/test/support/folders.ts';

/** Runs a restore to its end, again after each death. Returns the last state, and how often the process died. */
const restore = async (stage: Stage, ports: RestorePorts = stage.ports(), from = begun) => {
  let [state, deaths]: [RestoreState, number] = [from, 0];
  for (;;) {
    try {
      const ended = await runSteps(ports, state, (reached) => (state = reached));
      return { ended, state, deaths };
    } catch (error) {
      if (!(error instanceof Died)) throw error;
      deaths += 1;
    }
  }
};

const settings = { alarmEmail: 'on-call@example.org' };

describe('a restore', () => {
  it('closes the stage, restores the data alone, sets everything right, and opens the stage again', async () => {
    const stage = new Stage({ settings });
    const { ended, state } = await restore(stage);
    expect(ended.ok && isFinished(ended.value)).toBe(true);
    expect(stage.log).toEqual([
      `deploy leaving nothing (${SOURCE}, open)`,
      `counters.list (${SOURCE}, closed)`,
      `restore ${SOURCE} as ${TARGET} (${SOURCE}, closed)`,
      `deploy leaving ${SOURCE} (${SOURCE}, closed)`,
      `counters.list (${TARGET}, closed)`,
      `counters.raise (${TARGET}, closed)`,
      expect.stringMatching(/^raised .*"property":1001,"name":"ordinal","value":100500/),
      `forgettings.replay (${TARGET}, closed)`,
      ...['property.list', 'property.delete'].map((name) => `${name} (${TARGET}, closed)`),
      `delete schedule after (${TARGET}, closed)`,
      ...['property.list', 'audit', 'audit'].map((name) => `${name} (${TARGET}, closed)`),
      `audit-log.since (${TARGET}, closed)`,
      `deploy leaving nothing (${TARGET}, closed)`,
    ]);
    expect(stage.end).toMatchObject({ forgotten: 2, differing: new Map() });
    expect(state.left).toMatchObject({
      compare: [expect.stringContaining('Property 1002 (Late) of account 1 was made since')],
    });
  });

  it('reports the changes that went back with the data, and not those of the credentials', async () => {
    const stage = new Stage();
    const { state } = await restore(stage);
    expect(state.left['report']).toEqual([
      'Changes that went back with the data, 1: let clients repeat those that must hold.',
      `${TO} undo: POST /v1/{property_id}/undo (account 1, property 1001, import_id 7)`,
    ]);
    const none = new Stage();
    none.undos = 0;
    expect((await restore(none)).state.left).not.toHaveProperty('report');
    const many = new Stage();
    many.undos = 60;
    const lines = (await restore(many)).state.left['report'] ?? [];
    expect(lines).toHaveLength(52);
    expect(lines.at(-1)).toBe(`10 more: npm run admin -- audit-log since --since ${TO} --stage prod`);
  });

  it('changes no setting but the name of the table of data: credentials stay as they are', async () => {
    const stage = new Stage({ settings });
    await restore(stage);
    expect(stage.settings).toEqual({ ...settings, tableName: TARGET });
    expect(stage.deployed).toEqual(stage.settings);
    expect([...stage.tables.keys()]).toEqual([SOURCE, TARGET]);
  });

  it('gives the new table what a restore leaves out', async () => {
    const stage = new Stage();
    await restore(stage);
    expect(stage.tables.get(TARGET)).toMatchObject({
      ...{ status: 'ACTIVE', refusesDeletion: true, readUnits: 20_000, writeUnits: 20_000 },
    });
    expect(stage.treated).toEqual([`backups of ${TARGET}`, `expiry in ${TARGET}`]);
  });

  it('waits until nothing can run any more before it reads the counters', async () => {
    const stage = new Stage();
    const began = stage.now;
    const read: number[] = [];
    const ports = stage.ports();
    const ask: RestorePorts['ask'] = (command, asked) => {
      if (command['command'] === 'counters.list') read.push(stage.now);
      return ports.ask(command, asked);
    };
    await restore(stage, { ...ports, ask });
    expect(Math.min(...read)).toBe(began + 960_000);
  });

  it('of a stage that was closed leaves the stage closed', async () => {
    const stage = new Stage({ settings: { ...settings, closed: true } });
    const { state } = await restore(stage);
    expect(stage.deployed).toEqual({ ...settings, closed: true, tableName: TARGET });
    expect(state.left['open']).toEqual([expect.stringContaining('stays closed')]);
  });

  it('of a lost table raises counters by gaps', async () => {
    const stage = new Stage();
    await restore(stage, stage.ports(), { ...begun, lost: true });
    expect(stage.log.filter((line) => line.includes(`(${SOURCE},`) && line.startsWith('counters'))).toEqual(
      [],
    );
    expect(stage.log).toContainEqual(
      expect.stringMatching(/^raised .*"property":1001,"name":"ordinal","value":10000100/),
    );
  });
});

describe('a restore whose process dies', () => {
  it('before any of its calls, or right after it, comes to the same end when it is run again', async () => {
    const whole = new Stage({ settings });
    await restore(whole);
    expect(whole.calls).toBeGreaterThan(80);
    for (let call = 1; call <= whole.calls; call += 0.5) {
      const stage = new Stage({ settings, diesAt: call });
      const { ended, deaths } = await restore(stage);
      expect([ended.ok, deaths], `died at ${call}`).toEqual([true, 1]);
      expect(stage.end, `died at ${call}`).toEqual(whole.end);
    }
  });

  it('goes on with the step that it had not ended', async () => {
    for (const name of stepNames.slice(1)) {
      const done = stepNames.slice(0, stepNames.indexOf(name));
      const stage = new Stage();
      const ran: string[] = [];
      await restore(
        stage,
        stage.ports({ say: (line) => ran.push(line), agree: () => Promise.resolve('No.') }),
        {
          ...{ ...begun, done, closed_at: TO },
        },
      ).catch(() => undefined);
      expect(ran.find((line) => !line.startsWith(' '))).toMatch(new RegExp(`^${name}: `));
    }
  });
});

describe('a restore does nothing', () => {
  const refused = async (more: Partial<RestoreState>, prepare: (stage: Stage) => void = () => undefined) => {
    const stage = new Stage();
    prepare(stage);
    const { ended } = await restore(stage, stage.ports(), { ...begun, ...more });
    expect(stage.log).toEqual([]);
    expect(stage.settings).toEqual({});
    return ended.ok ? 'done' : ended.error;
  };

  it('without a table that has backups', async () => {
    expect(await refused({ source: 'gone' })).toContain('no table gone with point-in-time recovery');
  });

  it.each(['2026-10-01T00:00:00.000Z', '2026-11-23T08:59:00.000Z'])(
    'at %s, outside the window',
    async (to) => {
      expect(await refused({ to })).toContain('2026-11-23T08:55:00.000Z at the latest');
    },
  );

  it('when a table has the name already', async () => {
    const taken = (stage: Stage): void => {
      const facts = stage.tables.get(SOURCE);
      if (facts) stage.tables.set(TARGET, facts);
    };
    expect(await refused({}, taken)).toContain('give another name with --table');
  });

  it('when the operator does not agree', async () => {
    const stage = new Stage();
    const asked: string[] = [];
    const agree = (question: string) => {
      asked.push(question);
      return Promise.resolve('Nothing was done.');
    };
    const { ended } = await restore(stage, stage.ports({ agree }));
    expect(ended).toEqual({ ok: false, error: 'check: Nothing was done.' });
    expect(asked).toEqual([expect.stringContaining('set its data back by 3.0 hours')]);
    expect(stage.log).toEqual([]);
  });
});

describe('a restore stops, and stays closed', () => {
  it('when a deployment fails', async () => {
    const stage = new Stage();
    const ports = stage.ports();
    const deploy = (leaving?: string) => (leaving === undefined ? ports.deploy() : Promise.resolve(false));
    const { ended } = await restore(stage, { ...ports, deploy });
    expect(ended).toEqual({ ok: false, error: 'switch: The deployment failed.' });
    expect(stage.deployed).toEqual({ closed: true });
  });

  it('when the index differs after its repair', async () => {
    const stage = new Stage();
    const ports = stage.ports();
    const ask: RestorePorts['ask'] = (command, asked) => ports.ask({ ...command, repair: false }, asked);
    const { ended } = await restore(stage, { ...ports, ask });
    expect(ended.ok ? '' : ended.error).toContain('The index of property 1001 differs after its repair');
    expect(stage.deployed['closed']).toBe(true);
  });

  it('when the new table was restored to another time, or has another key', async () => {
    for (const [wrong, message] of [
      [{ restoredTo: new Date(0) }, 'was restored to 1970-01-01'],
      [{ keyArn: 'arn:other' }, 'is encrypted with another key'],
    ] as const) {
      const stage = new Stage();
      const facts = stage.tables.get(SOURCE);
      if (facts) stage.tables.set(TARGET, { ...facts, ...wrong });
      const done = stepNames.slice(0, stepNames.indexOf('restore'));
      const { ended } = await restore(stage, stage.ports(), { ...begun, done });
      expect(ended.ok ? '' : ended.error).toContain(message);
    }
  });
});

describe('the plan', () => {
  it('names every step, and those that are done', () => {
    const lines = planOf({ ...begun, done: ['check', 'close'] });
    expect(lines.map((line) => line.slice(2).split(' ')[0])).toEqual(stepNames);
    expect(lines.filter((line) => line.startsWith('✓'))).toHaveLength(2);
  });
});

describe('the command line', () => {
  const run = (...given: readonly string[]) => {
    const script = resolve(import.meta.dirname, '../../cli/restore.ts');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...given], { encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  it('shows a plan and does nothing, and names a mistake', () => {
    const plan = run('--stage', 'prod', '--to', TO, '--plan');
    expect([plan.status, plan.stderr]).toEqual([0, '']);
    expect(plan.stdout.trimEnd().split('\n')).toHaveLength(stepNames.length);
    const wrong = run('--stage', 'prod');
    expect(wrong.status).toBe(1);
    expect(wrong.stderr).toContain('A restore needs --to');
  });
});

describe('the state of a restore', () => {
  const folder = newFolders()();

  it('is kept in a file, with the counters', async () => {
    const file = stateFile(join(folder, 'state.json'));
    expect(file.read()).toBeUndefined();
    const { state } = await restore(new Stage());
    file.write(state);
    expect(file.read()).toEqual(state);
    expect(file.read()?.counters?.counters).toHaveLength(2);
  });

  it('is refused when it is something else', () => {
    writeFileSync(join(folder, 'other.json'), '{}');
    expect(() => stateFile(join(folder, 'other.json')).read()).toThrow();
  });
});

describe('the arguments of a restore', () => {
  it('name the stage and the time; the table gets the time in its name', () => {
    const read = readRestoreArguments(['--stage', 'prod', '--to', '2026-11-23T07:00:00.7+01:00']);
    expect(read).toMatchObject({
      ok: true,
      value: { stage: 'prod', to: TO, table: 'tidemark-prod-20261123t060000', lost: false, plan: false },
    });
  });

  it.each([
    [['--to', TO], '--stage'],
    [['--stage', 'local', '--to', TO], '--stage'],
    [['--stage', 'prod'], '--to'],
    [['--stage', 'prod', '--to', 'yesterday'], '--to'],
    [['--stage', 'prod', '--to', TO, '--with-credentials'], '--with-credentials'],
  ])('%j is refused', (given, part) => {
    const read = readRestoreArguments(given);
    expect(read.ok ? '' : read.error).toContain(part);
  });
});
