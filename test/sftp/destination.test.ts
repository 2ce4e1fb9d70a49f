import { describe, expect, test } from 'vitest';
import { isSftpUser, readSftpDomain } from '../../shared/sftp/destination.ts';
import { loopbackHosts, privateHosts } from '../webhooks/private-targets.ts';

// A domain has no escapes, and a backslash is no separator of it.
const written = (hosts: readonly string[]): readonly string[] => hosts.filter((host) => !host.includes('%'));

describe('the domain of a destination', () => {
  test.each([
    ['files.example.com', 'files.example.com', 22],
    ['files.example.com:2222', 'files.example.com', 2222],
    ['FILES.example.com:22', 'files.example.com', 22],
    ['8.8.8.8:65535', '8.8.8.8', 65535],
    ['[2606:4700::1]:2022', '2606:4700::1', 2022],
  ])('%s is taken', (domain, host, port) => {
    expect(readSftpDomain(domain, 'none')).toEqual({ ok: true, value: { host, port } });
  });

  test.each([
    ...['', ' ', 'sftp://files.example.com', 'files.example.com/in', 'me@files.example.com', 'a b', 'a\r\nb'],
    ...['files.example.com:0', 'files.example.com:65536', 'files.example.com:', 'files.example.com:x', ':22'],
    ...['::1', '[::1', 'a?b', 'a#b', 'a\\b', '%31.example.com', 'a\u0000b', '[files.example.com]'],
  ])('%j is none', (domain) => {
    expect(readSftpDomain(domain, 'loopback')).toEqual({ ok: false, error: 'not_a_host' });
  });

  test.each(written([...loopbackHosts, ...privateHosts]))('%s is private, with a port too', (host) => {
    for (const domain of [host, `${host}:2222`])
      expect(readSftpDomain(domain, 'none')).toEqual({ ok: false, error: 'private_target' });
  });

  test.each(written(loopbackHosts))('%s is taken where loopback is allowed', (host) => {
    expect(readSftpDomain(host, 'loopback')).toMatchObject({ ok: true });
  });

  test.each(written(privateHosts))('%s is not even there', (host) => {
    expect(readSftpDomain(host, 'loopback')).toEqual({ ok: false, error: 'private_target' });
  });
});

describe('the user of a destination', () => {
  test.each(['receiver', 'root', 'me@example.com', 'a.b-c_d+e', '_x', '9'])('%s is taken', (user) => {
    expect(isSftpUser(user)).toBe(true);
  });

  test.each(['', '../', '-oProxyCommand=x', 'a b', 'a\nb', 'a:b', 'a/b', 'ä', 'x'.repeat(129)])(
    '%j is none',
    (user) => {
      expect(isSftpUser(user)).toBe(false);
    },
  );
});
