import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOBODY, tokenMark } from '../../shared/audit/audit-trail.ts';
import { auditCommand } from '../../shared/operator/audit-command.ts';
import { operate } from '../../shared/operator/operator-commands.ts';
import { sha256 } from '../../shared/runtime/hash.ts';
import {
  type Account,
  askSftp,
  type AuthHarness,
  credentials,
  demoHarness,
  must,
  PASSWORD,
  tokenOf,
} from '../auth/harness.ts';
import { textLike } from '../support/answers.ts';
import { auditKeys } from '../../shared/table/request-keys.ts';
import { newKeyPair } from '../../local/services/transfer/host-key.ts';
import { inLogOf } from './audit-log.ts';

let harness: AuthHarness;
let demo: Account;
beforeEach(async () => {
  ({ harness, demo } = await demoHarness());
});

const entries = () => harness.auditLog.items();
const ask = (question?: object) => askSftp(harness, question);

describe('a sign-in', () => {
  it("the audit log and the function's log record a sign-in with user, token and source", async () => {
    await harness.send({ body: credentials(demo), sourceIp: '2001:db8:1:2:3::4' });
    const user = { user: 1, token: textLike(/^[0-9a-f]{8}$/) };
    const entry = { action: 'sign-in', outcome: 'admitted', source: '2001:db8:1:2:3::4', ...user };
    expect(entries()).toEqual([expect.objectContaining({ pk: inLogOf(demo.account), ...entry })]);
    expect(harness.told()).toContainEqual(
      expect.objectContaining({
        code: 'login.admitted',
        account: demo.account,
        ...user,
        source: '8193:3512:1:2',
      }),
    );
  });

  it("the audit log records a refused sign-in without the client's input", async () => {
    await harness.send({ body: credentials(demo, 'a wrong canary') });
    expect(entries()).toEqual([expect.objectContaining({ user: 1, outcome: 'invalid_grant' })]);
    expect(harness.told()).toContainEqual(
      expect.objectContaining({ code: 'login.refused', account: demo.account, user: 1 }),
    );
    expect(harness.lines.join('') + JSON.stringify(entries())).not.toMatch(/canary|demo/);
  });

  it("only the function's log records a sign-in under an unknown name", async () => {
    await harness.send({ body: credentials({ ...demo, username: 'nobody' }) });
    expect(entries().filter(({ pk }) => !auditKeys.logs(NOBODY).includes(pk))).toEqual([]);
    expect(harness.told()).toContainEqual(
      expect.objectContaining({ code: 'login.refused', source: '192.0.2.1' }),
    );
  });
});

describe('a refused sign-in', () => {
  it('a refused sign-in costs as many writes for an unknown name as for a known name', async () => {
    await harness.send({ body: credentials(demo, 'wrong') });
    const known = entries().length;
    await harness.send({ body: credentials({ ...demo, username: 'nobody' }) });
    expect(entries().length - known).toBe(known);
  });

  it('the service stores no address of an unknown name, and nothing about it for longer than an hour', async () => {
    await harness.send({ body: credentials({ ...demo, username: 'nobody' }), sourceIp: '192.0.2.9' });
    const [entry] = entries();
    expect(JSON.stringify(entry)).not.toMatch(/192\.0\.2|nobody/);
    expect(entry?.['ttl']).toBe(Math.ceil(harness.time.now / 1_000) + 3_600);
  });
});

describe('a login over SFTP', () => {
  it('the audit log records admitted and refused SFTP logins', async () => {
    await ask({ password: PASSWORD });
    await ask({ password: 'wrong' });
    const entry = { action: 'sftp.login', user: 1, source: '192.0.2.7' };
    expect(entries().toSorted((a, b) => String(a['outcome']).localeCompare(String(b['outcome'])))).toEqual([
      expect.objectContaining({ ...entry, outcome: 'admitted' }),
      expect.objectContaining({ ...entry, outcome: 'refused' }),
    ]);
  });
});

describe('a question for the keys of a user', () => {
  const outcomes = () =>
    entries()
      .filter(({ pk }) => !auditKeys.logs(NOBODY).includes(pk))
      .map(({ outcome }) => outcome);
  const addKey = async () =>
    must(await harness.run({ command: 'user.key.add', username: 'demo', key: newKeyPair().public }));

  it('is no login: the server asks before it checks a signature', async () => {
    await addKey();
    expect(await ask()).toMatchObject({ PublicKeys: [textLike(/^ssh-/)] });
    expect(outcomes()).toEqual(['keys_asked']);
    expect(harness.told()).toContainEqual(expect.objectContaining({ code: 'login.keys_asked', user: 1 }));
  });

  it.each([
    ['with keys', addKey, 'keys_asked'],
    ['without keys', () => Promise.resolve(), 'refused'],
  ])('of a user %s cannot flood the audit log, and is answered all the same', async (_, prepare, outcome) => {
    await prepare();
    const first = await ask();
    for (let times = 0; times < 200; times += 1) expect(await ask()).toEqual(first);
    expect(outcomes()).toEqual(Array(10).fill(outcome));
    await ask({ sourceIp: '192.0.2.8' });
    expect(outcomes()).toHaveLength(11);
    harness.time.now += 16 * 60_000;
    await ask();
    expect(outcomes()).toHaveLength(12);
  });

  it('of many names from one address are a hundred entries at most', async () => {
    await addKey();
    for (let name = 0; name < 100; name += 1) await ask({ username: `guess${name}` });
    await ask();
    expect(outcomes()).toEqual([]);
  });

  it('locks no password out', async () => {
    for (let times = 0; times < 200; times += 1) await ask();
    expect(await ask({ password: PASSWORD })).toMatchObject({ Role: 'r' });
    expect(outcomes()).toContain('admitted');
  });
});

