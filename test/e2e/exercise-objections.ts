import * as v from 'valibot';
import type { Exercise, Harness } from './exercise-scene.ts';
import { get, post } from './exercise-scene.ts';

const made = v.object({ id: v.string() });

/** Somebody objects to every use, whom the service knows, and somebody whom it does not know. */
const object = async (harness: Harness): Promise<string> => {
  const path = `/v1/${harness.service.property}`;
  const [known, unknown] = [`object${harness.fresh()}@example.org`, `object${harness.fresh()}@example.org`];
  await post(harness, `${path}/profiles`, { email: known, source: 'shop' });
  await post(harness, `${path}/objections`, { email: unknown, scope: 'storage' });
  const answer = await post(harness, `${path}/objections`, { email: known, scope: 'use' });
  return v.parse(made, JSON.parse(answer.text)).id;
};

/** Makes objections, lists them and ends one. */
export const objectionExercises: Readonly<Record<string, Exercise>> = {
  createObjection: async (harness) => {
    await object(harness);
  },
  listObjections: (harness) => get(harness, `/v1/${harness.service.property}/objections?limit=1`),
  endObjection: async (harness) => {
    const id = await object(harness);
    await harness.service.call('DELETE', `/v1/${harness.service.property}/objections/${id}`);
  },
};
