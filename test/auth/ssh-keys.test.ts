import { generateKeyPairSync } from 'node:crypto';
import ssh2 from 'ssh2';
import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { newKeyPair } from '../../local/services/transfer/host-key.ts';
import { parseKeys } from '../../shared/auth/ssh-keys.ts';
import { textLike } from '../support/answers.ts';
import { refusalOf, rsaLine } from './key-blobs.ts';
import { authHarness, makeAccount, must, type AuthHarness } from './harness.ts';

const { generateKeyPairSync: sshKeys } = ssh2.utils;
const ed25519 = (): string => newKeyPair().public;
const ecdsa = (bits: 256 | 384 | 521): string => sshKeys('ecdsa', { bits }).public;
const rsa = (bits: number): string => sshKeys('rsa', { bits }).public;

describe('a public key', () => {
  const types = ['ssh-ed25519', ...[256, 384, 521].map((bits) => `ecdsa-sha2-nistp${bits}`), 'ssh-rsa'];

  it.each([
    ['ed25519', ed25519()],
    ['ecdsa 256', ecdsa(256)],
    ['ecdsa 384', ecdsa(384)],
    ['ecdsa 521', ecdsa(521)],
    ['rsa 2048', rsa(2048)],
    ['rsa 4096', rsaLine('010001', `00${'ff'.repeat(512)}`)],
  ])('of %s is taken, with the fingerprint of OpenSSH', (_, line) => {
    const parsed = parseKeys(`${line} person@desk one`);
    if (!parsed.ok) throw new Error(parsed.error);
    expect(parsed.value).toEqual([
      {
        key: line.split(' ').slice(0, 2).join(' '),
        fingerprint: textLike(/^SHA256:[A-Za-z0-9+/]{43}$/),
        comment: 'person@desk one',
      },
    ]);
  });

  it('has the fingerprint that ssh-keygen prints', () => {
    const line = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f';
    const parsed = parseKeys(line);
    expect(parsed.ok && parsed.value[0]?.fingerprint).toBe(
      'SHA256:ZkAslGjFiUHdGf/WUL8rQvkib4PTvQatUV0OUQSncCA',
    );
  });

  it('public keys come one to a line, between comments and blank lines', () => {
    const parsed = parseKeys(`# keys\r\n${ed25519()} a\r\n\r\n  ${ecdsa(256)} b\n`);
    expect(parsed.ok && parsed.value.map(({ comment }) => comment)).toEqual(['a', 'b']);
  });

  it('a key line may have blanks and tabs around its parts, and a comment up to the longest line', () => {
    const [type = '', encoded = ''] = ed25519().split(' ');
    const comment = 'x'.repeat(limits.auth.sshKeyLength - type.length - encoded.length - 2);
    const parsed = parseKeys(` ${type} \t ${encoded}\t \tvan \n${type} ${encoded} ${comment}`);
    const key = `${type} ${encoded}`;
    expect(parsed).toMatchObject({
      value: [
        { key, comment: 'van' },
        { key, comment },
      ],
    });
    expect(refusalOf(`${type} ${encoded} ${comment}x`)).toBe('Line 1 is no OpenSSH key.');
  });

  it('a comment with control characters is dropped', () => {
    expect(parseKeys(`${ed25519()} a\u001b[31mb`)).toMatchObject({ value: [{ comment: '' }] });
  });

  const [good = '', data = ''] = ed25519().split(' ');
  it.each([
    ['nothing', '', /no key/],
    ['comments alone', '# none\n', /no key/],
    ['a private key', newKeyPair().private, /private key/],
    [
      'a PEM private key',
      generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
      /private key/,
    ],
    ['another first word than the types it names', `x ${data}`, new RegExp(types.join(', '))],
    ['a key with options', `command="x" ${good} ${data}`, /begins with none/],
    ['a DSA key', `ssh-dss ${data}`, /begins with none/],
    ['a security key', `sk-ssh-ed25519@openssh.com ${data}`, /begins with none/],
    ['__proto__', `__proto__ ${data}`, /begins with none/],
    ['constructor', `constructor ${data}`, /begins with none/],
    ['another type than its blob', `ecdsa-sha2-nistp256 ${data}`, /no OpenSSH key/],
    ['no data', good, /no OpenSSH key/],
    ['a cut blob', `${good} ${data.slice(0, -8)}`, /no OpenSSH key/],
    ['a longer blob', `${good} ${Buffer.from(data, 'base64').toString('base64')}AAAA`, /no OpenSSH key/],
    ['loose base64', `${good} ${data.slice(0, 10)}!${data.slice(10)}`, /no OpenSSH key/],
    [
      'a length beyond the end',
      `${good} ${Buffer.from('ffffffff00', 'hex').toString('base64')}`,
      /no OpenSSH key/,
    ],
    ['a point off its curve', ecdsa(256).replace(/^(\S+ \S{100})(\S{8})/, '$1AAAAAAAA'), /no OpenSSH key/],
    ['RSA of 1,024 bits', rsa(1024), /1024 bits; it needs 2048 to 4096/],
    ['RSA of 2,047 bits', rsaLine('010001', `7f${'ff'.repeat(255)}`), /2047 bits/],
    ['RSA of 4,097 bits', rsaLine('010001', `01${'ff'.repeat(512)}`), /4097 bits/],
    ['RSA of 8,192 bits', rsaLine('010001', `00${'ff'.repeat(1024)}`), /8192 bits/],
    ['RSA with exponent 3', rsaLine('03', `00${'ff'.repeat(256)}`), /small exponent/],
    ['RSA with exponent 65,535', rsaLine('00ffff', `00${'ff'.repeat(256)}`), /small exponent/],
    ['a line of 10 KB', `${good} ${data} ${'x'.repeat(10_000)}`, /no OpenSSH key/],
  ])('is not: %s', (_, text, message) => {
    expect(refusalOf(text.toString())).toMatch(message);
  });

  it('one refused key refuses the whole list, and the error does not quote it', () => {
    const refusal = refusalOf(`${ed25519()}\nssh-rsa SECRETSECRET\n`);
    expect(refusal).toMatch(/^Line 2 is no OpenSSH key/);
    expect(refusal).not.toContain('SECRET');
  });
});

