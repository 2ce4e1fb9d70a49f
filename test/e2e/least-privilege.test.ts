import { describe, expect, it } from 'vitest';
import { manifest } from '../../functions/manifest.ts';
import { eachActionIsNeeded, onEdge } from './least-privilege.ts';
import { provocations } from './exercise.ts';

it('every function has a provocation', () => {
  expect(Object.keys(provocations).toSorted()).toEqual(Object.keys(manifest).toSorted());
});

describe('each action of the manifest is needed', () => {
  eachActionIsNeeded((to) => !onEdge.has(to));
});
