/** Undos and missed records where a property does not use special categories. */
import { describe, expect, it } from 'vitest';
import { dyingAnywhere } from '../support/death.ts';
import { ann } from './objections-harness.ts';
import { specialScene, young } from './special-harness.ts';
import { ofJob, storedStates, jobs } from './undo-harness.ts';

const special = { ...ann, ...young };

describe('the undo of an import', () => {
  const [first, second, third] = jobs;

  it('brings special values back without their segments, wherever it dies', () =>
    dyingAnywhere({
      begin: async (tick) => {
        const scene = specialScene(tick);
        for (const job of [first, second]) await scene.addJob(job);
        await scene.apply([ofJob(first, { ...ann, ethnicity: 'Elf', age: 12 }, 0)]);
        await scene.apply([ofJob(second, { ...ann, ethnicity: null, age: 40 }, 1)]);
        await scene.settle();
        scene.turn(false);
        await scene.pass();
        expect(await scene.find()).toMatchObject({ fields: { ethnicity: null }, withoutSpecial: false });
        return scene;
      },
      run: ({ undo }) => undo(second),
      check: async (scene) => {
        expect(await scene.undo(second)).toBe(true);
        await scene.settle();
        expect(await scene.find()).toMatchObject({
          fields: { ethnicity: 'Elf' },
          age: 12,
          withoutSpecial: true,
        });
        expect(await scene.special()).toEqual([]);
      },
    }));

  it('is no matter for what later files restate over an older record, wherever its writer dies', () =>
    dyingAnywhere({
      begin: async (tick) => {
        const scene = specialScene(tick);
        for (const job of [first, second, third]) await scene.addJob(job);
        await scene.apply([ofJob(first, { ...ann, ethnicity: 'Elf' }, 1)]);
        await scene.apply([ofJob(second, { ...ann, ethnicity: 'Elf' }, 9)]);
        await scene.settle();
        scene.turn(false);
        return scene;
      },
      run: ({ apply }) => apply([ofJob(third, { ...ann, ethnicity: null }, 5)]),
      check: async (scene) => {
        await scene.apply([ofJob(third, { ...ann, ethnicity: null }, 5)]);
        await scene.settle();
        expect(await scene.find()).toMatchObject({ fields: { ethnicity: 'Elf' }, withoutSpecial: true });
        expect(await scene.special()).toEqual([]);
      },
    }));

  it('leaves the rule on whoever stays', async () => {
    const scene = specialScene();
    scene.turn(false);
    await scene.addJob(first);
    await scene.store(ann);
    await scene.apply([ofJob(first, special, 5)]);
    expect(await scene.undo(first)).toBe(true);
    await scene.settle();
    expect(await scene.find()).toMatchObject({ fields: { ethnicity: null }, withoutSpecial: true });
    await scene.store(special, 9);
    expect(await scene.special()).toEqual([]);
    expect([...storedStates(scene.table)]).toHaveLength(1);
  });
});
