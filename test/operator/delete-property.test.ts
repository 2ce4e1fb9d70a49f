import { describe, expect, it } from 'vitest';
import { deleteWhole } from '../../cli/delete-property.ts';
import { limits } from '../../shared/config/limits.ts';
import { listProperties } from '../../shared/auth/accounts.ts';
import { authenticator } from '../../shared/auth/authenticator.ts';
import { keys } from '../../shared/table/keys.ts';
import { deletionWorld, type DeletionWorld } from './deletion-world.ts';
import { must, tokenOf } from '../auth/world.ts';

const QUIET = limits.deletion.quietSeconds * 1_000;
const CALL = limits.deletion.callSeconds * 1_000;

/** Calls until the deletion waits or is done; returns the last answer. */
const callOn = async (world: DeletionWorld) => {
  for (let calls = 0; calls < 100; calls += 1) {
    const answer = await world.call();
    if (!answer.ok || answer.value.state !== 'erasing') return answer;
  }
  throw new Error('the deletion does not end');
};

/** Calls until nothing is left, and waits whenever the deletion says so. */
const deleteAll = async (world: DeletionWorld): Promise<void> => {
  for (let passes = 0; passes < 10; passes += 1) {
    const answer = await callOn(world);
    // A call that died leaves its lease, or nothing at all when it died behind its last write.
    if (!answer.ok && answer.error.code === 'unknown_property') return;
    if (answer.ok && answer.value.state === 'deleted') return;
    world.time.now += answer.ok ? QUIET : CALL;
  }
  throw new Error('the deletion does not end');
};

/**
 * The names that remain when everything of the deleted property is gone. `1001` occurs in every name of the
 * property, and in no other name.
 */
const withoutDeleted = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !name.includes('1001'));

describe('a deleted property', () => {
  it('a deletion leaves nothing of the property in any store, and keeps everything of other properties', async () => {
    const world = await deletionWorld();
    const before = world.stored();
    expect(before.filter((name) => name.includes('1001')).length).toBeGreaterThan(60);
    expect(await callOn(world)).toMatchObject({ ok: true, value: { state: 'waiting' } });
    world.time.now += QUIET;
    expect(await callOn(world)).toMatchObject({ ok: true, value: { state: 'deleted', again: null } });
    expect(world.stored()).toEqual(withoutDeleted(before));
    expect(await world.call()).toMatchObject({ ok: false, error: { code: 'unknown_property' } });
  });

  it('a deletion ends the same wherever a call is killed', async () => {
    const whole: string[] = [];
    const undisturbed = await deletionWorld((operation) => void whole.push(operation));
    const end = withoutDeleted(undisturbed.stored());
    await deleteAll(undisturbed);
    expect(whole.length).toBeGreaterThan(150);
    for (const [point, operation] of whole.entries()) {
      let left = point;
      const world = await deletionWorld(() => {
        left -= 1;
        if (left === -1) throw new Error('killed');
      });
      await deleteAll(world).catch(() => undefined);
      world.time.now += CALL;
      await deleteAll(world);
      expect(world.stored(), `killed at ${operation}`).toEqual(end);
    }
  });

  it('no request reaches a closed property, and nothing is removed before it is closed', async () => {
    const world = await deletionWorld();
    const before = world.stored();
    const authorization = `Bearer ${await tokenOf(world, world.gone)}`;
    const gate = authenticator({ credentials: world.credentials, clock: () => world.time.now });
    const caller = await gate.caller(authorization);
    if (!caller.ok) throw new Error('no caller');
    const statusOf = async () => {
      const found = await gate.property(caller.value, String(world.gone.property));
      return found.ok ? 200 : found.error.status;
    };
    expect(await statusOf()).toBe(200);
    expect(await world.call()).toMatchObject({ ok: true, value: { state: 'erasing', items: 0 } });
    expect(world.stored()).toEqual(before);
    world.time.now += limits.auth.tokenCacheSeconds * 1_000;
    expect(await statusOf()).toBe(404);
    expect(await listProperties(world.credentials, world.gone.account)).toEqual([]);
  });

  it('a deletion makes another pass for data written during a pass', async () => {
    const world = await deletionWorld();
    await callOn(world);
    await world.table.put(keys.profile(world.gone.property, 5), {});
    world.time.now += QUIET;
    const again = new Date(world.time.now + QUIET).toISOString();
    expect(await callOn(world)).toMatchObject({ ok: true, value: { state: 'waiting', again } });
    expect(await callOn(world)).toMatchObject({ ok: true, value: { state: 'waiting', again } });
    world.time.now += QUIET;
    expect(await callOn(world)).toMatchObject({ ok: true, value: { state: 'deleted' } });
  });

  it('a deletion makes another pass when a call died that had removed data', async () => {
    const world = await deletionWorld();
    await callOn(world);
    await world.table.put(keys.profile(world.gone.property, 5), {});
    world.time.now += QUIET;
    let removed = false;
    world.hooks.before = (operation) => {
      removed ||= operation === 'table delete';
      if (removed && operation === 'credentials update') throw new Error('killed');
    };
    await expect(callOn(world)).rejects.toThrow('killed');
    world.hooks.before = () => undefined;
    world.time.now += CALL;
    expect(await callOn(world)).toMatchObject({ ok: true, value: { state: 'waiting' } });
  });

  it('a deletion is not done before the work in progress has ended, though it found nothing', async () => {
    const world = await deletionWorld(undefined, false);
    for (const { pk, sk } of world.table.items())
      await world.table.write({ kind: 'delete', key: { pk, sk }, expect: {} });
    await callOn(world);
    world.time.now += QUIET - 1;
    expect(await callOn(world)).toMatchObject({ ok: true, value: { state: 'waiting' } });
  });

  it("the account's audit log records the closing and the end of the property", async () => {
    const world = await deletionWorld();
    await deleteAll(world);
    const told = world.auditLog.items().map(({ action, outcome, operator }) => [action, outcome, operator]);
    expect(told).toEqual([
      ['operator property.delete', 'erasing', 'ada'],
      ['operator property.delete', 'deleted', 'ada'],
    ]);
  });
});

