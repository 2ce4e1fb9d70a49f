import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { AdminAnswer } from '../../cli/admin-service.ts';
import { auditTrail } from '../../shared/audit/audit-trail.ts';
import type { AccountDeps } from '../../shared/auth/accounts.ts';
import { issueToken } from '../../shared/auth/issue-token.ts';
import { writeOAuthProblem } from '../../shared/auth/oauth-answer.ts';
import { sftpLogin } from '../../shared/auth/sftp-login.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { operate, type OperatorAnswer } from '../../shared/operator/operator-commands.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { logTo } from '../../shared/runtime/log.ts';
import { issueToken as entry } from '../../functions/auth/entries.ts';
import { apiEvent, type Sent } from '../support/api-event.ts';
import { memoryDeadLetters } from '../support/memory-dead-letters.ts';
import { memoryKeys } from '../support/memory-keys.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { memoryRate } from '../support/rates.ts';

const START = Date.UTC(2026, 0, 15, 12);
export const PASSWORD = 'correct horse battery staple';

/** Accounts, users and tokens on tables in memory, at a time the test sets, with a cheap key derivation that counts. */
export const authHarness = ({ table = new MemoryTable(), credentials = new MemoryTable() } = {}) => {
  const time = { now: START };
  const lines: string[] = [];
  const spent = { kdf: 0 };
  const log = logTo((line) => void lines.push(line));
  const auditLog = new MemoryTable();
  const audit = auditTrail({ entries: auditLog, log, clock: () => time.now });
  const deps = {
    table,
    credentials,
    audit,
    clock: () => time.now,
    ids: systemIds,
    log,
    keyService: memoryKeys(),
    pause: () => Promise.resolve(),
    deadLetters: memoryDeadLetters().ports,
    auditLog,
    stage: { baseUrl: 'https://api.example.test', privateTargets: 'none' as const },
    kdf: (password: string, salt: Uint8Array) => {
      spent.kdf += 1;
      return Promise.resolve(new Uint8Array(createHash('sha256').update(password).update(salt).digest()));
    },
  } satisfies AccountDeps & Record<string, unknown>;
  const handler = publicHandler(entry, issueToken, () => deps, { runtime: deps, failure: writeOAuthProblem });
  const rate = memoryRate(deps);
  /** Ports of the wrapper of a route with a token. */
  const around = {
    ...deps,
    rate: () => rate,
    audit: () => audit,
    credentials: () => credentials,
    table: () => table,
  };
  const send = (sent: Sent) => handler(apiEvent({ method: 'POST', path: '/oauth/token', ...sent }));
  return {
    table,
    credentials,
    time,
    lines,
    /** The lines of the log as JSON. */
    told: () => lines.map((line): unknown => JSON.parse(line)),
    spent,
    deps,
    around,
    auditLog,
    send,
    run: (command: unknown) => operate(deps, command),
  };
};
export type AuthHarness = ReturnType<typeof authHarness>;

const created = v.object({ account: v.number(), property: v.number(), client_id: v.string() });

/** Gives an account another user, and perhaps a role to it. */
export const makeUser = async (
  harness: AuthHarness,
  { account, client_id }: { readonly account: number; readonly client_id: string },
  username: string,
  more: object = {},
) => {
  const user = { email: `${username}@example.com`, first_name: 'A', last_name: 'B', password: PASSWORD };
  must(await harness.run({ command: 'user.create', account, username, ...user, ...more }));
  return { client_id, username };
};

/** An account with a property, a client id and a user called `username`, made by operator commands. */
export const makeAccount = async (harness: AuthHarness, username: string) => {
  const { account } = must(await harness.run({ command: 'account.create', name: `${username} Ltd` }));
  const { property } = must(await harness.run({ command: 'property.create', account, name: 'Shop' }));
  const { client_id } = must(await harness.run({ command: 'client.create', account }));
  const made = v.parse(created, { account, property, client_id });
  await makeUser(harness, made, username);
  return { ...made, username };
};

/** A harness with the account of a user called `demo`. */
export const demoHarness = async () => {
  const harness = authHarness();
  const demo = await makeAccount(harness, 'demo');
  harness.spent.kdf = 0;
  return { harness, demo };
};
export type Account = Awaited<ReturnType<typeof makeAccount>>;

/** What the SFTP server asks about a user called `demo`, unless the question says more. */
export const askSftp = ({ deps }: AuthHarness, question: object = {}) =>
  sftpLogin({ ...deps, place: { bucket: 'b', roleArn: 'r' } })({
    ...{ protocol: 'SFTP', username: 'demo', sourceIp: '192.0.2.7' },
    ...question,
  });

/** The value of a successful answer; throws on a failure. */
export const must = (answer: OperatorAnswer): Readonly<Record<string, unknown>> => {
  if (!answer.ok) throw new Error(answer.error.message);
  return answer;
};

/** An answer of an operator command as the command line gets it. */
export const toldOperator = (answer: OperatorAnswer): AdminAnswer =>
  answer.ok ? answer : { ok: false, error: { ...answer.error, errors: [] } };

/** Puts a property into the state of one whose deletion is under way. */
export const beginDeletion = (harness: AuthHarness, { account, property }: Account) => {
  const pass = { table: 't', phase: 'rest', after: null, began: 0, found: 0 };
  const deletion = { ...pass, last_from: 0, items: 0, objects: 0 };
  const key = credentialKeys.property(property);
  return harness.credentials.put(key, { account, name: 'Shop', busy_until: 0, deletion });
};

export const credentials = (
  { client_id, username }: { client_id: string; username: string },
  password = PASSWORD,
) => ({ grant_type: 'password', client_id, username, password });

/** Signs in, perhaps for a narrower token or a key, and returns the token. */
export const tokenOf = async (
  harness: AuthHarness,
  account: { client_id: string; username: string },
  asked: object = {},
): Promise<string> => {
  const answer = await harness.send({ body: { ...credentials(account), ...asked } });
  return v.parse(v.object({ access_token: v.string() }), JSON.parse(answer.body)).access_token;
};
