/** The search by name, switched on and off: the pass over all people gives and ends the pointers of who was stored before. */
import { expect, it } from 'vitest';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { readRules } from '../../shared/properties/rules.ts';
import { keys } from '../../shared/table/keys.ts';
import { accepted, scope, NOW } from '../profiles/harness.ts';
import { limits } from '../../shared/config/limits.ts';
import { DAY, endsAfterDeaths, upkeepScene, type UpkeepScene } from './upkeep-harness.ts';

const mail = (person: number): string => `p${person}@example.org`;
const pointers = ({ table }: UpkeepScene): number => table.items('name-pointer').length;
const isReady = async ({ table }: UpkeepScene): Promise<boolean> => {
  const { names_since: since, names_ready: ready } = readRules(await table.get(keys.rules(scope.id)));
  return since !== null && since === ready;
};

/** Switches the search on or off, as the operator's command does. */
const search = async (scene: UpkeepScene, searchNames: boolean): Promise<void> => {
  await scene.table.put(keys.rules(scope.id), {
    ...{ profile_months: null, file_days: null, special_categories: true },
    names_since: searchNames ? scene.clock.now : null,
  });
  await scene.follow({ searchNames, allNames: false });
};

it('gives a pointer to everybody who was stored before, without a renewal, and ends them all', async () => {
  const scene = upkeepScene();
  await scene.create();
  for (const person of [0, 1, 2]) await scene.store({ email: mail(person), last_name: `Name ${person}` });
  await scene.store({ email: mail(3) });
  expect(pointers(scene)).toBe(0);
  await search(scene, true);
  expect(await isReady(scene)).toBe(false);
  await scene.settle();
  expect([pointers(scene), await isReady(scene)]).toEqual([3, true]);
  expect((await scene.find(mail(0)))?.updatedAt).toBe(NOW);
  await search(scene, false);
  await scene.settle();
  expect([pointers(scene), await isReady(scene)]).toEqual([0, false]);
  scene.clock.now += 30 * DAY;
  expect(await scene.keep()).toBe(0);
});

it('is not ready by a pass that began before every process knew of it', async () => {
  const scene = upkeepScene();
  await scene.create();
  await scene.store({ email: mail(0), last_name: 'Noor' });
  await search(scene, true);
  // A later switch: the pass under way began before it.
  await scene.table.put(keys.rules(scope.id), {
    ...{ profile_months: null, file_days: null, special_categories: true },
    names_since: scene.clock.now - limits.rules.settleSeconds * 500,
  });
  await scene.settle();
  expect([pointers(scene), await isReady(scene)]).toEqual([1, false]);
});

it('stops within a block when its time is over, and goes on there', async () => {
  const scene = upkeepScene();
  await scene.create();
  const people = 70;
  // One batch, so that they are neighbours.
  const records = Array.from({ length: people }, (_, person) =>
    accepted({ email: mail(person), last_name: `Name ${person}` }, person),
  );
  await applyRecords(scene.deps(), scene.scopeNow(), records, { attemptId: 'many', index: 'now' });
  await search(scene, true);
  for (let call = 0; pointers(scene) === 0; call += 1) {
    expect(call).toBeLessThan(10);
    await scene.keep(() => pointers(scene) === 0);
  }
  expect(pointers(scene)).toBeLessThan(people);
  expect(await isReady(scene)).toBe(false);
  await scene.settle();
  expect([pointers(scene), await isReady(scene)]).toEqual([people, true]);
});

it('is ready wherever the pass dies', () =>
  endsAfterDeaths(
    async (scene) => {
      await scene.create();
      for (const person of [0, 1, 2]) await scene.store({ email: mail(person), last_name: `Name ${person}` });
      await search(scene, true);
      return scene;
    },
    async (scene) => {
      await scene.settle();
      expect([pointers(scene), await isReady(scene)]).toEqual([3, true]);
    },
  ));

it('a pointer that a restore has lost is stored again when the search begins anew', async () => {
  const scene = upkeepScene();
  await scene.create();
  await search(scene, true);
  await scene.store({ email: mail(0), last_name: 'Noor' });
  const [lost] = scene.table.items('name-pointer');
  await scene.table.write({
    kind: 'delete',
    key: { pk: lost?.pk ?? '', sk: lost?.sk ?? '' },
    expect: {},
  });
  await scene.settle();
  expect([pointers(scene), await isReady(scene)]).toEqual([1, true]);
});
