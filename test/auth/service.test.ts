import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, expect, it } from 'vitest';
import { readArguments } from '../../cli/admin-commands.ts';
import { askOperator, findTarget } from '../../cli/admin-service.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';

let service: Service;
let folder: string;
let file: string;

shared.beforeAll(async ({ service: own }) => {
  folder = await mkdtemp(join(tmpdir(), 'tidemark-admin-'));
  file = join(folder, 'endpoints.json');
  service = own;
  await writeFile(file, JSON.stringify(service.cloud.endpoints));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs `npm run admin -- …` against the running service. */
const admin = async (...args: string[]): Promise<Readonly<Record<string, unknown>>> => {
  const request = readArguments(args);
  if (request.kind !== 'run') throw new Error('a wrong command line');
  return v.parse(
    v.record(v.string(), v.unknown()),
    await askOperator(request.payload, await findTarget({}, file)),
  );
};

const tokenAnswer = v.object({ access_token: v.string() });

it('an operator creates an account, its user signs in, and a revocation ends the access within 30 s', async () => {
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

it('an operator disables users over HTTP and SFTP', async () => {
  const { account } = await admin('account', 'create', '--name', 'Leaving');
  const number = String(account);
  const { property } = await admin('property', 'create', '--account', number, '--name', 'Shop');
  const { client_id } = await admin('client', 'create', '--account', number);
  const makeUser = async (username: string) => {
    const named = ['--username', username, '--email', 'x@example.com'];
    const { password } = await admin('user', 'create', '--account', number, ...named);
    return { username, password, client_id };
  };
  const signIn = (user: object) =>
    service.call('POST', '/oauth/token', {
      as: 'nobody',
      body: JSON.stringify({ grant_type: 'password', ...user }),
    });
  const sftp = async ({ username, password }: { username: string; password: unknown }) => {
    const asked = { protocol: 'SFTP', username, password, sourceIp: '192.0.2.1' };
    const outcome = await service.cloud.invoke('authorizeSftp', asked);
    return outcome.ok && outcome.payload !== '{}';
  };
  const [leaked, dismissed, gone] = [
    await makeUser('leaked'),
    await makeUser('dismissed'),
    await makeUser('gone'),
  ];
  const tokens: string[] = [];
  for (const user of [leaked, dismissed, gone]) {
    tokens.push(v.parse(tokenAnswer, JSON.parse((await signIn(user)).text)).access_token);
    expect(await sftp(user)).toBe(true);
  }
  expect(await admin('token', 'list', '--account', number)).toMatchObject({
    tokens: [{ username: 'leaked' }, { username: 'dismissed' }, { username: 'gone' }],
  });

  const { password } = await admin('user', 'password', '--username', 'leaked');
  await admin('user', 'disable', '--username', 'dismissed');
  await admin('user', 'delete', '--username', 'gone');
  for (const user of [leaked, dismissed, gone]) {
    expect((await signIn(user)).status).toBe(400);
    expect(await sftp(user)).toBe(false);
  }
  expect(await sftp({ ...leaked, password })).toBe(true);
  const statuses = () =>
    Promise.all(
      tokens.map(async (token) => {
        const headers = { authorization: `Bearer ${token}` };
        return (await service.call('GET', `/v1/${String(property)}/segments`, { as: 'nobody', headers }))
          .status;
      }),
    );
  await expect.poll(statuses, { timeout: 30_000, interval: 500 }).toEqual([401, 401, 401]);
  expect(await admin('token', 'list', '--account', number)).toMatchObject({ tokens: [] });

  const rotated = await admin('client', 'rotate', '--account', number);
  expect((await signIn({ ...leaked, password })).status).toBe(400);
  expect((await signIn({ ...leaked, password, client_id: rotated['client_id'] })).status).toBe(200);
}, 90_000);

it('an operator function of the deployed service has no seed', async () => {
  const seed = { command: 'seed', account: 'A', property: 'P', client_id: 'a-client-of-ours' };
  const user = { username: 'seeded', password: 'a password of ours' };
  expect(await askOperator({ ...seed, ...user }, await findTarget({}, file))).toMatchObject({ ok: false });
});