describe('the keys of a user', () => {
  let harness: AuthHarness;
  beforeEach(async () => {
    harness = authHarness();
    await makeAccount(harness, 'demo');
  });
  const add = (key: string) => harness.run({ command: 'user.key.add', username: 'demo', key });
  const list = async () => must(await harness.run({ command: 'user.key.list', username: 'demo' }))['keys'];

  it('keys are added, listed and removed', async () => {
    const added = must(await add(`${ed25519()} desk\n${ecdsa(256)} van`));
    expect(await list()).toMatchObject([
      { type: 'ssh-ed25519', comment: 'desk', added: '2026-01-15T12:00:00.000Z' },
      { type: 'ecdsa-sha2-nistp256', comment: 'van' },
    ]);
    const [fingerprint] = [added['keys']].flat();
    const removal = { command: 'user.key.remove', username: 'demo', fingerprint };
    must(await harness.run(removal));
    expect(await list()).toMatchObject([{ comment: 'van' }]);
    expect(await harness.run(removal)).toMatchObject({ error: { code: 'unknown_key' } });
  });

  it('a user has at most ten keys, each once', async () => {
    const first = ed25519();
    must(await add(first));
    must(await add(first));
    for (let more = 0; more < 9; more += 1) must(await add(ed25519()));
    expect(await add(ed25519())).toMatchObject({ error: { code: 'full' } });
    must(await add(first));
    expect(await list()).toHaveLength(10);
  });

  it('concurrent additions keep all keys', async () => {
    const answers = await Promise.all([add(ed25519()), add(ed25519()), add(ed25519())]);
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(await list()).toHaveLength(3);
  });

  it('key changes leave password and tokens unchanged and need an existing user', async () => {
    const before = harness.credentials.items().find(({ pk }) => pk.startsWith('USER#'));
    must(await add(ed25519()));
    const after = harness.credentials.items().find(({ pk }) => pk.startsWith('USER#'));
    expect(after).toMatchObject({ password: before?.['password'], epoch: before?.['epoch'] });
    expect(await harness.run({ command: 'user.key.add', username: 'nobody', key: ed25519() })).toMatchObject({
      error: { code: 'unknown_user' },
    });
  });

  it('invalid keys are refused with a reason', async () => {
    expect(await add('ssh-rsa x')).toMatchObject({ error: { code: 'refused_key' } });
    expect(await list()).toEqual([]);
  });
});
