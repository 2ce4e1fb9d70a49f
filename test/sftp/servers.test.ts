import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { PutWay } from '../../shared/sftp/outgoing.ts';
import type { SftpTarget } from '../../shared/sftp/pinned-session.ts';
import { sftpProbe } from '../../shared/sftp/probe.ts';
import { describeWith } from '../../local/test/support/installed.ts';
import { openProftpd } from '../support/proftpd.ts';
import { openSshd } from '../support/sshd.ts';
import { fileOf, keys, later, push, reasonOf, targetOf, at, serverOf } from './pushing.ts';
import { newFolders } from '../../local/test/support/folders.ts';

const content = randomBytes(100_000);
const older = Buffer.from('an older file');
const inPlace: PutWay = { temporaryName: 'none', verify: 'size' };
const unseen: PutWay = { temporaryName: 'rename', verify: 'none' };
const MINUTE = 60_000;

const probe = sftpProbe({ resolve: () => Promise.resolve(['127.0.0.1']), privateTargets: 'loopback' });
const probed = async (target: SftpTarget, isReplaced = true) =>
  (await probe(target, { name: '.tidemark-test-1', directory: null, isReplaced })).failed;

const newFolder = newFolders();
const contentOf = (folder: string, name = 'people.csv') => readFile(join(folder, name));
const named = (fingerprint: string | undefined) =>
  ({ fingerprint: fingerprint ?? '', type: null, pinned_by: 'request' }) as const;

/** The fingerprint that a test shows, for a client to compare. */
const fingerprintOf = async (port: number, username: string) => {
  const file = { name: '.tidemark-test-1', directory: null, isReplaced: false };
  return (await probe(targetOf(port, { username }), file)).hostKey?.fingerprint;
};

