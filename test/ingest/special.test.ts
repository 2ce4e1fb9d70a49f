/** Special categories: where a property does not use them, they are stored and make no segment. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { provenanceOf } from '../../shared/profiles/provenance.ts';
import { withdrawalsIn } from '../../shared/profiles/contribution.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { scope } from '../profiles/harness.ts';
import { dyingAnywhere } from '../support/death.ts';
import { ann, betweenAllOf, kindsOf } from './objections-harness.ts';
import { specialNames, specialScene, young, type SpecialScene } from './special-harness.ts';
import { ofJob, jobs } from './undo-harness.ts';

const special = { ...ann, ...young };

/** A scene whose property does not use special categories. */
const without = (before?: () => Promise<void> | void): SpecialScene => {
  const scene = specialScene(before);
  scene.turn(false);
  return scene;
};

const stateOfAnn = async ({ find, table }: SpecialScene) => {
  const { ordinal = NaN } = (await find()) ?? {};
  const whole = await profileRepository({ table }).readWithState(scope.id, ordinal);
  if (!whole) throw new Error('nobody');
  return whole.state;
};

describe('special values of a property that does not use them', () => {
  it('are stored and shown, and make no segment, not even one of nobody', async () => {
    const scene = without();
    expect(kindsOf(await scene.store({ ...special, city: 'Bonn' }))).toEqual(['created']);
    expect(await scene.find()).toMatchObject({ fields: young, withoutSpecial: true, restricted: false });
    expect(await scene.names()).toEqual(expect.arrayContaining(['Bonn']));
    expect((await scene.names()).filter((name) => specialNames.includes(name))).toEqual([]);
    await scene.store({ ...ann, ethnicity: 'Orc', birthday: '2012-01-01' }, 1);
    expect((await scene.names()).filter((name) => /^(Age|Ethnicity)/.test(name))).toEqual([]);
    await scene.store({ email: 'old@example.org', birthday: '1990-01-01', age: 3 });
    expect((await scene.names()).filter((name) => /^(Age|Ethnicity)/.test(name))).toEqual(['Age: 35-44']);
    await scene.segments();
  });

  it('are no consent of the person', async () => {
    const scene = without();
    await scene.store({ ...special, consent: [{ channel: 'email', state: 'given' }] });
    const state = await stateOfAnn(scene);
    expect((await scene.find())?.consent.map(({ channel }) => channel)).toEqual(['email']);
    expect(provenanceOf(state).consent.map(({ channel }) => channel)).toEqual(['email']);
    expect(withdrawalsIn(state)).toEqual([]);
    const [outcome] = await scene.store(special, 1);
    expect(outcome).toMatchObject({ kind: 'updated', warnings: [] });
    await scene.forget((await scene.find())?.ordinal ?? NaN);
    scene.turn(true);
    scene.clock.now += 60_000;
    await scene.store(ann);
    expect(await scene.find()).toMatchObject({ consent: [], withoutSpecial: false });
  });

  it('may fill a profile to its last byte', async () => {
    const scene = specialScene();
    const fits = async (bytes: number) => {
      const extra_data = Object.fromEntries(
        Array.from({ length: 8 }, (_, at) => [`k${at}`, 'x'.repeat(Math.floor(bytes / 8))]),
      );
      return kindsOf(await scene.store({ ...special, extra_data }, bytes))[0] !== 'profile_too_large';
    };
    let most: number = limits.profiles.itemBytes;
    let least = 0;
    while (most - least > 8) {
      const half = Math.floor((most + least) / 2);
      if (await fits(half)) least = half;
      else most = half;
    }
    expect(least).toBeGreaterThan(limits.profiles.itemBytes - 2_000);
    scene.turn(false);
    expect(await fits(least)).toBe(true);
    expect(await scene.find()).toMatchObject({ withoutSpecial: true });
  });

  it('may be restated by every later file', async () => {
    const scene = specialScene();
    const versions: string[] = [];
    for (const [order, job] of jobs.entries()) {
      await scene.addJob(job);
      if (order === 2) scene.turn(false);
      await scene.apply([ofJob(job, special, order)]);
      versions.push(JSON.stringify(scene.table.items().find(({ state }) => state !== undefined)?.w));
    }
    expect([versions[0] === versions[1], versions[1] === versions[2], versions[2] === versions[3]]).toEqual([
      true,
      false,
      true,
    ]);
    expect(await scene.find()).toMatchObject({ withoutSpecial: true });
  });
});

