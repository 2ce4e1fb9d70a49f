import { describe, expect, it } from 'vitest';
import type { FunctionEntry } from '../../functions/entry.ts';
import { manifest } from '../../functions/manifest.ts';
import { eachActionIsNeeded, isWriter, onEdge, writers } from './least-privilege.ts';
import { exercises } from './exercise.ts';

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

it('every writer is a function of the manifest', () => {
  expect(writers.filter((name) => manifest[name] === undefined)).toEqual([]);
});

describe('each action of functions that write no people is needed', () => {
  eachActionIsNeeded(({ name, to }) => !onEdge.has(to) && !isWriter(name));
});
