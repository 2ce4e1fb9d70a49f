/** `npm run restore -- --stage <stage> --to <time>`: sets the data of a stage back to an earlier time. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { manifest } from '../functions/manifest.ts';
import { parseSettings, readSettings, settingsFileOf } from '../lib/config/settings.ts';
import { resolveStage } from '../lib/config/stages.ts';
import { clockSkewSeconds, lateWriteSeconds } from '../shared/config/limits/clocks.ts';
import { err, ok, type Result } from '../shared/runtime/result.ts';
import { fail } from './admin-output.ts';
import { refusalOf } from './admin-question.ts';
import { askOperator, describeTarget, findTarget, type Target } from './admin-service.ts';
import { serviceAddress } from './aws-account.ts';
import { awsRestoreAccount } from './aws-restore-account.ts';
import { readDeployArguments } from './deploy-arguments.ts';
import { deployStage } from './deploy-stage.ts';
import { readRestoreArguments, restoreHelp, type RestoreArguments } from './restore-arguments.ts';
import type { RestorePorts, SettingsFile } from './restore-ports.ts';
import { isFinished, stateFile, stateFileOf, type RestoreState } from './restore-state.ts';
import { planOf, runSteps } from './restore-steps.ts';

const ROOT = resolve(import.meta.dirname, '..');

const settingsFile = (stage: string): SettingsFile => ({
  read: () => readSettings(ROOT, stage),
  write: (settings) => {
    writeFileSync(join(ROOT, settingsFileOf(stage)), `${JSON.stringify(settings, undefined, 2)}\n`);
  },
});

/** The restore that was begun, or a new one. A sentence when another restore has not ended. */
const stateOf = (
  { stage, to, table, lost }: RestoreArguments,
  known: RestoreState | undefined,
  settings: Readonly<Record<string, unknown>>,
): Result<RestoreState, string> => {
  if (known !== undefined && !isFinished(known)) {
    if (known.to === to && known.target === table && known.lost === lost) return ok(known);
    return err(
      `A restore to ${known.to} has not ended: give --to ${known.to} --table ${known.target}` +
        `${known.lost ? ' --lost' : ''}, or delete ${stateFileOf(stage)} if nobody needs it.`,
    );
  }
  const { tableName: source = `tidemark-${stage}` } = parseSettings(settings);
  return ok({ stage, to, source, target: table, lost, done: [], left: {} });
};

/** The longest time that a function runs, and a write of it that is late. */
const quietSeconds =
  Math.max(...Object.values(manifest).map(({ timeoutSeconds }) => timeoutSeconds)) +
  lateWriteSeconds +
  clockSkewSeconds;

const portsOf = (args: RestoreArguments, target: Target): RestorePorts => {
  const { stage, yes, profile } = args;
  const settings = settingsFile(stage);
  const { keepData, warmReadUnits = 0, warmWriteUnits = 0 } = resolveStage(stage, settings.read());
  const own = readDeployArguments([
    ...['-c', `stage=${stage}`],
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(yes ? ['--require-approval', 'never'] : []),
  ]);
  return {
    account: awsRestoreAccount(target),
    settings,
    ask: (command, asked) => askOperator(command, target, asked),
    deploy: async (leaving) => (await deployStage(leaving === undefined ? own : { ...own, leaving })) === 0,
    isHealthy: async () => (await fetch(`${await serviceAddress(target)}/healthz`)).ok,
    agree: (question) =>
      refusalOf(
        { words: 'restore', payload: {}, loss: () => Promise.resolve(ok(question)), yes },
        target,
        (command) => askOperator(command, target),
      ),
    keepData,
    warmUnits: { readUnits: warmReadUnits, writeUnits: warmWriteUnits },
    quietSeconds,
    say: (line) => console.log(line),
    wait: (milliseconds) => sleep(milliseconds),
    now: Date.now,
  };
};

const restore = async (args: RestoreArguments): Promise<void> => {
  const file = stateFile(join(ROOT, stateFileOf(args.stage)));
  const state = stateOf(args, file.read(), readSettings(ROOT, args.stage));
  if (!state.ok) {
    fail(state.error);
    return;
  }
  if (args.plan) {
    console.log(planOf(state.value).join('\n'));
    return;
  }
  const target = await findTarget(args);
  console.error(describeTarget(target));
  const ended = await runSteps(portsOf(args, target), state.value, (reached) => file.write(reached));
  if (!ended.ok) {
    fail(`${ended.error} Run the command again to go on.`);
    return;
  }
  const left = Object.values(ended.value.left).flat();
  console.log(['', 'The restore has ended. For you to do:', ...left.map((line) => `- ${line}`)].join('\n'));
};

const args = readRestoreArguments(process.argv.slice(2));
if (!args.ok) {
  fail(args.error);
} else if (args.value === 'help') {
  console.log(restoreHelp);
} else {
  try {
    await restore(args.value);
  } catch (error) {
    fail(error instanceof Error ? `${error.message}. Run the command again to go on.` : String(error));
  }
}
