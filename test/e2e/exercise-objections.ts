import * as v from 'valibot';
import { get, letOthersLead, post, type Exercise, type Harness } from './exercise-scene.ts';

const made = v.pipe(v.string(), v.parseJson(), v.object({ id: v.string() }));

/**
 * Somebody objects to every use, whom the service knows, and somebody whom it does not know. Another request leads the group
 * of people meanwhile. Returns the path of the first objection.
 */
const object = async (harness: Harness): Promise<string> => {
  const path = `/v1/${harness.service.property}`;
  const [known, unknown] = [`object${harness.fresh()}@example.org`, `object${harness.fresh()}@example.org`];
  await post(harness, `${path}/profiles`, { email: known, source: 'shop' });
  await post(harness, `${path}/objections`, { email: unknown, scope: 'storage' });
  await letOthersLead(harness);
  const { text } = await post(harness, `${path}/objections`, { email: known, scope: 'use' });
  const answer = v.safeParse(made, text);
  return `${path}/objections/${answer.success ? answer.output.id : 'none'}`;
};

/** Makes objections, lists a page of several, and ends one. */
export const objectionExercises: Readonly<Record<string, Exercise>> = {
  createObjection: object,
  listObjections: async (harness) => {
    await object(harness);
    await get(harness, `/v1/${harness.service.property}/objections?limit=1`);
  },
  endObjection: async (harness) => {
    const path = await object(harness);
    await letOthersLead(harness);
    await harness.service.call('DELETE', path);
  },
};
