import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { newKeyPair } from '../../local/services/transfer/host-key.ts';
import { auditLogAnswer } from '../../shared/audit/schemas.ts';
import { parseKeys } from '../../shared/auth/ssh-keys.ts';
import { anyText } from '../support/answers.ts';
import { operate } from '../support/operate.ts';
import { sftpClient } from '../../local/test/support/sftp-client.ts';
import { until } from '../support/until.ts';
import { counted, rows, sftpHarness, type SftpHarness } from './sftp-harness.ts';

/** `SSH_FX_PERMISSION_DENIED` of the protocol. */
const PERMISSION_DENIED = 3;

let harness: SftpHarness;
beforeAll(async () => {
  harness = await sftpHarness();
}, 120_000);
afterAll(() => harness[Symbol.asyncDispose]());

/** A new user of the demo account. A key has no user name of another test. */
const newUser = async (username: string, role = 'owner') => {
  const { service } = harness;
  const { accounts } = v.parse(
    v.looseObject({ accounts: v.array(v.looseObject({ id: v.number() })) }),
    await operate(service, { command: 'account.list' }),
  );
  const password = 'a passphrase of a test';
  const named = { email: 'x@example.org', first_name: 'A', last_name: 'B' };
  const made = v.parse(
    v.looseObject({ user: v.number() }),
    await operate(service, {
      command: 'user.create',
      account: accounts[0]?.id,
      username,
      password,
      role,
      ...named,
    }),
  );
  const key = newKeyPair();
  await operate(service, { command: 'user.key.add', username, key: key.public });
  return { ...made, username, password, key, login: { port: harness.account.port, username } };
};

const loginsOf = async (user: number) => {
  const list = `/v2/properties/${harness.service.property}/audit-log?limit=100&action=sftp.login&user=${user}`;
  return (await harness.service.client.get(list, auditLogAnswer)).entries;
};

const fingerprintOf = (key: string): string | undefined => {
  const parsed = parseKeys(key);
  return parsed.ok ? parsed.value[0]?.fingerprint : undefined;
};

describe('the audit log', () => {
  it('says of a stranger with a made-up key only that the keys were asked for', async () => {
    const { user, login } = await newUser('asked-for');
    for (let time = 0; time < 3; time += 1)
      await expect(sftpClient({ ...login, privateKey: newKeyPair().private })).rejects.toThrow(
        'authentication methods failed',
      );
    await harness.service.cloud.idle();
    expect((await loginsOf(user)).map(({ outcome }) => outcome)).toEqual(Array(3).fill('keys_asked'));
  });

  it('has one entry of a login by key, with the key and the time of the login, however often its line comes', async () => {
    const { cloud } = harness.service;
    const told: string[] = [];
    const end = cloud.observeInvocations(({ functionName, event }) => {
      if (functionName === 'tidemark-local-recordSftpLogin') told.push(event);
    });
    const { user, login, key } = await newUser('by-key');
    const before = Date.now();
    using client = await sftpClient({ ...login, privateKey: key.private });
    const after = Date.now();
    expect(await client.list('/')).toContain('imports');
    const [event = ''] = await until('the line of the login', () => (told.length > 0 ? told : undefined));
    end();
    for (let again = 0; again < 3; again += 1)
      expect(await cloud.invoke('recordSftpLogin', JSON.parse(event))).toMatchObject({ ok: true });
    await cloud.idle();
    const [entry, ...others] = await loginsOf(user);
    expect(others.map(({ outcome }) => outcome)).toEqual(['keys_asked']);
    expect(entry).toMatchObject({
      outcome: 'admitted',
      source: '127.0.0.1',
      ids: { ssh_key: fingerprintOf(key.public) },
    });
    const time = Date.parse(entry?.time ?? '');
    expect([time >= before, time <= after]).toEqual([true, true]);
  });

  it('has one entry of a login by password', async () => {
    const { user, login, password } = await newUser('by-password');
    using client = await sftpClient({ ...login, password });
    expect(await client.list('/')).toContain('imports');
    await harness.service.cloud.idle();
    expect(await loginsOf(user)).toEqual([
      expect.objectContaining({ outcome: 'admitted', request_id: anyText, ids: {} }),
    ]);
  });
});

describe('the role of a user', () => {
  it('that sends people and sees none imports a file, reads its result alone, and renames nothing', async () => {
    const definition = await harness.define();
    const { login, key } = await newUser('box-office', 'importer');
    using client = await sftpClient({ ...login, privateKey: key.private });
    const path = `/imports/${definition}/x.csv`;
    await client.put(path, rows('box'));
    expect(await harness.countsOf(definition, 'x.csv')).toMatchObject(counted);
    const names = ['x.csv', 'x.csv.refused.csv', 'x.csv.result.json'];
    await until('the result', async () =>
      (await client.list(`/imports/${definition}`)).length === names.length ? true : undefined,
    );
    expect(await client.list(`/imports/${definition}`)).toEqual(names);
    expect(String(await client.read(`${path}.result.json`))).toContain('"completed"');
    for (const hidden of [path, `${path}.refused.csv`])
      await expect(client.read(hidden)).rejects.toMatchObject({ code: PERMISSION_DENIED });
    await expect(client.rename(path, `/imports/${definition}/y.result.json`)).rejects.toMatchObject({
      code: PERMISSION_DENIED,
    });
    await client.remove(path);
  });

  it('that only sees people lets nobody in, by password or by key, from the next login on', async () => {
    const { user, login, password, key } = await newUser('analyst', 'editor');
    using client = await sftpClient({ ...login, password });
    await operate(harness.service, { command: 'user.role', username: 'analyst', role: 'reader' });
    for (const proof of [{ password }, { privateKey: key.private }])
      await expect(sftpClient({ ...login, ...proof })).rejects.toThrow('authentication methods failed');
    await harness.service.cloud.idle();
    const [, ...first] = (await loginsOf(user)).toReversed().map(({ outcome }) => outcome);
    expect(new Set(first)).toEqual(new Set(['not_permitted']));
    // A session that is open goes on.
    expect(await client.list('/')).toContain('imports');
  });
});
