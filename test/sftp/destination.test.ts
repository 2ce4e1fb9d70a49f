import { describe, expect, it } from 'vitest';
import { isSftpUser, readSftpDomain } from '../../shared/sftp/destination.ts';
import { loopbackHosts, privateHosts } from '../webhooks/private-targets.ts';

// A domain has no escapes, and a backslash does not separate its parts.
const written = (hosts: readonly string[]): readonly string[] => hosts.filter((host) => !host.includes('%'));

describe('the domain of an SFTP destination', () => {
  it.each([
    ['files.example.com', 'files.example.com', 22],
    ['files.example.com:2222', 'files.example.com', 2222],
    ['FILES.example.com:22', 'files.example.com', 22],
    ['8.8.8.8:65535', '8.8.8.8', 65535],
    ['[2606:4700::1]:2022', '2606:4700::1', 2022],
  ])('the domain %s is accepted', (domain, host, port) => {
    expect(readSftpDomain(domain, 'none')).toEqual({ ok: true, value: { host, port } });
  });

  it.each([
    ...['', ' ', 'sftp://files.example.com', 'files.example.com/in', 'me@files.example.com', 'a b', 'a\r\nb'],
    ...['files.example.com:0', 'files.example.com:65536', 'files.example.com:', 'files.example.com:x', ':22'],
    ...['::1', '[::1', 'a?b', 'a#b', 'a\\b', '%31.example.com', 'a\u0000b', '[files.example.com]'],
  ])('%j is no valid domain', (domain) => {
    expect(readSftpDomain(domain, 'loopback')).toEqual({ ok: false, error: 'not_a_host' });
  });

  it.each(written([...loopbackHosts, ...privateHosts]))('%s is private, with a port too', (host) => {
    for (const domain of [host, `${host}:2222`])
      expect(readSftpDomain(domain, 'none')).toEqual({ ok: false, error: 'private_target' });
  });

  it.each(written(loopbackHosts))('%s is accepted where loopback is allowed', (host) => {
    expect(readSftpDomain(host, 'loopback')).toMatchObject({ ok: true });
  });

  it.each(written(privateHosts))('%s is never a valid domain', (host) => {
    expect(readSftpDomain(host, 'loopback')).toEqual({ ok: false, error: 'private_target' });
  });
});

describe('the user of an SFTP destination', () => {
  it.each([
    ...[
      'receiver',
      'root',
      'me@example.com',
      'a.b-c_d+e',
      '_x',
      '9',
      'PARTNER\\ann',
      'ann@a.example@b.example',
    ],
    ...[
      'files.example.com|ann',
      'corp/ann',
      'corp:ann',
      'ann lee',
      'käthe',
      '李雷',
      '-x',
      '$ann',
      'x'.repeat(255),
    ],
  ])('the user %s is accepted', (user) => {
    expect(isSftpUser(user)).toBe(true);
  });

  it.each([
    '',
    ' ',
    ' ann',
    'ann ',
    'a\nb',
    'a\tb',
    'a\u0000b',
    'a\u200bb',
    'ann\u202e',
    'a\u2028b',
    '\ud800',
    'x'.repeat(256),
  ])('%j is no valid user', (user) => {
    expect(isSftpUser(user)).toBe(false);
  });
});
