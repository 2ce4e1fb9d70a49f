import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressKind, mayConnect } from '../../shared/webhooks/addresses.ts';
import { sftpDomainDetail } from '../../shared/sftp/destination.ts';
import type { AddressSettings } from '../../shared/webhooks/address-settings.ts';
import { checkWebhookUrl, webhookUrlDetail } from '../../shared/webhooks/url.ts';
import { loopbackHosts, privateHosts } from './private-targets.ts';

const strict = { baseUrl: 'https://api.example.test', privateTargets: 'none' } as const;
const local = { baseUrl: 'http://127.0.0.1:8080', privateTargets: 'loopback' } as const;

describe('the refusal of a private address', () => {
  const onOneMachine = { ...local, privateTargets: 'none' } as const;
  const hint = '; on one machine start with --allow-private-targets.';
  it.each([
    ['the webhook', (settings: AddressSettings) => webhookUrlDetail('private_target', settings)],
    ['the SFTP server', (settings: AddressSettings) => sftpDomainDetail('private_target', settings)],
  ])('of %s says what to do, where it can be done', (_, detailOf) => {
    expect(detailOf(onOneMachine)).toBe(`Must not lead to a private or local address${hint}`);
    for (const settings of [strict, local])
      expect(detailOf(settings)).toBe('Must not lead to a private or local address.');
  });
});

describe('a webhook address', () => {
  it.each([...loopbackHosts, ...privateHosts])('to %s is refused', (host) => {
    for (const url of [`https://${host}/`, `https://${host}:8443/x`, `http://${host}/`])
      expect(checkWebhookUrl(url, strict).ok).toBe(false);
  });

  it.each(privateHosts)('to %s is refused where this machine is allowed', (host) => {
    expect(checkWebhookUrl(`https://${host}/`, local).ok).toBe(false);
    expect(checkWebhookUrl(`http://${host}/`, local).ok).toBe(false);
  });

  it.each(loopbackHosts)(
    'to %s is allowed in its normal form where this machine is, over http too',
    (host) => {
      for (const scheme of ['http', 'https']) {
        const url = `${scheme}://${host}:9999/hook`;
        const isNormal = URL.parse(url)?.href === url;
        const error = isNormal ? undefined : 'not_in_normal_form';
        expect(checkWebhookUrl(url, local)).toMatchObject(isNormal ? { ok: true } : { ok: false, error });
      }
    },
  );

  it.each([
    ['0', false],
    ['1', false],
    ['22', false],
    ['25', false],
    ['80', false],
    ['993', false],
    ['6379', false],
    ['5432', false],
    ['6000', false],
    ['10080', false],
    ['1024', true],
    ['8443', true],
    ['9443', true],
    ['65535', true],
  ])('at the port %s: %j', (port, allowed) => {
    for (const stage of [strict, local]) {
      const checked = checkWebhookUrl(`https://hooks.example.com:${port}/`, stage);
      expect(checked.ok ? true : checked.error).toBe(allowed || 'port_not_allowed');
    }
  });

  it.each(['https:/hooks.example.com/', 'https:///hooks.example.com/', 'https:\\\\hooks.example.com/'])(
    'written as %j is refused',
    (url) => {
      expect(checkWebhookUrl(url, strict)).toMatchObject({ ok: false, error: 'not_in_normal_form' });
    },
  );

  it.each([
    ['https://hooks.example.com/a?b=c', 'ok'],
    ['https://93.184.216.34/', 'ok'],
    ['https://[2606:2800:220:1:248:1893:25c8:1946]/', 'ok'],
    ['https://xn--mnchen-3ya.example/', 'ok'],
    ['https://hooks.example.com', 'ok'],
    ['https://hooks.example.com:8443', 'ok'],
    ['https://münchen.example/', 'not_in_normal_form'],
    ['https:/\\evil.example', 'not_in_normal_form'],
    ['https://example.com\\@127.0.0.1:99999/', 'not_in_normal_form'],
    ['https://hooks.example.com\\x', 'not_in_normal_form'],
    ['https://hooks.example.com/#f', 'not_in_normal_form'],
    ['https://hooks.example.com/#', 'not_in_normal_form'],
    ['https://hooks.example.com#f', 'not_in_normal_form'],
    ['https://@hooks.example.com/', 'not_in_normal_form'],
    ['https://hooks.example.com/a/../b', 'not_in_normal_form'],
    ['https://HOOKS.example.com/', 'not_in_normal_form'],
    ['https://hooks.example.com:443/', 'not_in_normal_form'],
    ['https://hooks.example.com:0443/', 'not_in_normal_form'],
    ['https://hooks.example.com:99999/', 'not_a_url'],
    ['https://metadata.google.internal/', 'private_target'],
    ['https://METADATA.google.internal./computeMetadata/v1/', 'private_target'],
    ['https://metadata/', 'private_target'],
    ['https://printer.local/', 'private_target'],
    ['https://nas.home.arpa/', 'private_target'],
    ['http://hooks.example.com/', 'scheme_not_allowed'],
    ['http://93.184.216.34/', 'scheme_not_allowed'],
    ['ftp://hooks.example.com/', 'scheme_not_allowed'],
    ['file:///etc/passwd', 'scheme_not_allowed'],
    ['gopher://hooks.example.com/', 'scheme_not_allowed'],
    ['data:text/plain,x', 'scheme_not_allowed'],
    ['javascript:alert(1)', 'scheme_not_allowed'],
    ['https://user@hooks.example.com/', 'credentials_in_url'],
    ['https://user:pw@hooks.example.com/', 'credentials_in_url'],
    ['https://api.example.test/v1/7/exports', 'loops_back'],
    ['https://API.example.test:443/', 'loops_back'],
    ['hooks.example.com', 'not_a_url'],
    ['//hooks.example.com/', 'not_a_url'],
    ['/hook', 'not_a_url'],
    ['https://', 'not_a_url'],
    ['https://a b/', 'not_a_url'],
    ['https://hooks.example.com/\r\nX: y', 'not_a_url'],
    ['\thttps://hooks.example.com/', 'not_a_url'],
    ['https://[::1', 'not_a_url'],
    ['https://999.1.1.1/', 'not_a_url'],
    ['', 'not_a_url'],
  ])('%j: %s', (url, outcome) => {
    const checked = checkWebhookUrl(url, strict);
    expect(checked.ok ? 'ok' : checked.error).toBe(outcome);
  });

  it('of this service is refused in the local stage too', () => {
    expect(checkWebhookUrl('http://127.0.0.1:8080/v1', local)).toEqual({ ok: false, error: 'loops_back' });
  });
});

describe('an address', () => {
  it('that holds an IPv4 address is classified as the IPv4 address', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        expect(addressKind(`::ffff:${ip}`)).toBe(addressKind(ip));
        expect(addressKind(`64:ff9b::${ip}`)).toBe('private');
      }),
    );
  });

  it('of the public internet may be called by https only', () => {
    expect(mayConnect('93.184.216.34', true, 'none')).toBe(true);
    expect(mayConnect('93.184.216.34', false, 'loopback')).toBe(false);
    expect(mayConnect('not an address', true, 'loopback')).toBe(false);
    expect(mayConnect('fe80::1%eth0', true, 'loopback')).toBe(false);
  });
});
