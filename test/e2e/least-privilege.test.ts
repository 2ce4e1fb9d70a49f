import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FunctionEntry } from '../../functions/entry.ts';
import { manifest } from '../../functions/manifest.ts';
import { exercises } from './exercise.ts';
import {
  declaredActions,
  oneActionOfEachService,
  openExercised,
  placed,
  type Exercised,
} from './least-privilege.ts';

const why = 'a call that makes the running function use every action of its entry';
const sceneOf = (name: string, { trigger }: FunctionEntry): string => {
  if (trigger.kind === 'schedule')
    return `(harness) => harness.service.cloud.fireSchedule('tidemark-local-${name}').catch(() => undefined)`;
  if (trigger.kind !== 'http') return '(harness) => …';
  const path = trigger.path
    .replace('{property_id}', '${harness.service.property}')
    .replaceAll(/\{(\w+)\}/g, '${the $1 of something that the scene made}');
  if (trigger.method === 'GET') return `(harness) => get(harness, \`${path}\`)`;
  if (trigger.method === 'POST') return `(harness) => post(harness, \`${path}\`, { … })`;
  return `(harness) => harness.service.call('${trigger.method}', \`${path}\`)`;
};

it('every function has an exercise', () => {
  const advice = Object.entries(manifest)
    .filter(([name]) => exercises[name] === undefined)
    .map(
      ([name, entry]) =>
        `Add \`${name}: ${sceneOf(name, entry)}\` to a list of test/e2e/exercise-*.ts: ${why}`,
    );
  expect(advice).toEqual([]);
  expect(Object.keys(exercises).toSorted()).toEqual(Object.keys(manifest).toSorted());
});

it('every function with a place of its own is a function of the manifest', () => {
  expect(placed.filter((name) => manifest[name] === undefined)).toEqual([]);
});

describe('roles hold the rights that their functions need, and no others', () => {
  let exercised: Exercised;
  beforeAll(async () => {
    exercised = await openExercised();
  }, 120_000);
  afterAll(() => exercised[Symbol.asyncDispose]());

  it.each(declaredActions)(
    '$name needs $action on $to',
    async (asked) => {
      await exercised.use(asked);
    },
    90_000,
  );

  it.each(oneActionOfEachService)(
    'without $action on $to, $name is refused',
    async (asked) => {
      const { message } = await exercised.refusal(asked);
      expect(message).toContain(`is not authorized to perform: ${asked.action} `);
    },
    90_000,
  );

  it('everything that the functions stored is in the list of places', async () => {
    expect(await exercised.unplaced(), 'shared/properties/places says where data of people is').toEqual([]);
  });

  it('no function was refused an action that its entry does not declare', () => {
    expect(exercised.undeclared()).toEqual([]);
  });
});