describeWith('sshd', 'OpenSSH with rules of its own', (path) => {
  it.each(['rename,posix-rename', 'posix-rename,rename,remove'])(
    'an inbox that refuses %s keeps the older file, and takes the newer one under its final name',
    async (refuses) => {
      await using sshd = await serverOf(path, { refuses });
      await writeFile(join(sshd.folder, 'people.csv'), older);
      const reason = 'the server refused the rename (3)';
      expect(await probed(at(sshd))).toMatchObject({ step: 'rename', reason });
      expect(reasonOf(await push(at(sshd), fileOf(content, 'people.csv'), later()))).toBe(reason);
      expect((await contentOf(sshd.folder)).equals(older)).toBe(true);
      const way = inPlace;
      expect(await probed(at(sshd, { way }))).toBeUndefined();
      expect(await push(at(sshd, { way }), fileOf(content, 'people.csv'), later())).toEqual({ kind: 'sent' });
      expect((await contentOf(sshd.folder)).equals(content)).toBe(true);
    },
    MINUTE,
  );

  it.each(['posix-rename', 'posix-rename,setstat,fsetstat'])(
    'a server that refuses %s has the older file moved aside, and removed once the newer one has its name',
    async (refuses) => {
      await using sshd = await serverOf(path, { refuses });
      await writeFile(join(sshd.folder, 'people.csv'), older);
      expect(await probed(at(sshd))).toBeUndefined();
      expect(await push(at(sshd), fileOf(content, 'people.csv'), later())).toEqual({ kind: 'sent' });
      expect(await readdir(sshd.folder)).toEqual(['people.csv']);
      expect((await contentOf(sshd.folder)).equals(content)).toBe(true);
    },
    MINUTE,
  );

  it('a server that refuses to remove files says where the older file is', async () => {
    await using sshd = await serverOf(path, { refuses: 'posix-rename,remove' });
    await writeFile(join(sshd.folder, 'people.csv'), older);
    const remark = 'the server refused to remove the older file: it stays as .people.csv.older.part';
    expect(await push(at(sshd), fileOf(content, 'people.csv'), later())).toEqual({ kind: 'sent', remark });
    expect((await contentOf(sshd.folder, '.people.csv.older.part')).equals(older)).toBe(true);
    expect((await contentOf(sshd.folder)).equals(content)).toBe(true);
  }, 60_000);

  it('a test of a server that refuses to remove files says which file stays', async () => {
    await using sshd = await serverOf(path, { refuses: 'remove' });
    const outcome = await probe(at(sshd), { name: '.tidemark-test-1', directory: null, isReplaced: true });
    expect(outcome).toMatchObject({ failed: undefined, left: '.tidemark-test-1' });
    expect(await readdir(sshd.folder)).toEqual(['.tidemark-test-1']);
  }, 60_000);

  it.each(['stat,lstat,fstat,opendir,readdir', 'stat,lstat,fstat,opendir,readdir,read'])(
    'an inbox that refuses %s is told by the test, and takes files without a look',
    async (refuses) => {
      await using sshd = await serverOf(path, { refuses });
      const reason = 'the server refused a look at the file (3)';
      expect(await probed(at(sshd))).toMatchObject({ step: 'look', reason });
      expect(reasonOf(await push(at(sshd), fileOf(content, 'people.csv'), later()))).toBe(reason);
      expect(await readdir(sshd.folder)).toEqual([]);
      for (const way of [unseen, { temporaryName: 'none', verify: 'none' } as const]) {
        expect(await probed(at(sshd, { way }))).toBeUndefined();
        expect(await push(at(sshd, { way }), fileOf(content, 'people.csv'), later())).toEqual({
          kind: 'sent',
        });
        expect(await readdir(sshd.folder)).toEqual(['people.csv']);
        expect((await contentOf(sshd.folder)).equals(content)).toBe(true);
      }
    },
    MINUTE,
  );

  it.each(['rsa', 'ecdsa', 'ed25519'] as const)(
    'a server with three keys is known by the fingerprint of its %s key',
    async (type) => {
      await using sshd = await serverOf(path, { hostKeyTypes: ['rsa', 'ecdsa', 'ed25519'] });
      const pins: unknown[] = [];
      const pin: SftpTarget['pin'] = (shown) => {
        pins.push(shown);
        return Promise.resolve(true);
      };
      const pinned = named(sshd.fingerprint(type));
      expect(await push(at(sshd, { pinned, pin }), fileOf(content), later())).toEqual({ kind: 'sent' });
      const kind = { rsa: 'ssh-rsa', ecdsa: 'ecdsa-sha2-nistp256', ed25519: 'ssh-ed25519' }[type];
      expect(pins).toEqual([{ fingerprint: pinned.fingerprint, type: kind }]);
      const other = await push(
        at(sshd, { pinned: named(`SHA256:${'A'.repeat(43)}`) }),
        fileOf(content),
        later(),
      );
      expect(reasonOf(other)).toMatch(
        /^the host key has changed: SHA256:A{43} was expected, (?:SHA256:\S{43} \(\S+\)(?: and )?){3} came$/,
      );
    },
    MINUTE,
  );
});