describe('the deletion of a property', () => {
  it('a call reads on where the call before stopped', async () => {
    const world = await deletionWorld();
    world.table.scanned = 1;
    for (let ordinal = 0; ordinal < 100; ordinal += 1)
      await world.table.put(keys.profile(world.gone.property, ordinal), {});
    expect(world.table.items().length).toBeGreaterThan(limits.deletion.pagesPerCall);
    const before = world.stored();
    await deleteAll(world);
    expect(world.stored()).toEqual(withoutDeleted(before));
  });

  it.each(['Shop ', '1002', 'gone'])(
    'a deletion is refused without the name or number of the property: %s',
    async (confirm) => {
      const world = await deletionWorld();
      expect(await world.call(confirm)).toMatchObject({ ok: false, error: { code: 'not_confirmed' } });
      expect(await listProperties(world.credentials, world.gone.account)).toHaveLength(1);
    },
  );

  it('a deletion is refused while another call works on it, until that call must have ended', async () => {
    const world = await deletionWorld();
    await world.call();
    let other: ReturnType<typeof world.call> | undefined;
    world.hooks.before = (operation) => {
      if (operation === 'table scan') other ??= world.call();
    };
    expect(await world.call()).toMatchObject({ ok: true });
    expect(await other).toMatchObject({ ok: false, error: { code: 'conflict' } });
  });

  it('one of two concurrent calls does the deletion', async () => {
    const world = await deletionWorld();
    await world.call();
    const answers = await Promise.all([world.call(), world.call()]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.find(({ ok }) => !ok)).toMatchObject({ error: { code: 'conflict' } });
  });

  it('the command line repeats the deletion until it has to wait', async () => {
    const world = await deletionWorld();
    const steps: string[] = [];
    const ask = async () => {
      const answer = await world.call();
      if (!answer.ok) throw new Error(answer.error.message);
      return { ok: true, ...answer.value } as const;
    };
    const answer = await deleteWhole({}, ask, (step) => void steps.push(step));
    expect(answer).toMatchObject({ ok: true, state: 'waiting' });
    expect(steps.length).toBeGreaterThan(1);
  });
});

describe('a deleted account', () => {
  const remove = (world: DeletionWorld, confirm = 'gone Ltd') =>
    world.run({ command: 'account.delete', account: world.gone.account, confirm });

  it('an account cannot be deleted while it has a property, even a property in deletion', async () => {
    const world = await deletionWorld();
    expect(await remove(world)).toMatchObject({ ok: false, error: { code: 'has_properties' } });
    await world.call();
    expect(await remove(world)).toMatchObject({ ok: false, error: { code: 'has_properties' } });
  });

  it('an account cannot be deleted without its name or number', async () => {
    const world = await deletionWorld();
    await deleteAll(world);
    expect(await remove(world, 'kept Ltd')).toMatchObject({ ok: false, error: { code: 'not_confirmed' } });
  });

  it('a deleted account leaves no user, token or client id, wherever a call is killed', async () => {
    const prepared = async () => {
      const world = await deletionWorld();
      await tokenOf(world, world.kept);
      const before = world.credentials.items().map(({ pk, sk }) => `${pk} ${sk}`);
      await tokenOf(world, world.gone);
      await deleteAll(world);
      return { world, before };
    };
    for (let point = 0; ; point += 1) {
      const { world, before } = await prepared();
      let left = point;
      world.hooks.before = () => {
        left -= 1;
        if (left === -1) throw new Error('killed');
      };
      const died = await remove(world).then(
        () => false,
        () => true,
      );
      world.hooks.before = () => undefined;
      if (died) must(await remove(world));
      const after = world.credentials.items().map(({ pk, sk }) => `${pk} ${sk}`);
      const gone = before.filter((name) => !after.includes(name));
      expect(after.every((name) => before.includes(name))).toBe(true);
      expect(gone.filter((name) => /^(CLIENT|USER)#/.test(name))).toHaveLength(2);
      expect(after.filter((name) => /^ACCOUNT#1 |^PROPERTY#1001 /.test(name))).toEqual([]);
      expect(after.filter((name) => /^(CLIENT|USER|TOKEN)#/.test(name))).toHaveLength(4);
      if (!died) return;
    }
  });
});
