/** Accounts whose users and properties fill several pages of a query. */
import { beforeEach, describe, expect, it } from 'vitest';
import { listProperties } from '../../shared/auth/accounts.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { authHarness, must, type AuthHarness } from '../auth/harness.ts';

const ACCOUNT = 1;
const names = ['ada', 'bob', 'cid', 'dan', 'eve'];

let harness: AuthHarness;
const run = async (command: object) => must(await harness.run(command));

beforeEach(async () => {
  harness = authHarness();
  harness.credentials.queried = 2;
  await run({ command: 'account.create', name: 'Acme' });
  const user = { email: 'a@example.com', first_name: 'A', last_name: 'B' };
  for (const username of names) await run({ command: 'user.create', account: ACCOUNT, username, ...user });
});

describe('an account with more users than a page', () => {
  it.each([
    { command: 'user.list' },
    { command: 'user.list', account: ACCOUNT },
    { command: 'account.show', account: ACCOUNT },
  ])('shows them all: %o', async (command) => {
    expect(await run(command)).toMatchObject({ users: names.map((username) => ({ username })) });
  });

  it('loses the tokens of all of them at once', async () => {
    expect(await run({ command: 'token.revoke', account: ACCOUNT })).toMatchObject({ users: names.length });
  });

  it('is deleted with all of them', async () => {
    await run({ command: 'account.delete', account: ACCOUNT, confirm: 'Acme' });
    const { pk } = credentialKeys.account(ACCOUNT);
    expect((await harness.credentials.query(pk)).items).toEqual([]);
    expect(await harness.run({ command: 'user.enable', username: 'eve' })).toMatchObject({ ok: false });
  });
});

describe('an account with more properties than a page', () => {
  beforeEach(async () => {
    for (const name of names) await run({ command: 'property.create', account: ACCOUNT, name });
  });

  it('shows them all', async () => {
    const properties = names.map((name) => ({ name }));
    expect(await run({ command: 'property.list', account: ACCOUNT })).toMatchObject({ properties });
    expect(await run({ command: 'account.show', account: ACCOUNT })).toMatchObject({ properties });
    expect(await listProperties(harness.credentials, ACCOUNT)).toMatchObject(properties);
  });

  it('is not deleted while the last of them is there', async () => {
    for (const id of [1001, 1002, 1003, 1004])
      await harness.credentials.write({ kind: 'delete', key: credentialKeys.property(id), expect: {} });
    expect(await harness.run({ command: 'account.delete', account: ACCOUNT, confirm: 'Acme' })).toMatchObject(
      { error: { code: 'has_properties' } },
    );
  });
});
