import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { readArguments } from '../../cli/admin-commands.ts';
import { askOperator, findTarget } from '../../cli/admin-service.ts';
import { textLike } from '../support/answers.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { newFolders } from '../../local/test/support/folders.ts';

let service: Service;
const file = join(newFolders()(), 'endpoints.json');

shared.beforeAll(async ({ service: own }) => {
  service = own;
  await writeFile(file, JSON.stringify(service.cloud.endpoints));
});

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

/** A new account with a property and a client id. */
const newAccount = async (name: string) => {
  const account = String((await admin('account', 'create', '--name', name))['account']);
  const { property } = await admin('property', 'create', '--account', account, '--name', 'Shop');
  const { client_id } = await admin('client', 'create', '--account', account);
  const newUser = async (username: string, ...more: readonly string[]) => {
    const named = ['--username', username, '--email', 'x@example.com', ...more];
    const { password } = await admin('user', 'create', '--account', account, ...named);
    return { username, password, client_id };
  };
  return { account, property, newUser };
};
const signIn = (user: object) =>
  service.call('POST', '/oauth/token', {
    as: 'nobody',
    body: JSON.stringify({ grant_type: 'password', ...user }),
  });
const tokenOf = async (user: object) =>
  v.parse(tokenAnswer, JSON.parse((await signIn(user)).text)).access_token;
/** The status of a read with a token. */
const read = async (token: string, property: unknown) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await service.call('GET', `/v1/${String(property)}/segments`, { as: 'nobody', headers })).status;
};

it('an operator creates an account, its user signs in, and a revocation ends the access within 30 s', async () => {
  const { account, property, newUser } = await newAccount('Acme');
  expect(await admin('client', 'create', '--account', account)).toMatchObject({ ok: false });
  const user = await newUser('acme');
  expect((await signIn({ ...user, password: 'wrong' })).status).toBe(400);
  const token = await tokenOf(user);
  expect(await read(token, property)).toBe(200);
  expect(await read(token, service.property)).toBe(404);
  expect(await read(token, 9_999)).toBe(404);

  expect(await admin('token', 'revoke', '--username', 'acme')).toMatchObject({ ok: true });
  await expect.poll(() => read(token, property), { timeout: 30_000, interval: 500 }).toBe(401);
  expect((await signIn(user)).status).toBe(200);
}, 90_000);

/** Whether a user may log in over SFTP. */
const sftp = async ({ username, password }: { username: string; password: unknown }): Promise<boolean> => {
  const asked = { protocol: 'SFTP', username, password, sourceIp: '192.0.2.1' };
  const outcome = await service.cloud.invoke('authorizeSftp', asked);
  return outcome.ok && outcome.payload !== '{}';
};

it('an operator gives roles, which say what tokens may do, and who may send files', async () => {
  const { property, newUser } = await newAccount('Roles');
  const user = await newUser('looker', '--role', 'viewer');
  const send = async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ email: 'ann@example.org' });
    const sent = { as: 'nobody', headers, body } as const;
    return (await service.call('POST', `/v1/${String(property)}/profiles`, sent)).status;
  };
  const token = await tokenOf(user);
  expect([await read(token, property), await send(token), await sftp(user)]).toEqual([200, 403, false]);
  expect(await admin('user', 'role', '--username', 'looker', '--role', 'importer')).toEqual({
    ...{ ok: true, username: 'looker', role: 'importer' },
  });
  expect([await send(token), await sftp(user)]).toEqual([403, true]);
  expect(await send(await tokenOf(user))).toBe(201);
  expect(await admin('token', 'list', '--username', 'looker')).toMatchObject({
    tokens: [{ may: 'definitions.read' }, { may: 'definitions.read people.write', properties: 'all' }],
  });
  expect(await admin('user', 'role', '--username', 'looker', '--role', 'boss')).toMatchObject({
    ok: false,
    error: { errors: [{ pointer: '/role', detail: textLike(/^Must be owner, editor, .* or viewer\./) }] },
  });
}, 60_000);

it('an operator disables users over HTTP and SFTP', async () => {
  const { account, property, newUser } = await newAccount('Leaving');
  const [leaked, dismissed, gone] = [
    await newUser('leaked'),
    await newUser('dismissed'),
    await newUser('gone'),
  ];
  const tokens: string[] = [];
  for (const user of [leaked, dismissed, gone]) {
    tokens.push(await tokenOf(user));
    expect(await sftp(user)).toBe(true);
  }
  expect(await admin('token', 'list', '--account', account)).toMatchObject({
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
  const statuses = () => Promise.all(tokens.map((token) => read(token, property)));
  // The test above waits until a sandbox no longer trusts what it has read. New ones read anew.
  service.cloud.parts.runner.recycle('tidemark-local-findSegments');
  expect(await statuses()).toEqual([401, 401, 401]);
  expect(await admin('token', 'list', '--account', account)).toMatchObject({ tokens: [] });

  const rotated = await admin('client', 'rotate', '--account', account);
  expect((await signIn({ ...leaked, password })).status).toBe(400);
  expect((await signIn({ ...leaked, password, client_id: rotated['client_id'] })).status).toBe(200);
}, 90_000);

it('an operator function of the deployed service has no seed', async () => {
  const seed = { command: 'seed', account: 'A', property: 'P', client_id: 'a-client-of-ours' };
  const user = { username: 'seeded', password: 'a password of ours' };
  expect(await askOperator({ ...seed, ...user }, await findTarget({}, file))).toMatchObject({ ok: false });
});
