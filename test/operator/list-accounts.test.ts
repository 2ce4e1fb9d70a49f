import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { authenticator } from '../../shared/auth/authenticator.ts';
import { authHarness, makeAccount, must, tokenOf, type AuthHarness, beginDeletion } from '../auth/harness.ts';

let harness: AuthHarness;
beforeEach(() => {
  harness = authHarness();
});

const listed = v.object({ id: v.number(), name: v.string() });
const run = async (command: object) => must(await harness.run(command));

describe('lists of operators', () => {
  it('show every account, property and user with its owner and status', async () => {
    const [demo, other] = [await makeAccount(harness, 'demo'), await makeAccount(harness, 'other')];
    must(await harness.run({ command: 'user.disable', username: 'other' }));
    expect(await run({ command: 'account.list' })).toMatchObject({
      accounts: [
        { id: demo.account, name: 'demo Ltd', client_id: demo.client_id },
        { id: other.account, name: 'other Ltd', client_id: other.client_id },
      ],
      next: null,
    });
    expect(await run({ command: 'property.list' })).toMatchObject({
      properties: [
        { id: demo.property, name: 'Shop', account: demo.account, status: 'active' },
        { id: other.property, name: 'Shop', account: other.account, status: 'active' },
      ],
      next: null,
    });
    expect(await run({ command: 'user.list' })).toMatchObject({
      users: [
        { username: 'demo', account: demo.account, status: 'enabled' },
        { username: 'other', account: other.account, status: 'disabled' },
      ],
      next: null,
    });
  });

  it('show no password, key or other secret of a user', async () => {
    await makeAccount(harness, 'demo');
    const [user = {}] = v.parse(
      v.looseObject({ users: v.array(v.looseObject({})) }),
      await run({ command: 'user.list' }),
    ).users;
    expect(Object.keys(user)).toEqual(['id', 'username', 'email', 'account', 'role', 'status']);
  });

  it('of one account show nothing of others', async () => {
    const [demo, other] = [await makeAccount(harness, 'demo'), await makeAccount(harness, 'other')];
    const { account } = other;
    expect(await run({ command: 'property.list', account })).toMatchObject({
      properties: [{ id: other.property }],
    });
    expect(await run({ command: 'user.list', account })).toMatchObject({ users: [{ username: 'other' }] });
    expect(demo.account).not.toBe(account);
  });

  it.each(['property.list', 'user.list'])('%s refuses an account that does not exist', async (command) => {
    expect(await harness.run({ command, account: 7 })).toMatchObject({ error: { code: 'unknown_account' } });
  });

  it('leave out what was deleted or never finished, and say which property is being deleted', async () => {
    const demo = await makeAccount(harness, 'demo');
    must(await harness.run({ command: 'property.create', account: demo.account, name: 'Second' }));
    must(await harness.run({ command: 'account.create', name: 'Empty' }));
    must(await harness.run({ command: 'account.delete', account: 2, confirm: 'Empty' }));
    await harness.credentials.increment(credentialKeys.counter('property'), 1);
    await beginDeletion(harness, demo);
    expect(await run({ command: 'account.list' })).toMatchObject({ accounts: [{ id: 1 }] });
    for (const one of [{}, { account: demo.account }])
      expect(await run({ command: 'property.list', ...one })).toMatchObject({
        properties: [
          { id: 1001, status: 'being deleted' },
          { id: 1002, status: 'active' },
        ],
      });
  });

  it.each([
    ['account', 0],
    ['property', 1_000],
  ] as const)('of each %s come in pages that together show each id once', async (kind, before) => {
    const many = limits.operator.listedIds * 2 + 1;
    must(await harness.run({ command: 'account.create', name: 'A1' }));
    for (let index = kind === 'account' ? 1 : 0; index < many; index += 1)
      must(
        await harness.run({
          command: `${kind}.create`,
          name: 'A',
          ...(kind === 'property' && { account: 1 }),
        }),
      );
    const found: number[] = [];
    const sizes: number[] = [];
    for (let after: unknown = undefined; after !== null;) {
      const page = await run({ command: `${kind}.list`, ...(after !== undefined && { after }) });
      const ids = v.parse(v.array(listed), page[kind === 'account' ? 'accounts' : 'properties']);
      found.push(...ids.map(({ id }) => id));
      sizes.push(ids.length);
      after = page['next'];
    }
    expect(found).toEqual(Array.from({ length: many }, (_, index) => before + index + 1));
    expect(sizes).toEqual([limits.operator.listedIds, limits.operator.listedIds, 1]);
  });

  it('of a service without accounts are empty', async () => {
    expect(await run({ command: 'account.list' })).toMatchObject({ accounts: [], next: null });
  });
});

describe('the rate of an account, which `account limit` sets,', () => {
  it('is that of the stage until an operator sets one, and again when it is taken back', async () => {
    const demo = await makeAccount(harness, 'demo');
    const token = await tokenOf(harness, demo);
    const told = async (rate: number | undefined) => {
      const set = rate === undefined ? {} : { requests_per_second: rate };
      await run({ command: 'account.limit', account: demo.account, ...set });
      const authentication = authenticator({ credentials: harness.credentials, clock: harness.deps.clock });
      const caller = await authentication.caller(`Bearer ${token}`);
      return caller.ok && caller.value.requestsPerSecond;
    };
    expect(await run({ command: 'account.show', account: demo.account })).toMatchObject({
      requests_per_second: null,
    });
    expect(await told(5)).toBe(5);
    expect(await run({ command: 'account.show', account: demo.account })).toMatchObject({
      requests_per_second: 5,
    });
    expect(await told(undefined)).toBeUndefined();
  });

  it('is refused for an account that is not there, and below one', async () => {
    const limit = { command: 'account.limit', account: 9 };
    expect(await harness.run(limit)).toMatchObject({ error: { code: 'unknown_account' } });
    expect(await harness.run({ ...limit, requests_per_second: 0 })).toMatchObject({
      error: { code: 'invalid' },
    });
  });
});

describe('a rename', () => {
  it('gives an account or a property another name and changes nothing else', async () => {
    const demo = await makeAccount(harness, 'demo');
    const before = await run({ command: 'account.show', account: demo.account });
    await run({ command: 'account.rename', account: demo.account, name: 'Harbour Hall' });
    await run({ command: 'property.rename', property: demo.property, name: 'Visitors' });
    expect(await run({ command: 'account.show', account: demo.account })).toEqual({
      ...before,
      name: 'Harbour Hall',
      properties: [{ id: demo.property, name: 'Visitors' }],
    });
  });

  it('refuses what is not there, and a property that is being deleted', async () => {
    const demo = await makeAccount(harness, 'demo');
    expect(await harness.run({ command: 'account.rename', account: 9, name: 'N' })).toMatchObject({
      error: { code: 'unknown_account' },
    });
    await beginDeletion(harness, demo);
    for (const property of [demo.property, 1_009])
      expect(await harness.run({ command: 'property.rename', property, name: 'N' })).toMatchObject({
        error: { code: 'unknown_property' },
      });
  });
});
