/** Game day: what an operator has at hand while an incident lasts: sections, commands, alarms, accounts and queues. */
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { readArguments } from '../../cli/admin-commands.ts';
import type { Target } from '../../cli/admin-service.ts';
import { runCommand } from '../../cli/run-command.ts';
import { until } from '../support/until.ts';
import { scenes } from './alarm-scenes.ts';
import type { Stage } from './alarm-stage.ts';

/** A stage with an operator at its side. */
export interface Day {
  readonly stage: Stage;
  readonly target: Target;
  /** A number that no other incident has. */
  readonly fresh: () => number;
}

/** What goes wrong, and how it ends. A step that fails throws. */
export interface Incident {
  readonly name: string;
  /** Document and heading of its section. */
  readonly section: readonly [file: string, heading: string];
  readonly play: (day: Day, section: string) => Promise<void>;
}

/** The text of a section, from its heading to the next one of its level. */
export const sectionOf = ([file, heading]: Incident['section']): string => {
  const text = readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8');
  const [found] = new RegExp(`^(#+) ${heading}$`, 'm').exec(text) ?? [];
  if (found === undefined) throw new Error(`${file} has no section ${heading}`);
  const from = text.indexOf(`${found}\n`);
  const level = found.split(' ')[0] ?? '';
  const next = new RegExp(`^#{1,${level.length}} `, 'm').exec(text.slice(from + found.length));
  return text.slice(from, next ? from + found.length + next.index : undefined);
};

/** A sentence or command of a section, which must be there as it stands. */
export const said = (section: string, text: string): string => {
  if (!section.replaceAll(/\s+/g, ' ').includes(text)) throw new Error(`the section does not say: ${text}`);
  return text;
};

const Answer = v.looseObject({ ok: v.literal(true) });

/** Runs an operator command of a section, with other names, and more options where the section leaves them out. */
export const perform = async (
  { stage, target }: Day,
  command: string,
  names: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
) => {
  let words = command.replace('npm run admin -- ', '').replace(' --stage prod', '');
  for (const [example, name] of Object.entries(names)) words = words.replace(example, name);
  const request = readArguments([...words.split(' '), ...more]);
  if (request.kind !== 'run') throw new Error(`${words}: ${JSON.stringify(request)}`);
  // The last requests of a user end with the last invocation.
  const { runner } = stage.service.cloud.parts;
  const wait = async (): Promise<void> => {
    await until('the end of all requests', () => runner.running() === 0 || undefined);
  };
  return v.parse(Answer, await runCommand(request, target, { wait }), { message: `${words} was refused` });
};

/** Waits until an alarm has a state, minute by minute of its clock. */
export const alarmIs = async ({ stage }: Day, alarm: string, wanted: 'ALARM' | 'OK'): Promise<void> => {
  const { cloudwatch } = stage.service.cloud.parts.watch;
  await until(`${alarm} to be ${wanted}`, () => {
    cloudwatch.pass(60);
    return cloudwatch.stateOf(`tidemark-local-${alarm}`) === wanted ? true : undefined;
  });
};

/** The fault of an alarm's scene. */
export const sceneOf = (alarm: string) => {
  const [, , scene] = scenes.find(([alarms]) => alarms.includes(alarm)) ?? [];
  if (!scene) throw new Error(`no scene rings ${alarm}`);
  return scene;
};

/** An answer with an id. */
export const idOf = v.looseObject({ id: v.union([v.number(), v.string()]) });

/** The text of the answer to a POST. */
export const posted = async ({ stage, fresh }: Day, path: string, body: unknown): Promise<string> => {
  const answer = await stage.service.call('POST', path, {
    body: JSON.stringify(body),
    headers: { 'idempotency-key': `day-${fresh()}` },
  });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.text;
};

const Person = v.looseObject({ username: v.string(), password: v.string(), client_id: v.string() });

/** The second account, whose user signs in. */
const otherOf = ({ stage }: Day) => v.parse(Person, stage.service.cloud.endpoints.other);

/** A new user of the second account, with its number. */
export const newUser = async (day: Day) => {
  const username = `day${day.fresh()}`;
  const { client_id } = otherOf(day);
  const { account } = v.parse(
    v.looseObject({ account: v.number() }),
    await perform(day, 'user list').then(({ users }) =>
      v
        .parse(v.array(v.looseObject({ username: v.string(), account: v.number() })), users)
        .find((user) => user.username === otherOf(day).username),
    ),
  );
  const options = ['--account', `${account}`, '--username', username, '--email', `${username}@example.org`];
  const { password } = v.parse(
    v.looseObject({ password: v.string() }),
    await perform(day, 'user create', {}, options),
  );
  return { username, password, client_id, account };
};

/** The answer to the sign-in of a user. */
export const signIn = ({ stage }: Day, who: v.InferOutput<typeof Person>) =>
  stage.service.call('POST', '/oauth/token', {
    as: 'nobody',
    body: JSON.stringify({
      grant_type: 'password',
      client_id: who.client_id,
      username: who.username,
      password: who.password,
    }),
  });

/** The token in an answer to a sign-in. */
export const tokenIn = (text: string): string =>
  v.parse(v.looseObject({ access_token: v.string() }), JSON.parse(text)).access_token;

/** The status of a request with a token. */
export const statusWith = async ({ stage }: Day, token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await stage.service.call('GET', '/v1/me', { as: 'nobody', headers })).status;
};

/** Waits for a number. */
export const statusIs = async (wanted: number, ask: () => Promise<number>): Promise<void> => {
  await until(`status ${wanted}`, async () => ((await ask()) === wanted ? true : undefined));
};

/**
 * Lets new sandboxes answer `statusWith`: they remember no token and no rate. How long an older one does is a promise of
 * `test/auth/authenticator.test.ts`.
 */
export const forgetAnswers = ({ stage }: Day): void => {
  stage.service.cloud.parts.runner.recycle('tidemark-local-getCaller');
};

const deadLettersOf = ({ stage }: Day, queue: string) =>
  stage.service.cloud.parts.storage.sqs.queue(`tidemark-local-${queue}-dead-letters`);

/** Waits for a dead letter that can be taken. */
export const deadLetterIn = (day: Day, queue: string): Promise<true> =>
  until(`a dead letter of ${queue}`, () =>
    deadLettersOf(day, queue).counts().visible > 0 ? true : undefined,
  );
