/** Restore data: after the table is back, sets right what must not go back with it. */
import * as v from 'valibot';
import { listedCounters } from '../shared/operator/raise-counters.ts';
import { err, ok, type Result } from '../shared/runtime/result.ts';
import type { Payload } from './admin-commands.ts';
import { wholeList } from './admin-list.ts';
import type { AdminAnswer } from './admin-service.ts';
import { runAudit } from './audit.ts';
import { raiseAll } from './counters.ts';
import { deleteWhole } from './delete-property.ts';
import { replayAll } from './forgettings.ts';
import type { RestoreState } from './restore-state.ts';
import type { RestorePorts, StepResult } from './restore-ports.ts';

/** The facts of an answer, or the sentence of a refusal. */
const factsOf = <T>(answer: AdminAnswer, schema: v.GenericSchema<unknown, T>): Result<T, string> =>
  answer.ok ? ok(v.parse(schema, answer)) : err(answer.error.message);

const listCounters = async ({ ask }: RestorePorts) =>
  factsOf(await wholeList({ command: 'counters.list' }, ask), listedCounters);

/** Reads the counters of the earlier table, and keeps them. Nothing runs meanwhile. */
export const keepCounters = async (ports: RestorePorts, { lost }: RestoreState): Promise<StepResult> => {
  if (lost) return ok({});
  const counters = await listCounters(ports);
  return counters.ok ? ok({ counters: counters.value }) : counters;
};

/** Raises all counters. Credentials keep theirs; to raise those, too, does no harm. */
export const raise = async ({ ask }: RestorePorts, { to, counters }: RestoreState): Promise<StepResult> => {
  const earlier = counters === undefined ? {} : { earlier: JSON.stringify(counters) };
  const raised = await raiseAll({ command: 'counters.raise', restored: to, ...earlier }, ask);
  return raised.ok ? ok({}) : err(raised.error.message);
};

/** Forgets again. The list of forgotten people is in the table of the audit log, which is not restored. */
export const forgetAgain = async ({ ask, say }: RestorePorts, { to }: RestoreState): Promise<StepResult> => {
  const command = { command: 'forgettings.replay', since: to };
  const replayed = await replayAll(command, (payload) => ask(payload, 'replayForgettings'));
  if (!replayed.ok) return err(replayed.error.message);
  say(`  ${String(replayed['looked'])} looked at, ${String(replayed['forgotten'])} forgotten again`);
  return ok({});
};

const listed = v.object({
  properties: v.optional(
    v.array(
      v.object({ id: v.number(), name: v.nullable(v.string()), account: v.number(), status: v.string() }),
    ),
    [],
  ),
});

/** All properties, of the credentials and of the data. */
const listProperties = async ({ ask }: RestorePorts) =>
  factsOf(await wholeList({ command: 'property.list' }, ask), listed);

const progress = v.looseObject({ state: v.string(), again: v.nullable(v.string()) });

/** The command that deletes a property. */
const deletionOf = ({ stage }: RestoreState, property: number): string =>
  `npm run admin -- property delete --property ${property} --confirm ${property} --stage ${stage}`;

/** Begins or continues the deletion of a property. The answer lists the work that is left for people. */
const eraseAgain = async (
  { ask, say }: RestorePorts,
  state: RestoreState,
  property: number,
): Promise<Result<readonly string[], string>> => {
  const command = { command: 'property.delete', property, confirm: String(property) };
  const erase = (payload: Payload) =>
    ask(payload, payload['command'] === 'property.close' ? 'operator' : 'deleteProperty');
  const tell = (line: string): void => say(`  property ${property}: ${line}`);
  const answer = factsOf(await deleteWhole(command, erase, tell), progress);
  if (!answer.ok) return err(`Property ${property}, which was deleted since: ${answer.error}`);
  if (answer.value.state === 'deleted') return ok([]);
  const time = answer.value.again ?? 'once';
  return ok([
    `Property ${property} was deleted since, and is closed. End its deletion at ${time}: ${deletionOf(state, property)}`,
  ]);
};

/**
 * Compares the properties of the credentials, which have not gone back, with those of the data. A property that was deleted
 * since has its data again and loses them again. A property that was made since has an owner and no data.
 */
export const compareProperties = async (ports: RestorePorts, state: RestoreState): Promise<StepResult> => {
  const lists = await listProperties(ports);
  if (!lists.ok) return lists;
  const left: string[] = [];
  for (const { id, name, account, status } of lists.value.properties) {
    if (status === 'without data') {
      left.push(
        `Property ${id} (${name ?? ''}) of account ${account} was made since, and its data is gone. ` +
          `Make another, and delete it: ${deletionOf(state, id)}`,
      );
    }
    if (status !== 'without owner' && status !== 'being deleted') continue;
    const erased = await eraseAgain(ports, state, id);
    if (!erased.ok) return erased;
    left.push(...erased.value);
  }
  return ok({ left });
};

/**
 * Deletes the schedules of clients that were made since: what they run is gone, and a new revision of an export would have
 * the same names. `raise` has added tasks that create what is missing.
 */
export const deleteSchedules = async (
  { account, say }: RestorePorts,
  { stage, to }: RestoreState,
): Promise<StepResult> => {
  const group = `tidemark-${stage}-exports`;
  const later = (await account.schedules(group)).filter(({ created }) => created.getTime() > Date.parse(to));
  for (const { name } of later) await account.deleteSchedule(group, name);
  say(`  ${later.length} deleted`);
  return ok({});
};

const differences = v.looseObject({ missing: v.number(), extra: v.number() });

/** Audits and repairs each property that has an owner and data, and then finds no difference. */
export const auditAll = async (ports: RestorePorts): Promise<StepResult> => {
  const lists = await listProperties(ports);
  if (!lists.ok) return lists;
  const ask = (payload: Payload) => ports.ask(payload, 'auditIndex');
  for (const { id, status } of lists.value.properties) {
    if (status !== 'active') continue;
    const repaired = factsOf(
      await runAudit({ command: 'audit', property: id, repair: true }, ask, true),
      differences,
    );
    if (!repaired.ok) return err(`Property ${id}: ${repaired.error}`);
    const after = factsOf(await runAudit({ command: 'audit', property: id }, ask, true), differences);
    if (!after.ok) return err(`Property ${id}: ${after.error}`);
    const { missing, extra } = after.value;
    if (missing + extra > 0) {
      return err(
        `The index of property ${id} differs after its repair: ${missing} missing, ${extra} too many.`,
      );
    }
    ports.say(
      `  property ${id}: ${repaired.value.missing} missing and ${repaired.value.extra} too many set right`,
    );
  }
  return ok({});
};