describe('an operator command', () => {
  const run = (command: object) =>
    auditCommand(harness.deps, { operator: 'ada@ops', ...command }, (one) => operate(harness.deps, one));

  it("the account's audit log records an operator command with ids and without secrets", async () => {
    must(await run({ command: 'user.disable', username: 'demo' }));
    must(await run({ command: 'enricher.list', property: demo.property }));
    must(await run({ command: 'client.rotate', account: demo.account }));
    const common = { outcome: 'ok', operator: 'ada@ops', property: undefined, ids: {} };
    expect(
      entries().map(({ action, outcome, operator, property, ids }) => ({
        ...{ action, outcome, operator, property, ids },
      })),
    ).toEqual(
      expect.arrayContaining([
        { ...common, action: 'operator user.disable', ids: { user_id: 1 } },
        { ...common, action: 'operator enricher.list', property: demo.property },
        { ...common, action: 'operator client.rotate' },
      ]),
    );
    expect(harness.told()).toContainEqual(
      expect.objectContaining({
        code: 'operator.done',
        command: 'user.disable',
        operator: 'ada@ops',
        user: 1,
      }),
    );
  });

  it("the account's audit log names the token, key, import or enricher of a command, and no other text", async () => {
    const token = await tokenOf(harness, demo);
    const mark = tokenMark(`Bearer ${token}`);
    must(await run({ command: 'token.revoke', token }));
    must(await run({ command: 'token.revoke', id: sha256(await tokenOf(harness, demo)) }));
    const key = newKeyPair().public;
    must(await run({ command: 'user.key.add', username: 'demo', key }));
    const [fingerprint] = v
      .parse(
        v.looseObject({ keys: v.array(v.looseObject({ fingerprint: v.string() })) }),
        must(await run({ command: 'user.key.list', username: 'demo' })),
      )
      .keys.map((one) => one.fingerprint);
    must(await run({ command: 'user.key.remove', username: 'demo', fingerprint }));
    await run({ command: 'user.key.remove', username: 'demo', fingerprint: 'ada@example.org' });
    const { property } = demo;
    await run({ command: 'import.revoke', property, import: 7 });
    await run({ command: 'enricher.remove', property, name: 'crm' });
    await run({ command: 'enricher.remove', property, name: 'Ada Lovelace' });
    await run({ command: 'user.erase', account: demo.account, user: 99, email: 'gone@example.org' });
    const named = (action: string) =>
      entries().flatMap((one) => (one['action'] === `operator ${action}` ? [one['ids']] : []));
    expect(named('token.revoke')).toHaveLength(2);
    expect(named('token.revoke')).toContainEqual({ user_id: 1, token: mark });
    expect(named('user.key.add')).toEqual([{ user_id: 1, fingerprint }]);
    const removed = [{ user_id: 1, fingerprint }, { user_id: 1 }];
    expect(named('user.key.remove')).toEqual(expect.arrayContaining(removed));
    expect(named('import.revoke')).toEqual([{ import_id: 7 }]);
    expect(named('user.erase')).toEqual([{ user_id: 99 }]);
    expect(named('enricher.remove')).toEqual(expect.arrayContaining([{ enricher: 'crm' }, {}]));
  });

  it('the log names the queue of a command on dead letters, and no other text in its place', async () => {
    const run = (command: unknown) => operate(harness.deps, command);
    for (const queue of ['schedules', 'ada@example.org'])
      await auditCommand(harness.deps, { command: 'dead-letters.delete', queue }, run);
    const told = { command: 'dead-letters.delete' };
    expect(harness.told()).toEqual([
      expect.objectContaining({ ...told, code: 'operator.done', queue: 'schedules' }),
      expect.not.objectContaining({ queue: textLike(/./) }),
    ]);
  });

  it('a command from an invalid or missing operator name runs, and is recorded without the name', async () => {
    const seen: unknown[] = [];
    const command = { command: 'audit', property: demo.property, repair: true };
    const answer = { ok: true, next: null } as const;
    for (const operator of ['ada@ops', 'ada\n', 'x'.repeat(201), 7, undefined])
      expect(
        await auditCommand(harness.deps, { ...command, operator }, (one) => {
          seen.push(one);
          return Promise.resolve(answer);
        }),
      ).toBe(answer);
    expect(seen).toEqual(Array.from({ length: 5 }, () => command));
    expect(entries().map(({ action, operator }) => [action, operator ?? null])).toEqual(
      expect.arrayContaining([
        ['operator audit', 'ada@ops'],
        ...Array.from({ length: 4 }, () => ['operator audit', null]),
      ]),
    );
  });

  it('the audit log records a command that made or removed the account or user, or was refused', async () => {
    const made = must(await run({ command: 'account.create', name: 'New' }));
    must(await run({ command: 'user.delete', username: 'demo' }));
    await run({ command: 'property.create', account: demo.account, name: '' });
    expect(harness.auditLog.items().map(({ pk, action, outcome }) => [pk, action, outcome])).toEqual(
      expect.arrayContaining([
        [inLogOf(Number(made['account'])), 'operator account.create', 'ok'],
        [inLogOf(demo.account), 'operator user.delete', 'ok'],
        [inLogOf(demo.account), 'operator property.create', 'invalid'],
      ]),
    );
  });
});
