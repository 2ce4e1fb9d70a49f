import { describe, expect, it } from 'vitest';
import { deleteWhole } from '../../cli/delete-property.ts';
import { limits } from '../../shared/config/limits.ts';
import { listProperties } from '../../shared/auth/accounts.ts';
import { authenticator } from '../../shared/auth/authenticator.ts';
import { keys } from '../../shared/table/keys.ts';
import { dyingAnywhere } from '../support/death.ts';
import { deletionHarness, type DeletionHarness } from './deletion-harness.ts';
import { must, tokenOf } from '../auth/harness.ts';

const QUIET = limits.deletion.quietSeconds * 1_000;
const CALL = limits.deletion.callSeconds * 1_000;

/**
 * The names that remain when everything of the deleted property is gone. `1001` occurs in every name of the
 * property, and in no other name.
 */
const withoutDeleted = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !name.includes('1001'));

describe('a deleted property', () => {
  it('a deletion leaves nothing of the property in any store, and keeps everything of other properties', async () => {
    const harness = await deletionHarness();
    const before = harness.stored();
    expect(before.filter((name) => name.includes('1001')).length).toBeGreaterThan(60);
    expect(await harness.callOn()).toMatchObject({ ok: true, value: { state: 'waiting' } });
    harness.time.now += QUIET;
    expect(await harness.callOn()).toMatchObject({ ok: true, value: { state: 'deleted', again: null } });
    expect(harness.stored()).toEqual(withoutDeleted(before));
    expect(await harness.call()).toMatchObject({ ok: false, error: { code: 'unknown_property' } });
  });

  it('a deletion ends the same wherever a call is killed', async () => {
    const end = withoutDeleted((await deletionHarness()).stored());
    const operations = await dyingAnywhere({
      begin: (tick) => deletionHarness(tick),
      run: (harness) => harness.deleteAll(),
      check: async (harness, fatal, died) => {
        harness.time.now += CALL;
        if (died) await harness.deleteAll();
        expect(harness.stored(), `killed at ${fatal}`).toEqual(end);
      },
    });
    expect(operations).toBeGreaterThan(150);
  });

  it('no request reaches a closed property, and nothing is removed before it is closed', async () => {
    const harness = await deletionHarness();
    const before = harness.stored();
    const authorization = `Bearer ${await tokenOf(harness, harness.gone)}`;
    const gate = authenticator({ credentials: harness.credentials, clock: () => harness.time.now });
    const caller = await gate.caller(authorization);
    if (!caller.ok) throw new Error('no caller');
    const statusOf = async () => {
      const found = await gate.property(caller.value, String(harness.gone.property));
      return found.ok ? 200 : found.error.status;
    };
    expect(await statusOf()).toBe(200);
    expect(await harness.call()).toMatchObject({ ok: true, value: { state: 'erasing', items: 0 } });
    expect(harness.stored()).toEqual(before);
    harness.time.now += limits.auth.tokenCacheSeconds * 1_000;
    expect(await statusOf()).toBe(404);
    expect(await listProperties(harness.credentials, harness.gone.account)).toEqual([]);
  });

  it('a deletion makes another pass for data written during a pass', async () => {
    const harness = await deletionHarness();
    await harness.callOn();
    await harness.table.put(keys.profile(harness.gone.property, 5), {});
    harness.time.now += QUIET;
    const again = new Date(harness.time.now + QUIET).toISOString();
    expect(await harness.callOn()).toMatchObject({ ok: true, value: { state: 'waiting', again } });
    expect(await harness.callOn()).toMatchObject({ ok: true, value: { state: 'waiting', again } });
    harness.time.now += QUIET;
    expect(await harness.callOn()).toMatchObject({ ok: true, value: { state: 'deleted' } });
  });

  it('a deletion makes another pass when a call died that had removed data', async () => {
    const harness = await deletionHarness();
    await harness.callOn();
    await harness.table.put(keys.profile(harness.gone.property, 5), {});
    harness.time.now += QUIET;
    let removed = false;
    harness.hooks.before = (operation) => {
      removed ||= operation === 'table delete';
      if (removed && operation === 'credentials update') throw new Error('killed');
    };
    await expect(harness.callOn()).rejects.toThrow('killed');
    harness.hooks.before = () => undefined;
    harness.time.now += CALL;
    expect(await harness.callOn()).toMatchObject({ ok: true, value: { state: 'waiting' } });
  });

  it('a deletion is not done before the work in progress has ended, though it found nothing', async () => {
    const harness = await deletionHarness(undefined, false);
    for (const { pk, sk } of harness.table.items())
      await harness.table.write({ kind: 'delete', key: { pk, sk }, expect: {} });
    await harness.callOn();
    harness.time.now += QUIET - 1;
    expect(await harness.callOn()).toMatchObject({ ok: true, value: { state: 'waiting' } });
  });

  it("the account's audit log records the closing and the end of the property", async () => {
    const harness = await deletionHarness();
    await harness.deleteAll();
    const told = harness.auditLog.items().map(({ action, outcome, operator }) => [action, outcome, operator]);
    expect(told).toEqual([
      ['operator property.delete', 'erasing', 'ada'],
      ['operator property.delete', 'deleted', 'ada'],
    ]);
  });
});

