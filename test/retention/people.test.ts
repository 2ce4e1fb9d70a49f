/** The rules of a property about its people: who goes because nothing renews them, and whose special values are not used. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { monthsBefore, storedBefore } from '../../shared/retention/people-rule.ts';
import { postponeUpkeep } from '../../shared/retention/upkeep-tasks.ts';
import { keys, PROFILES_PER_BLOCK, TASK_PARTITIONS } from '../../shared/table/keys.ts';
import { betweenAllOf } from '../ingest/objections-harness.ts';
import { dyingAnywhere } from '../support/death.ts';
import { NOW, scope } from '../profiles/harness.ts';
import { DAY, endsAfterDeaths, endsBesideItself, upkeepScene, type UpkeepScene } from './upkeep-harness.ts';

const mail = (n: number): string => `p${n}@example.org`;
const old = [0, 1];

/** A property that keeps people for two months has two of three months ago, and one of now. */
const people = async (scene: UpkeepScene): Promise<UpkeepScene> => {
  await scene.create();
  for (const n of old) await scene.store({ email: mail(n), city: 'Bonn' });
  scene.clock.now += 100 * DAY;
  await scene.store({ email: mail(2), city: 'Bonn' });
  await scene.follow({ profileMonths: 2 });
  return scene;
};
/** The old ones are forgotten in the end, and the receipt counts them. */
const expectForgotten = async (scene: UpkeepScene): Promise<void> => {
  await scene.settle();
  expect(await there(scene)).toEqual([false, false, true]);
  expect(await scene.receipts()).toMatchObject([receipt]);
};
const there = (scene: UpkeepScene) => Promise.all([0, 1, 2].map((n) => scene.isThere(mail(n))));
const receipt = { cause: 'retention', status: 'complete', segment: null, profiles: 2, forgotten: 2 };

describe('calendar months', () => {
  it.each([
    ['2026-03-31T10:00:00Z', 1, '2026-02-28T10:00:00Z'],
    ['2028-03-31T10:00:00Z', 1, '2028-02-29T10:00:00Z'],
    ['2026-01-15T00:00:00Z', 24, '2024-01-15T00:00:00Z'],
    ['2026-01-31T23:59:59Z', 2, '2025-11-30T23:59:59Z'],
  ])('before %s, %i of them, is %s', (time, months, earlier) => {
    expect(new Date(monthsBefore(Date.parse(time), months)).toISOString()).toBe(
      new Date(earlier).toISOString(),
    );
  });

  it('and the days for which a repeated record may leave the time of a profile as it is', () => {
    expect(storedBefore(NOW, 2)).toBe(monthsBefore(NOW, 2) - limits.profiles.renewedDays * DAY);
  });
});

