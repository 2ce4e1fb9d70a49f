import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';

let service: Service;
shared.beforeAll(({ service: own }) => {
  service = own;
});

const get = (path: string, accepted = 'identity', method = 'GET') =>
  service.call(method, path, { as: 'nobody', headers: { 'accept-encoding': accepted } });

const DemoAccounts = v.array(
  v.object({ account: v.string(), client_id: v.string(), username: v.string(), password: v.string() }),
);

describe.each(['/docs', '/openapi.json'])('%s', (path) => {
  it('goes out gzipped to a client that accepts gzip, and is the same text', async () => {
    const gzipped = await get(path, 'br, gzip;q=0.8');
    const plain = await get(path);
    expect(gzipped.headers.get('content-encoding')).toBe('gzip');
    // The client of this test has decompressed the text.
    expect(gzipped.text).toBe(plain.text);
    expect(gzipped.headers.get('content-type')).toBe(plain.headers.get('content-type'));
    expect(Number(gzipped.headers.get('content-length'))).toBeLessThan(
      Number(plain.headers.get('content-length')) / 5,
    );
  });

  it.each(['identity', 'gzip;q=0'])('goes out plain to "accept-encoding: %s"', async (accepted) => {
    const { status, headers } = await get(path, accepted);
    expect(status).toBe(200);
    expect(headers.get('content-encoding')).toBeNull();
    expect(headers.get('vary')).toBe('accept-encoding');
  });

  it('answers HEAD with the headers of the GET', async () => {
    const [head, whole] = [await get(path, 'gzip', 'HEAD'), await get(path, 'gzip')];
    expect(head.text).toBe('');
    for (const name of ['content-encoding', 'content-length', 'content-type', 'vary'])
      expect(head.headers.get(name), name).toBe(whole.headers.get(name));
  });
});

it('the API page documents every route and loads no other file', async () => {
  const page = await service.call('GET', '/docs', { as: 'nobody' });
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.text).not.toMatch(/src=|@import|url\(/);
  const document = v.parse(
    v.object({ openapi: v.literal('3.1.0'), paths: v.record(v.string(), v.record(v.string(), v.unknown())) }),
    JSON.parse((await service.call('GET', '/openapi.json', { as: 'nobody' })).text),
  );
  const shown = page.text.replaceAll('<wbr>', '');
  for (const path of Object.keys(document.paths)) expect(shown).toContain(path);
  // The browser runs only the script and the style whose digests the policy names.
  for (const element of ['script', 'style']) {
    const [, text = ''] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(page.text) ?? [];
    const digest = createHash('sha256').update(text).digest('base64');
    expect(page.headers.get('content-security-policy')).toContain(`${element}-src 'sha256-${digest}'`);
  }
});

describe('the page that tries operations', () => {
  const policyOf = (headers: Headers): string => headers.get('content-security-policy') ?? '';

  it('loads files of its own host only, and its policy allows no other', async () => {
    const { text, headers } = await get('/docs/try');
    expect(text).not.toMatch(/https?:|="\/\//);
    expect(policyOf(headers)).not.toMatch(/https?:|unsafe|\*/);
    expect(policyOf(headers)).toContain("default-src 'none'");
    const files = [...text.matchAll(/(?:src|href)="(\/docs\/try\/[^"]+)"/g)].map(([, file = '']) => file);
    expect(files).toHaveLength(3);
    const types = await Promise.all(files.map(async (file) => (await get(file)).headers.get('content-type')));
    expect(types.map((type) => type?.split(';')[0])).toEqual(['text/css', 'text/javascript', 'text/plain']);
  });

  it('runs only its own script and style besides its files', async () => {
    const { text, headers } = await get('/docs/try');
    for (const element of ['script', 'style']) {
      const [, inline = ''] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(text) ?? [];
      const digest = createHash('sha256').update(inline).digest('base64');
      expect(policyOf(headers)).toContain(`${element}-src 'self' 'sha256-${digest}'`);
    }
  });

  it('has files that are those of the package, gzipped or plain, which browsers keep', async () => {
    const original = await readFile(
      fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
      'utf8',
    );
    const name = /\/docs\/try\/[^"]+\.css/.exec((await get('/docs/try')).text)?.[0] ?? '';
    for (const accepted of ['gzip', 'identity']) {
      const { text, headers } = await get(name, accepted);
      expect(text === original, accepted).toBe(true);
      expect(headers.get('content-encoding')).toBe(accepted === 'gzip' ? 'gzip' : null);
      expect(headers.get('cache-control')).toContain('immutable');
    }
  });

  it('offers the demo accounts of this machine, each of which signs in', async () => {
    const [, content = ''] =
      /<meta name="demo-accounts" content="([^"]*)">/.exec((await get('/docs/try')).text) ?? [];
    const accounts = v.parse(DemoAccounts, JSON.parse(content.replaceAll('&quot;', '"')));
    expect(accounts.map(({ account }) => account)).toEqual(['Demo account', 'Other account']);
    for (const { client_id, username, password } of accounts) {
      const body = JSON.stringify({ grant_type: 'password', client_id, username, password });
      expect((await service.call('POST', '/oauth/token', { as: 'nobody', body })).status).toBe(200);
    }
  });

  it('names the licences of what it holds', async () => {
    expect((await get('/docs/try/licences.txt')).text).toMatch(/SmartBear[^]*Apache License[^]*@license/);
  });

  it.each(['package.json', '..%2findex.mjs', 'constructor', 'swagger-ui-0.0.1.js'])(
    'has no file %s',
    async (name) => {
      expect((await get(`/docs/try/${name}`)).status).toBe(404);
    },
  );
});

describe('the console', () => {
  const filesOf = (page: string): readonly string[] =>
    [...page.matchAll(/(?:src|href|content)="(\/console\/[^"]+)"/g)].map(([, file = '']) => file);

  it('has a policy without exceptions: its own files, and uploads to the bucket', async () => {
    const { text, headers } = await get('/console');
    const policy = headers.get('content-security-policy') ?? '';
    const rules = policy.split('; ');
    expect(rules.filter((rule) => !rule.startsWith('connect-src '))).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' blob: data:",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    const [own, bucket = '', ...others] =
      rules
        .find((rule) => rule.startsWith('connect-src '))
        ?.split(' ')
        .slice(1) ?? [];
    expect([own, others]).toEqual(["'self'", []]);
    // A path with a slash at its end allows what is below it: one bucket of all those of S3.
    expect(new URL(bucket).pathname).toMatch(/^\/[a-z\d-]*uploads[a-z\d-]*\/$/);
    expect(text).not.toMatch(/<style|style=|<script(?! type="module" src=)|\son\w+=/);
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('has files that browsers keep for good, and licences', async () => {
    const files = filesOf((await get('/console')).text);
    expect(files.map((file) => file.split('.').at(-1))).toEqual(['txt', 'js', 'css', 'js']);
    for (const file of files) {
      const { status, headers } = await get(file, 'gzip');
      expect([status, headers.get('content-encoding')]).toEqual([200, 'gzip']);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
    expect((await get(files[0] ?? '')).text).toContain('MIT');
  });

  it('answers another version of a file with its own, which nobody keeps', async () => {
    const { status, headers } = await get('/console/app.0123456789abcdef.js');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  it.each([
    'app.js',
    'de.0123456789abcdef.js',
    '..%2findex.mjs',
    'constructor',
    'app.0123456789abcdef.css',
    'app.0123456789abcdeg.js',
  ])('has no file %s', async (name) => {
    expect((await get(`/console/${name}`)).status).toBe(404);
  });
});
