import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { readPrivateKey } from '../../shared/sftp/credential.ts';
import { sshKeyPair } from '../../shared/sftp/key-pair.ts';
import { openSftpServer } from '../support/sftp-server.ts';
import { textLike } from '../support/answers.ts';
import { path, withPeople, faultsOf } from './steps.ts';
import { tested } from './tested.ts';
import { bodyOf, segment } from './harness.ts';
import { newFolders } from '../../local/test/support/folders.ts';
import { exportAnswer } from '../../shared/exports/model/answers.ts';

const PASSWORD = 'correct horse battery';
const own = sshKeyPair(new Uint8Array(32).fill(9), '');
const server = { domain: 'files.example.com', client_id: 'receiver' };
const withServer = (more: Record<string, unknown>) => ({
  segment: [segment(2)],
  destination_credentials: { ...server, ...more },
});
const shown = (body: unknown) => v.parse(exportAnswer, body).destination_credentials;
const newFolder = newFolders();

/** A private key as ssh-keygen writes it. */
const generated = async (...options: string[]): Promise<string> => {
  const folder = newFolder();
  execFileSync('ssh-keygen', ['-q', '-f', join(folder, 'key'), ...options]);
  return readFile(join(folder, 'key'), 'utf8');
};

describe('the login of an export', () => {
  it.each([
    ['private_key', { private_key: own.privateKey }, own.publicKey.trim()],
    ['password', { password: PASSWORD }, null],
    ['private_key_and_password', { private_key: own.privateKey, password: PASSWORD }, own.publicKey.trim()],
  ])('by %s keeps the secret encrypted and never shows it', async (authentication, secret, public_key) => {
    const harness = withPeople();
    const created = bodyOf(await harness.create(withServer(secret)));
    const read = bodyOf(await harness.read(path));
    const way = { temporary_name: 'rename', verify: 'size' };
    expect(shown(read)).toEqual({ ...server, authentication, public_key, ...way });
    const everything = JSON.stringify([created, read, bodyOf(await harness.list()), harness.table.items()]);
    for (const text of Object.values(secret))
      expect(everything).not.toContain(text.split('\n').at(-3) ?? text);
  });

  it('by a key of the client is the login of the push', async () => {
    await using there = await openSftpServer();
    const harness = withPeople();
    const domain = `127.0.0.1:${there.port}`;
    await harness.create({ ...withServer({ domain, private_key: own.privateKey }), start: false });
    expect((await tested(harness)).ok).toBe(true);
  });

  it('by password sends the password only to a server whose host key the client named', async () => {
    await using there = await openSftpServer();
    there.mischief.password = PASSWORD;
    const harness = withPeople();
    const domain = `127.0.0.1:${there.port}`;
    await harness.create({ ...withServer({ domain, password: PASSWORD }), start: false });
    const before = await tested(harness);
    expect(before.steps[1]).toMatchObject({ step: 'host_key', result: 'failed' });
    expect(there.logins()).toBe(0);
    await harness.nameHostKey(path, before.host_key?.fingerprint ?? '');
    expect((await tested(harness)).ok).toBe(true);
    expect(there.logins()).toBe(1);
  });

  it('by key and password sends both, and the password only to a server whose host key the client named', async () => {
    await using there = await openSftpServer();
    there.mischief.passwordToo = PASSWORD;
    const harness = withPeople();
    const domain = `127.0.0.1:${there.port}`;
    await harness.create({ ...withServer({ domain }), start: false });
    const { steps, host_key } = await tested(harness);
    expect(steps[2]).toMatchObject({
      result: 'failed',
      message:
        'The server took our key and wants a password too. Send the password of receiver too, with authentication service_key_and_password.',
    });
    const both = { domain, authentication: 'service_key_and_password', password: PASSWORD };
    const before = shown(bodyOf(await harness.read(path)))?.public_key;
    expect(shown(bodyOf(await harness.replace(path, withServer(both))))?.public_key).toBe(before);
    // Nobody has named the host key.
    expect((await tested(harness)).steps[1]).toMatchObject({ step: 'host_key', result: 'failed' });
    await harness.nameHostKey(path, host_key?.fingerprint ?? '');
    expect((await tested(harness)).ok).toBe(true);
    // A send-back keeps both.
    bodyOf(await harness.replace(path, withServer({ domain, authentication: both.authentication })));
    expect((await tested(harness)).ok).toBe(true);
    bodyOf(await harness.replace(path, withServer({ ...both, password: 'wrong' })));
    expect((await tested(harness)).steps[2]?.message).toMatch(
      /^The server took our key, but not the password\. Check/,
    );
  });

  it('in a dialogue answers one hidden question, and no other', async () => {
    await using there = await openSftpServer();
    const harness = withPeople();
    const domain = `127.0.0.1:${there.port}`;
    await harness.create({ ...withServer({ domain, password: PASSWORD }), start: false });
    await harness.nameHostKey(path, (await tested(harness)).host_key?.fingerprint ?? '');
    Object.assign(there.mischief, { password: PASSWORD, questions: [{ prompt: 'Password: ', echo: false }] });
    expect((await tested(harness)).ok).toBe(true);
    there.mischief.questions = [
      { prompt: 'Password: ', echo: false },
      { prompt: 'One-time code: ', echo: false },
    ];
    expect((await tested(harness)).steps[2]?.message).toMatch(
      /^The server asks for more than a key and a password/,
    );
    there.mischief.questions = [{ prompt: 'Employee number: ', echo: true }];
    expect((await tested(harness)).steps[2]?.message).toMatch(
      /^The server asks for more than a key and a password/,
    );
  });

  it('keeps a secret that PUT leaves out, for the same server and user only', async () => {
    const harness = withPeople();
    await harness.create(withServer({ password: PASSWORD }));
    const same = withServer({ authentication: 'password' });
    expect(shown(bodyOf(await harness.replace(path, same)))).toMatchObject({ authentication: 'password' });
    for (const other of [{ domain: 'other.example.com' }, { client_id: 'eve' }]) {
      const answer = await harness.replace(path, withServer({ authentication: 'password', ...other }));
      expect(faultsOf(answer)).toEqual(['/destination_credentials/password required']);
    }
    expect(shown(bodyOf(await harness.replace(path, withServer({}))))).toMatchObject({
      authentication: 'service_key',
      public_key: textLike(/^ssh-ed25519/),
    });
    expect(faultsOf(await harness.replace(path, same))).toEqual([
      '/destination_credentials/password required',
    ]);
  });

  it.each([
    [
      { authentication: 'private_key', private_key: own.privateKey, password: 'x' },
      ['/destination_credentials/password not_allowed'],
    ],
    [
      { authentication: 'private_key_and_password', private_key: own.privateKey },
      ['/destination_credentials/password required'],
    ],
    [{ authentication: 'service_key_and_password' }, ['/destination_credentials/password required']],
    [{ authentication: 'service_key', password: 'x' }, ['/destination_credentials/password not_allowed']],
    [{ authentication: 'private_key' }, ['/destination_credentials/private_key required']],
    [{ private_key: 'no key' }, ['/destination_credentials/private_key not_a_private_key']],
    [{ private_key: own.publicKey }, ['/destination_credentials/private_key not_a_private_key']],
    [{ password: 'x'.repeat(4_001) }, ['/destination_credentials/password too_long']],
  ])('refuses %j', async (more, faults) => {
    expect(faultsOf(await withPeople().create(withServer(more)))).toEqual(faults);
  });

  it('takes keys as ssh-keygen writes them, and no key with a passphrase or of 1,024 bits', async () => {
    const readable = [['ed25519'], ['ecdsa'], ['rsa', '-b', '2048']];
    const refused = [
      [['ed25519', '-N', 'secret'], 'key_has_passphrase'],
      [['rsa', '-b', '1024', '-N', ''], 'key_too_weak'],
      [['rsa', '-b', '2048', '-m', 'PEM', '-N', ''], 'not_a_private_key'],
    ] as const;
    for (const options of readable)
      expect(readPrivateKey(await generated('-t', ...options, '-N', ''))).toMatchObject({ ok: true });
    for (const [options, error] of refused)
      expect(readPrivateKey(await generated('-t', ...options))).toEqual({ ok: false, error });
  });
});