describe('a property that keeps profiles for some months', () => {
  it('forgets those that nothing has renewed, and has a receipt', async () => {
    const scene = await people(upkeepScene());
    await scene.keep();
    expect(await there(scene)).toEqual([false, false, true]);
    expect(await scene.receipts()).toMatchObject([receipt]);
    expect((await scene.receipts())[0]?.stored_before).not.toBeNull();
    expect(await scene.keep()).toBe(0);
    // A week later the next pass begins. It forgets nobody, so it has no receipt.
    scene.clock.now += limits.rules.peopleRoundDays * DAY;
    expect(await scene.keep()).toBe(1);
    expect(await scene.receipts()).toHaveLength(1);
    scene.clock.now += 100 * DAY;
    await scene.keep();
    expect(await there(scene)).toEqual([false, false, false]);
    expect(await scene.receipts()).toHaveLength(2);
  });

  it('begins when no process remembers the earlier rules, and not at all when the rule is taken back', async () => {
    const scene = await people(upkeepScene());
    scene.clock.now -= limits.rules.pauseSeconds * 1_000 + 1;
    expect(await scene.keep()).toBe(0);
    await scene.follow({ profileMonths: null });
    expect(await scene.keep()).toBe(2);
    expect(await there(scene)).toEqual([true, true, true]);
    // Nothing is left to do.
    scene.clock.now += 300 * DAY;
    expect(await scene.keep()).toBe(0);
  });

  it('counts everybody once, wherever the function dies', () => endsAfterDeaths(people, expectForgotten));

  it('counts everybody once beside a second call of the function', () =>
    endsBesideItself(people, expectForgotten));

  it('keeps its receipt when rules change in the middle', async () => {
    const change = async (scene: UpkeepScene): Promise<void> => {
      const { now } = scene.clock;
      await scene.follow({ fileDays: 10 });
      scene.clock.now = now;
    };
    const check = async (scene: UpkeepScene): Promise<void> => {
      scene.clock.now += limits.rules.settleSeconds * 1_000;
      await expectForgotten(scene);
    };
    await betweenAllOf(upkeepScene, { begin: people, work: (scene) => scene.keep(), between: change, check });
    await dyingAnywhere<UpkeepScene>({
      begin: (tick) => people(upkeepScene(tick)),
      run: (scene) => scene.keep(),
      check: async (scene) => {
        await change(scene);
        await check(scene);
      },
    });
  });

  it('never forgets somebody whom a record has just renewed', async () => {
    const ends = new Set<string>();
    const kinds = new Map<UpkeepScene, string | undefined>();
    await betweenAllOf(upkeepScene, {
      begin: people,
      work: (scene) => scene.keep(),
      between: async (scene) => {
        const [outcome] = await scene.store({ email: mail(1), city: 'Rome' });
        kinds.set(scene, outcome?.kind);
      },
      check: async (scene) => {
        // A record that comes behind the tombstone makes a new profile.
        ends.add(kinds.get(scene) ?? '');
        expect(await there(scene)).toEqual([false, true, true]);
        expect(await scene.find(mail(1))).toMatchObject({ fields: { city: 'Rome' } });
        await scene.settle();
        await scene.segments();
      },
    });
    expect([...ends].toSorted()).toEqual(['created', 'updated']);
  });

  it('stores a record that was accepted before the pass, and comes behind it', async () => {
    const scene = await people(upkeepScene());
    await scene.keep();
    const [late] = await scene.store({ email: mail(1), city: 'Rome' }, -5 * DAY);
    expect(late?.kind).toBe('created');
    // A record of the time before stays as old as it is.
    const [old] = await scene.store({ email: mail(0), city: 'Rome' }, -12 * DAY);
    expect(old?.kind).toBe('created');
  });

  it('goes on with the people for whom there was no time', async () => {
    const scene = upkeepScene();
    await scene.create();
    const many = Array.from({ length: limits.rules.peopleAtOnce + 1 }, (_, n) => n);
    for (const n of many) await scene.store({ email: mail(n) });
    scene.clock.now += 100 * DAY;
    await scene.follow({ profileMonths: 2 });
    const left = async () =>
      (await Promise.all(many.map((n) => scene.isThere(mail(n))))).filter(Boolean).length;
    for (let most = 1, before = many.length; before > 0; most += 1) {
      let looks = 0;
      await scene.keep(() => (looks += 1) <= most);
      const now = await left();
      expect(before - now).toBeLessThanOrEqual(most * limits.rules.peopleAtOnce);
      before = now;
    }
    await scene.keep();
    expect(await scene.receipts()).toMatchObject([{ ...receipt, profiles: 65, forgotten: 65 }]);
  });

  it('waits a day behind a restore, so that rules can be set again', async () => {
    const scene = await people(upkeepScene());
    const ports = { table: scene.table, pause: () => Promise.resolve() };
    await postponeUpkeep(ports, scope.id, scene.clock.now + DAY);
    expect(await scene.keep()).toBe(0);
    await scene.follow({ profileMonths: 24 });
    await scene.keep();
    expect(await there(scene)).toEqual([true, true, true]);
  });

  it('stops when the rule is taken back in the middle', async () => {
    await betweenAllOf(upkeepScene, {
      begin: people,
      work: (scene) => scene.keep(),
      between: async (scene) => {
        const { now } = scene.clock;
        await scene.follow({ profileMonths: null });
        scene.clock.now = now;
      },
      check: async (scene) => {
        const left = await there(scene);
        await scene.settle();
        scene.clock.now += 400 * DAY;
        await scene.settle();
        expect(await there(scene)).toEqual(left);
      },
    });
  });
});

describe('a pass over people whom no rule concerns', () => {
  it('reads each block of 256 once, and notes its place after 16 of them', async () => {
    const calls: string[] = [];
    let isCounting = false;
    const scene = upkeepScene((operation) => {
      if (isCounting) calls.push(operation ?? '');
    });
    await scene.create();
    const blocks = 33;
    await scene.table.put(keys.counter(scope.id, 'ordinal'), { value: blocks * PROFILES_PER_BLOCK });
    await scene.follow({ profileMonths: 2 });
    isCounting = true;
    await scene.keep();
    isCounting = false;
    const count = (name: string) => calls.filter((one) => one === name).length;
    // The tasks, and one read of each block.
    expect(count('query')).toBe(TASK_PARTITIONS + blocks);
    // Two tasks are taken and one ends. The pass begins and ends, and has a place after 16 and 32 blocks.
    expect(count('update') + count('delete')).toBe(7);
  });
});

describe('a property that does not use special categories', () => {
  it('has nobody in such a segment after the pass, and everybody again when it uses them', async () => {
    const scene = upkeepScene();
    await scene.create();
    await scene.store({ email: mail(0), ethnicity: 'Elf', birthday: '2015-05-05' });
    await scene.store({ email: mail(1), ethnicity: 'Elf' });
    const before = await scene.segments();
    expect(before.filter((name) => name.includes('Elf'))).toHaveLength(1);
    await scene.follow({ specialCategories: false });
    await scene.settle();
    expect((await scene.segments()).filter((name) => /Elf|under 18/.test(name))).toEqual([]);
    // The pass is no renewal.
    expect((await scene.find(mail(0)))?.updatedAt).toBe(NOW);
    await scene.follow({ specialCategories: true });
    await scene.settle();
    expect((await scene.segments()).toSorted()).toEqual(before.toSorted());
    scene.clock.now += 30 * DAY;
    expect(await scene.keep()).toBe(0);
  });
});