describe('the deletion of a property', () => {
  it('a call reads on where the call before stopped', async () => {
    const harness = await deletionHarness();
    harness.table.scanned = 1;
    for (let ordinal = 0; ordinal < 100; ordinal += 1)
      await harness.table.put(keys.profile(harness.gone.property, ordinal), {});
    expect(harness.table.items().length).toBeGreaterThan(limits.deletion.pagesPerCall);
    const before = harness.stored();
    await harness.deleteAll();
    expect(harness.stored()).toEqual(withoutDeleted(before));
  });

  it.each(['Shop ', '1002', 'gone'])(
    'a deletion is refused without the name or number of the property: %s',
    async (confirm) => {
      const harness = await deletionHarness();
      expect(await harness.call(confirm)).toMatchObject({ ok: false, error: { code: 'not_confirmed' } });
      expect(await listProperties(harness.credentials, harness.gone.account)).toHaveLength(1);
    },
  );

  it('a deletion is refused while another call works on it, until that call must have ended', async () => {
    const harness = await deletionHarness();
    await harness.call();
    let other: ReturnType<typeof harness.call> | undefined;
    harness.hooks.before = (operation) => {
      if (operation === 'table scan') other ??= harness.call();
    };
    expect(await harness.call()).toMatchObject({ ok: true });
    expect(await other).toMatchObject({ ok: false, error: { code: 'conflict' } });
  });

  it('one of two concurrent calls does the deletion', async () => {
    const harness = await deletionHarness();
    await harness.call();
    const answers = await Promise.all([harness.call(), harness.call()]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.find(({ ok }) => !ok)).toMatchObject({ error: { code: 'conflict' } });
  });

  it('the command line repeats the deletion until it has to wait', async () => {
    const harness = await deletionHarness();
    const steps: string[] = [];
    const ask = async () => {
      const answer = await harness.call();
      if (!answer.ok) throw new Error(answer.error.message);
      return { ok: true, ...answer.value } as const;
    };
    const answer = await deleteWhole({}, ask, (step) => void steps.push(step));
    expect(answer).toMatchObject({ ok: true, state: 'waiting' });
    expect(steps.length).toBeGreaterThan(1);
  });
});

describe('a deleted account', () => {
  const remove = (harness: DeletionHarness, confirm = 'gone Ltd') =>
    harness.run({ command: 'account.delete', account: harness.gone.account, confirm });

  it('an account cannot be deleted while it has a property, even a property in deletion', async () => {
    const harness = await deletionHarness();
    expect(await remove(harness)).toMatchObject({ ok: false, error: { code: 'has_properties' } });
    await harness.call();
    expect(await remove(harness)).toMatchObject({ ok: false, error: { code: 'has_properties' } });
  });

  it('an account cannot be deleted without its name or number', async () => {
    const harness = await deletionHarness();
    await harness.deleteAll();
    expect(await remove(harness, 'kept Ltd')).toMatchObject({ ok: false, error: { code: 'not_confirmed' } });
  });

  it('a deleted account leaves no user, token or client id, wherever a call is killed', async () => {
    await dyingAnywhere({
      begin: async (tick) => {
        const harness = await deletionHarness(tick);
        await tokenOf(harness, harness.kept);
        const before = harness.credentials.items().map(({ pk, sk }) => `${pk} ${sk}`);
        await tokenOf(harness, harness.gone);
        await harness.deleteAll();
        return { harness, before };
      },
      run: ({ harness }) => remove(harness),
      check: async ({ harness, before }, _, died) => {
        if (died) must(await remove(harness));
        const after = harness.credentials.items().map(({ pk, sk }) => `${pk} ${sk}`);
        const gone = before.filter((name) => !after.includes(name));
        expect(after.every((name) => before.includes(name))).toBe(true);
        expect(gone.filter((name) => /^(CLIENT|USER)#/.test(name))).toHaveLength(2);
        expect(after.filter((name) => /^ACCOUNT#1 |^PROPERTY#1001 /.test(name))).toEqual([]);
        expect(after.filter((name) => /^(CLIENT|USER|TOKEN)#/.test(name))).toHaveLength(4);
      },
    });
  });
});
