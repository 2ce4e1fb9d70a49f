/** The account of a smoke run: made by commands of operators, and deleted with all it has. */
import * as v from 'valibot';
import type { Payload } from './admin-commands.ts';
import type { AdminAnswer } from './admin-service.ts';

/** Runs a command of operators on the stage. */
export type AskStage = (payload: Payload) => Promise<AdminAnswer>;

/** The names of these accounts and users begin with this word. The time of the run in milliseconds follows it. */
const MARK = 'smoke-run-';
const isOfRun = (name: string): boolean => /^smoke-run-\d{13}$/.test(name);

/** No run lasts longer. So the account of an older run may be deleted. */
const LONGEST_RUN_MS = 3_600_000;

const opened = v.looseObject({
  property: v.number(),
  client_id: v.string(),
  username: v.string(),
  password: v.string(),
});

/** How to sign in as the user of a run. */
export type RunAccess = v.InferOutput<typeof opened>;

/** The name of the account, the property and the user of a run that begins now. */
export const runName = (now: number): string => `${MARK}${now}`;

/** Makes the account of a run, with a property, a client id and a user. */
export const openRun = async (ask: AskStage, name: string): Promise<RunAccess> =>
  v.parse(
    opened,
    await done(
      ask({
        command: 'account.create',
        name,
        with_user: name,
        email: 'smoke@example.org',
        last_name: 'Smoke',
      }),
    ),
  );

const accountList = v.object({
  accounts: v.optional(v.array(v.object({ id: v.number(), name: v.string(), created: v.string() })), []),
});
const userList = v.object({ users: v.optional(v.array(v.object({ username: v.string() })), []) });
const propertyList = v.object({ properties: v.optional(v.array(v.object({ id: v.number() })), []) });
const deletion = v.looseObject({ state: v.string(), again: v.nullable(v.string()) });

/** Accounts that are gone, and the time when the deletion of the others can end. */
export interface Removed {
  readonly gone: number;
  /** Accounts of runs that began lately, and may not have ended. */
  readonly spared: number;
  readonly waiting: readonly { readonly account: number; readonly again: string }[];
}

/**
 * Deletes the account of a run, and those of runs that ended long ago, whatever they have made of it. Their users go
 * first. Work under way may still write into a property, so its account stays until the time that the deletion tells.
 */
export const removeRuns = async (ask: AskStage, own: string | undefined, now: number): Promise<Removed> => {
  const { accounts } = v.parse(accountList, await done(ask({ command: 'account.list' })));
  const runs = accounts.filter(({ name }) => isOfRun(name));
  const ended = runs.filter(
    ({ name, created }) => name === own || Date.parse(created) + LONGEST_RUN_MS < now,
  );
  const waiting: { account: number; again: string }[] = [];
  for (const { id } of ended) {
    const again = await removeAccount(ask, id);
    if (again !== undefined) waiting.push({ account: id, again });
  }
  return { gone: ended.length - waiting.length, spared: runs.length - ended.length, waiting };
};

/** Deletes what an account has, and the account. Answers the time from which on the rest can go. */
const removeAccount = async (ask: AskStage, account: number): Promise<string | undefined> => {
  const { users } = v.parse(userList, await done(ask({ command: 'user.list', account })));
  for (const { username } of users) await done(ask({ command: 'user.delete', username }));
  const { properties } = v.parse(propertyList, await done(ask({ command: 'property.list', account })));
  for (const { id: property } of properties) {
    const left = await done(ask({ command: 'property.delete', property, confirm: String(property) }));
    const { state, again } = v.parse(deletion, left);
    if (state !== 'deleted') return again ?? state;
  }
  await done(ask({ command: 'account.delete', account, confirm: String(account) }));
  return undefined;
};

/** The answer of a command. Throws its refusal. */
const done = async (asked: Promise<AdminAnswer>): Promise<AdminAnswer> => {
  const answer = await asked;
  if (!answer.ok) throw new Error(answer.error.message);
  return answer;
};
