import * as v from 'valibot';
import { get, letOthersLead, post, type Exercise, type Harness } from './exercise-scene.ts';

const newAddress = ({ fresh }: Harness): string => `object${fresh()}@example.org`;

const made = v.pipe(v.string(), v.parseJson(), v.object({ id: v.string() }));

/**
 * Somebody objects to every use, whom the service knows, and somebody whom it does not know. Another request leads the group
 * of people meanwhile. Returns the path of the first objection.
 */
const object = async (harness: Harness, known = newAddress(harness)): Promise<string> => {
  const path = `/v1/${harness.service.property}`;
  const unknown = newAddress(harness);
  await post(harness, `${path}/profiles`, { email: known, source: 'shop' });
  await post(harness, `${path}/objections`, { email: unknown, scope: 'storage' });
  await letOthersLead(harness);
  const { text } = await post(harness, `${path}/objections`, { email: known, scope: 'use' });
  const answer = v.safeParse(made, text);
  return `${path}/objections/${answer.success ? answer.output.id : 'none'}`;
};

/** Makes objections, lists a page of several, and ends one. */
export const objectionExercises: Readonly<Record<string, Exercise>> = {
  createObjection: (harness) => object(harness),
  listObjections: async (harness) => {
    await object(harness);
    await get(harness, `/v1/${harness.service.property}/objections?limit=1`);
  },
  endObjection: async (harness) => {
    const email = newAddress(harness);
    const path = await object(harness, email);
    // A record that is stored without use makes no segment. The end of the objection makes it.
    const tags = [{ datetime: '2026-01-01 00:00:00', tag: [`unused ${harness.fresh()}`] }];
    await post(harness, `/v1/${harness.service.property}/profiles`, { email, tags });
    await letOthersLead(harness);
    await harness.service.call('DELETE', path);
  },
};
