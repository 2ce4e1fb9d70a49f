/**
 * Restore steps: closes a stage, puts its data back to an earlier time, and opens it again. The credentials stay as they are,
 * so that nothing that was revoked, disabled or changed since comes back. Each step may be repeated; a restore that was
 * stopped goes on with the step that it had not ended.
 */
import { err, ok, type Result } from '../shared/runtime/result.ts';
import {
  auditAll,
  compareProperties,
  deleteSchedules,
  forgetAgain,
  keepCounters,
  raise,
} from './restore-data.ts';
import type { RestorePorts, StepResult } from './restore-ports.ts';
import { report } from './restore-report.ts';
import { stepNames, type RestoreState, type StepName } from './restore-state.ts';
import { checkTables, makeTable } from './restore-table.ts';

/** A step of a restore. */
interface Step {
  readonly about: (state: RestoreState) => string;
  readonly run: (ports: RestorePorts, state: RestoreState) => Promise<StepResult>;
}

/** The setting that closes a stage, in the file or out of it. */
const close = async (ports: RestorePorts): Promise<StepResult> => {
  ports.settings.write({ ...ports.settings.read(), closed: true });
  if (!(await ports.deploy())) return err('The deployment failed.');
  return ok({ closed_at: new Date(ports.now()).toISOString() });
};

const quiet = async (
  { wait, now, quietSeconds, say }: RestorePorts,
  state: RestoreState,
): Promise<StepResult> => {
  const until = Date.parse(state.closed_at ?? '') + quietSeconds * 1_000;
  if (until > now()) say(`until ${new Date(until).toISOString()}`);
  while (until > now()) await wait(Math.min(until - now(), LOOK_EVERY_MS));
  return ok({});
};

const LOOK_EVERY_MS = 20_000;

const switchTable = async (ports: RestorePorts, { source, target }: RestoreState): Promise<StepResult> => {
  ports.settings.write({ ...ports.settings.read(), tableName: target });
  return (await ports.deploy(source)) ? ok({}) : err('The deployment failed.');
};

/** The longest wait for the service, once it is open. */
const HEALTHY_WITHIN_MS = 300_000;

const open = async (ports: RestorePorts, state: RestoreState): Promise<StepResult> => {
  if (state.was_closed === true)
    return ok({ left: ['The stage was closed before the restore, and stays closed: open it.'] });
  const { closed, ...settings } = ports.settings.read();
  if (closed !== undefined) ports.settings.write(settings);
  if (!(await ports.deploy())) return err('The deployment failed.');
  const until = ports.now() + HEALTHY_WITHIN_MS;
  while (!(await ports.isHealthy())) {
    if (ports.now() > until) return err('The service is open, but /healthz does not answer 200.');
    await ports.wait(LOOK_EVERY_MS / 4);
  }
  return ok({});
};

const steps: Readonly<Record<StepName, Step>> = {
  check: {
    about: ({ source, to }) => `check that ${source} can be restored to ${to}, and ask`,
    run: checkTables,
  },
  close: { about: () => 'close the stage: nobody is served, and all work waits', run: close },
  quiet: { about: () => 'wait until nothing runs any more', run: quiet },
  keep: {
    about: ({ source, lost }) =>
      lost ? `leave the counters of ${source}, which is lost` : `keep the counters of ${source}`,
    run: keepCounters,
  },
  restore: {
    about: ({ source, target, to }) => `make ${target} from ${source} as it was at ${to}`,
    run: makeTable,
  },
  switch: { about: ({ target }) => `deploy the stage with ${target}, still closed`, run: switchTable },
  raise: { about: () => 'raise every counter above what it has given out', run: raise },
  forget: { about: ({ to }) => `forget again who was forgotten since ${to}`, run: forgetAgain },
  compare: { about: () => 'compare the properties of the credentials with the data', run: compareProperties },
  schedules: { about: ({ to }) => `delete the schedules of clients made since ${to}`, run: deleteSchedules },
  audit: { about: () => 'audit the index of each property, and repair it', run: auditAll },
  report: { about: () => 'report what went back with the data', run: report },
  open: {
    about: ({ was_closed }) => (was_closed === true ? 'leave the stage closed, as it was' : 'open the stage'),
    run: open,
  },
};

/** The lines of a plan: all steps, those that are done with a mark. */
export const planOf = (state: RestoreState): readonly string[] =>
  stepNames.map(
    (name) => `${state.done.includes(name) ? '✓' : ' '} ${name.padEnd(10)} ${steps[name].about(state)}`,
  );

/**
 * Runs the steps that are not done, and saves the state after each. Answers the last state, or a sentence with the step that
 * could not end. What a step throws goes through.
 */
export const runSteps = async (
  ports: RestorePorts,
  begun: RestoreState,
  save: (state: RestoreState) => void,
): Promise<Result<RestoreState, string>> => {
  let state = begun;
  for (const name of stepNames.filter((one) => !begun.done.includes(one))) {
    ports.say(`${name}: ${steps[name].about(state)}`);
    const result = await steps[name].run(ports, state);
    if (!result.ok) return err(`${name}: ${result.error}`);
    const { left = [], ...change } = result.value;
    for (const line of left) ports.say(`  ! ${line}`);
    state = {
      ...state,
      ...change,
      done: [...state.done, name],
      left: left.length === 0 ? state.left : { ...state.left, [name]: [...left] },
    };
    save(state);
  }
  return ok(state);
};
