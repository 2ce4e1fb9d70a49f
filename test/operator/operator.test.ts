import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { listAllProperties } from '../../shared/properties/items.ts';
import { createClient } from '../../shared/auth/clients.ts';
import { readCommand } from '../../shared/operator/operator-commands.ts';
import { propertyScopes } from '../../shared/properties/property-keys.ts';
import { readRules } from '../../shared/properties/rules.ts';
import { keys } from '../../shared/table/keys.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { authHarness, credentials, makeAccount, must, PASSWORD, type AuthHarness } from '../auth/harness.ts';

let harness: AuthHarness;
beforeEach(() => {
  harness = authHarness();
});

describe('accounts', () => {
  it('hold properties from 1001 on and one client id', async () => {
    const [demo, other] = [await makeAccount(harness, 'demo'), await makeAccount(harness, 'other')];
    expect([demo.property, other.property]).toEqual([1001, 1002]);
    expect(await harness.run({ command: 'client.create', account: demo.account })).toMatchObject({
      ok: false,
      error: { code: 'client_exists' },
    });
    expect(must(await harness.run({ command: 'account.show', account: demo.account }))).toMatchObject({
      name: 'demo Ltd',
      client_id: demo.client_id,
      properties: [{ id: 1001, name: 'Shop' }],
      users: [{ username: 'demo', email: 'demo@example.com' }],
    });
  });

  it('have their properties in one list, where one that was never finished does not show', async () => {
    const [demo, other] = [await makeAccount(harness, 'demo'), await makeAccount(harness, 'other')];
    await harness.table.put(keys.listedProperty(1003), { property: 1003 });
    expect(await listAllProperties(harness.table)).toEqual({ items: [demo.property, other.property] });
  });

  it('get one client id when many ask at once', async () => {
    const { account } = must(await harness.run({ command: 'account.create', name: 'Racing' }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => harness.run({ command: 'client.create', account })),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  });

  it('may try again when making a client id died halfway', async () => {
    const { account } = must(await harness.run({ command: 'account.create', name: 'Unlucky' }));
    const dying = new MemoryTable();
    const credentials = {
      get: harness.credentials.get.bind(harness.credentials),
      write: (write: Parameters<MemoryTable['write']>[0]) =>
        write.kind === 'update' ? Promise.reject(new Error('killed')) : harness.credentials.write(write),
    };
    const deps = { ...harness.deps, credentials: Object.assign(dying, credentials) };
    await expect(createClient(deps, Number(account))).rejects.toThrow('killed');
    expect(must(await harness.run({ command: 'client.create', account }))).toHaveProperty('client_id');
  });

  it.each(['demo', 'Demo', 'DEMO'])('share no user names: not %s after demo', async (username) => {
    const demo = await makeAccount(harness, 'demo');
    const user = { username, email: 'x@example.com', first_name: 'X', last_name: 'Y' };
    expect(await harness.run({ command: 'user.create', account: demo.account, ...user })).toMatchObject({
      error: { code: 'username_taken' },
    });
    const shown = must(await harness.run({ command: 'account.show', account: demo.account }));
    expect(shown['users']).toHaveLength(1);
  });

  it('get a generated password shown once and stored as a hash', async () => {
    const demo = await makeAccount(harness, 'demo');
    const user = { username: 'second', email: 'x@example.com', first_name: 'X', last_name: 'Y' };
    const made = must(await harness.run({ command: 'user.create', account: demo.account, ...user }));
    const password = String(made['password']);
    expect(password.length).toBeGreaterThanOrEqual(20);
    expect(JSON.stringify([harness.table.items(), harness.credentials.items()])).not.toContain(password);
    const body = credentials({ ...demo, username: 'second' }, password);
    expect((await harness.send({ body })).statusCode).toBe(200);
  });
});

describe('commands that are wrong', () => {
  it.each([
    [null],
    [{}],
    [{ command: 'nothing' }],
    [{ command: 'account.create' }],
    [{ command: 'account.create', name: '' }],
    [{ command: 'account.create', name: 'a\u0000b' }],
    [{ command: 'account.create', name: 'x', extra: 1 }],
    [{ command: 'property.create', account: '1', name: 'x' }],
    [{ command: 'token.revoke', username: 'ab' }],
    [{ command: 'token.revoke', username: 'x y z' }],
    [{ command: 'token.revoke', token: 'x' }],
    [{ command: 'token.revoke', id: 'x' }],
    [{ command: 'token.revoke' }],
    [{ command: 'token.revoke', username: 'abc', account: 1 }],
    [{ command: 'token.list' }],
    [{ command: 'token.list', username: 'abc', account: 1 }],
    [{ command: 'user.password', username: 'abc', password: '14 characters.' }],
    [{ command: 'user.password', username: 'a-name-of-15-cs', password: 'A-Name-Of-15-Cs' }],
    [{ command: 'user.password', username: 'abc', password: 'fifteen chars\u0000.' }],
    [
      {
        command: 'seed',
        account: 'A',
        property: 'P',
        client_id: 'a-client',
        username: 'abc',
        password: PASSWORD,
      },
    ],
    [{ command: 'import.grant', property: 1001, import: 1 }],
    [{ command: 'import.grant', property: 1001, import: 1, tier: 'stated' }],
    [{ command: 'import.grant', property: 1001, import: 1, tier: 'third_party' }],
    [{ command: 'import.revoke', property: 1001, import: 1, tier: 'provider_1' }],
    [{ command: 'user.create', account: 1, username: 'abc', email: 'x', first_name: 'x', last_name: 'y' }],
  ])('%j is refused', async (payload) => {
    expect(await harness.run(payload)).toMatchObject({ ok: false, error: { code: 'invalid' } });
    expect([...harness.table.items(), ...harness.credentials.items()]).toEqual([]);
  });

  it.each([
    [{ command: 'property.create', account: 9, name: 'x' }, 'unknown_account'],
    [{ command: 'client.create', account: 9 }, 'unknown_account'],
    [{ command: 'account.show', account: 9 }, 'unknown_account'],
    [{ command: 'client.rotate', account: 9 }, 'unknown_account'],
    [{ command: 'token.revoke', username: 'nobody' }, 'unknown_user'],
    [{ command: 'token.revoke', account: 9 }, 'unknown_account'],
    [{ command: 'token.revoke', id: '0'.repeat(64) }, 'unknown_token'],
    [{ command: 'token.list', username: 'nobody' }, 'unknown_user'],
    [{ command: 'token.list', account: 9 }, 'unknown_account'],
    [{ command: 'user.password', username: 'nobody' }, 'unknown_user'],
    [{ command: 'user.disable', username: 'nobody' }, 'unknown_user'],
    [{ command: 'user.enable', username: 'nobody' }, 'unknown_user'],
    [{ command: 'user.delete', username: 'nobody' }, 'unknown_user'],
    [{ command: 'import.revoke', property: 1001, import: 1_001_000_000_001 }, 'unknown_import'],
    [{ command: 'token.revoke', token: '0'.repeat(64) }, 'unknown_token'],
  ])('%j names nothing there', async (payload, code) => {
    expect(await harness.run(payload)).toMatchObject({ ok: false, error: { code } });
  });
});

it('a part of the brand catalogue has as many bytes as a part may have, and no more', () => {
  const partOf = (bytes: number) => {
    const rows = [[`€${'x'.repeat(bytes - Buffer.byteLength('[["€"]]'))}`]];
    return { command: 'brands.part', version: 1, part: 0, rows };
  };
  expect(readCommand(partOf(limits.brands.partBytes)).ok).toBe(true);
  expect(readCommand(partOf(limits.brands.partBytes + 1)).ok).toBe(false);
});

it('a property has keys of its own, the same in every process', async () => {
  const { property } = await makeAccount(harness, 'demo');
  const { property: second } = await makeAccount(harness, 'other');
  const [scope, again, other] = await Promise.all([
    propertyScopes(harness.deps)(property),
    propertyScopes(harness.deps)(property),
    propertyScopes(harness.deps)(second),
  ]);
  expect(scope).toEqual(again);
  const all = [scope, other].flatMap(({ keys }) =>
    [keys.uuid.k1, keys.uuid.k2, keys.claims, keys.cursors].map((key) => Buffer.from(key).toString('hex')),
  );
  expect(new Set(all).size).toBe(8);
  expect(scope.keys.uuid.k1).toHaveLength(16);
  await expect(propertyScopes(harness.deps)(4711)).rejects.toThrow('no data');
});

it('a process knows of changed rules of a property within half a minute, and asks for its key once', async () => {
  const { property } = await makeAccount(harness, 'demo');
  let asked = 0;
  const keyService = {
    decrypt: (...key: Parameters<typeof harness.deps.keyService.decrypt>) => {
      asked += 1;
      return harness.deps.keyService.decrypt(...key);
    },
  };
  const scopeOf = propertyScopes({ ...harness.deps, keyService });
  const first = await scopeOf(property);
  const off = { searchNames: false, allNames: false };
  expect(first.rules).toEqual({ profileMonths: null, fileDays: null, specialCategories: true, ...off });
  const rules = { profile_months: 24, file_days: 7, special_categories: 'off', search_names: 'on' };
  await harness.run({ command: 'property.set', property, ...rules });
  expect((await scopeOf(property)).rules).toEqual(first.rules);
  harness.time.now += limits.rules.refreshSeconds * 1_000;
  const [second, third] = await Promise.all([scopeOf(property), scopeOf(property)]);
  expect(second).toEqual({
    ...first,
    rules: {
      ...{ profileMonths: 24, fileDays: 7, specialCategories: false },
      ...{ searchNames: true, allNames: false },
    },
  });
  expect(third).toBe(second);
  expect(asked).toBe(1);
});

it('each switch of the search by name begins it anew', async () => {
  const { property } = await makeAccount(harness, 'demo');
  const since = async (): Promise<number | null> => {
    await harness.run({ command: 'property.set', property, search_names: 'on' });
    return readRules(await harness.deps.table.get(keys.rules(property))).names_since;
  };
  const first = await since();
  harness.time.now += 60_000;
  expect(await since()).toBe((first ?? 0) + 60_000);
});