describe('the pass over the people of a property', () => {
  const stored = async (scene: SpecialScene): Promise<void> => {
    await scene.store(special);
    expect(await scene.special()).toEqual(specialNames);
  };

  it('takes them out of their segments, and back, and is no renewal of their profiles', async () => {
    const scene = specialScene();
    await stored(scene);
    const { created, updatedAt } = (await scene.find()) ?? {};
    expect(created).toBe(updatedAt);
    for (const [on, names] of [[false, []] as const, [true, specialNames] as const, [false, []] as const]) {
      scene.clock.now += 60_000;
      scene.turn(on);
      await scene.pass();
      await scene.settle();
      expect(await scene.special()).toEqual(names);
      expect(await scene.find()).toMatchObject({
        created,
        updatedAt,
        usedSince: scene.clock.now,
        withoutSpecial: !on,
      });
    }
  });

  it('may die anywhere', () =>
    dyingAnywhere({
      begin: async (tick) => {
        const scene = specialScene(tick);
        await stored(scene);
        scene.turn(false);
        return scene;
      },
      run: ({ pass }) => pass(),
      check: async ({ pass, settle, special: shown, turn }) => {
        await pass();
        await settle();
        expect(await shown()).toEqual([]);
        turn(true);
        await pass();
        await settle();
        expect(await shown()).toEqual(specialNames);
      },
    }));

  it('finds no value that a writer stores meanwhile, wherever the pass comes in between', async () => {
    for (const on of [false, true])
      await betweenAllOf(specialScene, {
        begin: async (scene) => {
          await scene.store({ ...ann, ethnicity: 'Elf' });
          scene.turn(on);
          if (on) return;
          await scene.settle();
        },
        work: ({ store }) => store(special, 5),
        between: ({ pass }) => pass(),
        check: async (scene) => {
          await scene.settle();
          expect(await scene.special()).toEqual(on ? specialNames : []);
        },
      });
  });

  it('repairs what a writer with an earlier rule stores, once it comes again', async () => {
    for (const on of [false, true])
      await betweenAllOf(specialScene, {
        begin: async (scene) => {
          scene.turn(!on);
          await scene.store(ann);
        },
        // The writer read the rules ahead of its first operation.
        work: ({ store }) => store(special, 5),
        between: async ({ turn, pass }) => {
          turn(on);
          await pass();
        },
        check: async (scene) => {
          await scene.pass();
          await scene.settle();
          expect(await scene.special()).toEqual(on ? specialNames : []);
        },
      });
  });

  it('leaves an objection of the person as it is, and the other way round', async () => {
    const scene = specialScene();
    await stored(scene);
    const { id } = await scene.object({ email: ann.email, scope: 'use' });
    scene.turn(false);
    await scene.pass();
    await scene.settle();
    expect(await scene.find()).toMatchObject({ restricted: true, withoutSpecial: true });
    await scene.end(id);
    expect(await scene.find()).toMatchObject({ restricted: false, withoutSpecial: true });
    expect(await scene.special()).toEqual([]);
    expect(await scene.segments()).not.toEqual([]);
  });

  it('may be overtaken by an objection, which then obeys the rule, too', async () => {
    const scene = specialScene();
    await stored(scene);
    scene.turn(false);
    await scene.object({ email: ann.email, scope: 'use' });
    expect(await scene.find()).toMatchObject({ restricted: true, withoutSpecial: true });
  });

  it('does not hide from a repeated objection what the index still lists', () =>
    dyingAnywhere({
      begin: async (tick) => {
        const scene = without(tick);
        await scene.store({ ...special, city: 'Bonn' });
        return scene;
      },
      run: ({ object }) => object({ email: ann.email, scope: 'use' }),
      check: async ({ object, segments }) => {
        await object({ email: ann.email, scope: 'use' });
        expect(await segments()).toEqual([]);
      },
    }));

  it('and an objection may come in between each other', () =>
    betweenAllOf(specialScene, {
      begin: async (scene) => {
        await stored(scene);
        scene.turn(false);
      },
      work: ({ pass }) => pass(),
      between: async ({ object }) => {
        await object({ email: ann.email, scope: 'use' });
      },
      check: async ({ find, pass, settle, segments }) => {
        await pass();
        await settle();
        expect(await find()).toMatchObject({ restricted: true, withoutSpecial: true });
        expect(await segments()).toEqual([]);
      },
    }));
});

describe('the 18th birthday', () => {
  /** 17 years old at first. */
  const almost = { ...ann, ethnicity: 'Elf', birthday: '2008-02-03' };
  const bands = async ({ names }: SpecialScene) => (await names()).filter((name) => name.startsWith('Age'));

  it('brings the first band of adults, and none before', async () => {
    const scene = without();
    await scene.store(almost);
    expect(await bands(scene)).toEqual([]);
    for (const [day, found] of [['2026-02-02', []] as const, ['2026-02-03', ['Age: 18-24']] as const]) {
      scene.clock.now = Date.parse(`${day}T12:00:00Z`);
      await scene.followBirthdays();
      expect(await bands(scene)).toEqual(found);
      await scene.segments();
    }
  });

  it('may be followed later than the rule changes', async () => {
    for (const known of [almost, { ...ann, birthday: '2008-02-03' }]) {
      const scene = specialScene();
      await scene.store(known);
      expect(await scene.special()).toContain('Age: under 18');
      scene.clock.now = Date.parse('2026-02-03T12:00:00Z');
      scene.turn(false);
      await scene.pass();
      await scene.settle();
      await scene.followBirthdays();
      expect(await scene.special()).toEqual([]);
      expect(await bands(scene)).toEqual(['Age: under 18', 'Age: 18-24']);
    }
  });
});