describeWith('libpam_wrapper.so', 'OpenSSH with passwords', () => {
  const password = 'correct horse';
  const methods = [
    ['keyboard-interactive', { password }],
    ['password', { password }],
    ['publickey,password', { password, privateKey: keys.privateKey }],
    ['publickey,keyboard-interactive', { password, privateKey: keys.privateKey }],
    ['password,publickey', { password, privateKey: keys.privateKey }],
  ] as const;
  it.each(methods)(
    'a server that wants %s lets the service in',
    async (wanted, credential) => {
      await using sshd = await serverOf('/usr/sbin/sshd', { methods: wanted, password });
      const pinned = named(sshd.fingerprint());
      const target = at(sshd, { pinned, credential });
      expect(await push(target, fileOf(content, 'people.csv'), later())).toEqual({ kind: 'sent' });
      const wrong = await push(
        { ...target, credential: { ...credential, password: 'x' } },
        fileOf(content),
        later(),
      );
      expect(reasonOf(wrong)).toMatch(/password/);
      const unnamed = await push(
        { ...target, pinned: { ...pinned, pinned_by: 'first_use' } },
        fileOf(content),
        later(),
      );
      expect(reasonOf(unnamed)).toMatch(/is not accepted yet: name it with PUT host-key/);
    },
    MINUTE,
  );

  it.each(['ed25519', 'rsa'])(
    'a server that took our %s key and wants a password too is told so',
    async (type) => {
      await using sshd = await openSshd('/usr/sbin/sshd', { methods: 'publickey,password', password });
      const folder = newFolder();
      execFileSync('ssh-keygen', [
        '-q',
        '-t',
        type,
        '-N',
        '',
        '-f',
        join(folder, 'key'),
        ...(type === 'rsa' ? ['-b', '2048'] : []),
      ]);
      await sshd.authorize((await readFile(join(folder, 'key.pub'), 'utf8')).trim());
      const privateKey = await readFile(join(folder, 'key'), 'utf8');
      const pinned = named(sshd.fingerprint());
      const alone = await push(at(sshd, { pinned, credential: { privateKey } }), fileOf(content), later());
      expect(alone).toMatchObject({ step: 'login', fault: 'password_missing' });
      const both = { privateKey, password };
      expect(await push(at(sshd, { pinned, credential: both }), fileOf(content), later())).toEqual({
        kind: 'sent',
      });
    },
    MINUTE,
  );

  it('a password for a server that takes keys alone is told so, and a key for one that takes passwords', async () => {
    await using keysOnly = await serverOf('/usr/sbin/sshd', { methods: 'publickey' });
    const pinned = named(keysOnly.fingerprint());
    const byPassword = at(keysOnly, { pinned, credential: { password } });
    expect(await push(byPassword, fileOf(content), later())).toMatchObject({ fault: 'no_passwords' });
    await using passwords = await serverOf('/usr/sbin/sshd', { methods: 'password', password });
    expect(await push(at(passwords), fileOf(content), later())).toMatchObject({ fault: 'no_keys' });
  }, 60_000);
});

describeWith('proftpd', 'ProFTPD as receiver', (path) => {
  it('ProFTPD gets a file of a user of a domain, over an older file', async () => {
    await using server = await openProftpd(path, { publicKey: keys.publicKey });
    await writeFile(join(server.folder, 'people.csv'), older);
    const target = targetOf(server.port, { username: server.username });
    expect(await probed(target)).toBeUndefined();
    expect(await push(target, fileOf(content, 'people.csv'), later())).toEqual({ kind: 'sent' });
    expect(await readdir(server.folder)).toEqual(['people.csv']);
    expect((await contentOf(server.folder)).equals(content)).toBe(true);
  }, 60_000);

  it.each([
    ['renames', ['<Limit RNFR RNTO>', 'DenyAll', '</Limit>'], inPlace],
    ['files to be written over by a rename', ['AllowOverwrite off'], undefined],
  ])(
    'ProFTPD that allows no %s keeps the older file until a newer one has its place',
    async (_, lines, way) => {
      await using server = await openProftpd(path, { publicKey: keys.publicKey, lines });
      await writeFile(join(server.folder, 'people.csv'), older);
      const target = targetOf(server.port, { username: server.username });
      if (way) {
        expect(await probed(target)).toMatchObject({ step: 'rename' });
        expect(await push(target, fileOf(content, 'people.csv'), later())).toMatchObject({ step: 'rename' });
        expect((await contentOf(server.folder)).equals(older)).toBe(true);
      }
      const allowed = way ? { ...target, way } : target;
      expect(await probed(allowed)).toBeUndefined();
      expect(await push(allowed, fileOf(content, 'people.csv'), later())).toEqual({ kind: 'sent' });
      expect((await contentOf(server.folder)).equals(content)).toBe(true);
    },
    MINUTE,
  );

  it('ProFTPD that wants a key and a password lets the service in', async () => {
    await using server = await openProftpd(path, {
      publicKey: keys.publicKey,
      methods: 'publickey+password',
    });
    const { username, password } = server;
    const alone = await push(targetOf(server.port, { username }), fileOf(content), later());
    expect(alone).toMatchObject({ step: 'login', fault: 'password_missing' });
    const pinned = named(await fingerprintOf(server.port, username));
    const both = { username, pinned, credential: { privateKey: keys.privateKey, password } };
    expect(await push(targetOf(server.port, both), fileOf(content), later())).toEqual({ kind: 'sent' });
  }, 60_000);
});
