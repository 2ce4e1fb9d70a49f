import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readArguments } from '../../cli/admin-commands.ts';
import { askOperator } from '../../cli/admin-service.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidemark-admin-'));
  file = join(folder, 'endpoints.json');
  service = await startService();
  await writeFile(file, JSON.stringify(service.cloud.endpoints));
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Runs `npm run admin -- …` against the running service. */
const admin = async (...args: string[]): Promise<Readonly<Record<string, unknown>>> => {
  const request = readArguments(args);
  if (request.kind !== 'run') throw new Error('a wrong command line');
  return v.parse(v.record(v.string(), v.unknown()), await askOperator(request.payload, 'local', file));
};

const tokenAnswer = v.object({ access_token: v.string() });

it('an operator makes an account, its user signs in, and revocation ends it within 30 s', async () => {
  const { account } = await admin('account', 'create', '--name', 'Acme');
  const number = String(account);
  const { property } = await admin('property', 'create', '--account', number, '--name', 'Shop');
  const { client_id } = await admin('client', 'create', '--account', number);
  expect(await admin('client', 'create', '--account', number)).toMatchObject({ ok: false });
  const { password } = await admin(
    'user',
    'create',
    '--account',
    number,
    '--username',
    'acme',
    '--email',
    'a@example.com',
  );
  const signIn = (secret: unknown) =>
    service.call('POST', '/oauth/token', {
      as: 'nobody',
      body: JSON.stringify({ grant_type: 'password', client_id, username: 'acme', password: secret }),
    });
  expect((await signIn('wrong')).status).toBe(400);
  const { access_token } = v.parse(tokenAnswer, JSON.parse((await signIn(password)).text));

  const read = async (at: unknown, path = 'segments'): Promise<number> => {
    const headers = { authorization: `Bearer ${access_token}` };
    return (await service.call('GET', `/v1/${String(at)}/${path}`, { as: 'nobody', headers })).status;
  };
  expect(await read(property)).toBe(200);
  expect(await read(service.property)).toBe(404);
  expect(await read(9_999)).toBe(404);

  expect(await admin('token', 'revoke', '--username', 'acme')).toMatchObject({ ok: true });
  await expect.poll(() => read(property), { timeout: 30_000, interval: 500 }).toBe(401);
  expect((await signIn(password)).status).toBe(200);
}, 90_000);

it('documents every route in a page that needs nothing else', async () => {
  const page = await service.call('GET', '/docs', { as: 'nobody' });
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.text).not.toMatch(/<script|src=|@import|url\(/);
  const document = v.parse(
    v.object({ openapi: v.literal('3.1.0'), paths: v.record(v.string(), v.record(v.string(), v.unknown())) }),
    JSON.parse((await service.call('GET', '/openapi.json', { as: 'nobody' })).text),
  );
  for (const path of Object.keys(document.paths)) expect(page.text).toContain(path);
  expect(document.paths['/v1/{property_id}/import-data']?.['post']).toMatchObject({ 'x-internal': true });
});
