import * as v from 'valibot';
import { sendBrandFile } from '../../shared/brands/send-file.ts';
import { operate } from '../support/operate.ts';
import { until } from '../support/until.ts';
import { post, type Exercise } from './exercise-scene.ts';

/** The operator loads a catalogue when no load is in progress, and reads the progress. */
export const loadBrands: Exercise = async (harness) => {
  const ask = async (command: Readonly<Record<string, unknown>>) =>
    v.parse(v.looseObject({}), await operate(harness.service, command));
  await until('no catalogue on its way', async () => {
    const { next } = await ask({ command: 'brands.show' });
    if (next === 'none') return true;
    await harness.service.cloud.fireSchedule('tidemark-local-advanceBrands').catch(() => undefined);
    return undefined;
  });
  await sendBrandFile(ask, Buffer.from(`page_id,brand,category\nloaded ${harness.fresh()},Brand,Category\n`));
  await ask({ command: 'brands.show' });
};

/** Loads a catalogue that affects stored likes. The load takes long, and each of its steps may fail. */
export const advanceBrands: Exercise = async (harness) => {
  const { service, fresh } = harness;
  const { cloud, property } = service;
  const page = `page ${fresh()}`;
  const sent = { email: `l${fresh()}@example.org`, social_likes: [{ id: page }] };
  await post(harness, `/v1/${property}/profiles`, sent);
  const catalogue = `page_id,brand,category\n${page},Brand,Category ${fresh()}\n`;
  const ask = async (command: Readonly<Record<string, unknown>>) =>
    v.parse(v.looseObject({}), await operate(service, command));
  await until('a refusal on the way to its place', async () => {
    // A load that is already in progress serves as well.
    const { next } = await ask({ command: 'brands.show' });
    if (next === 'none') await sendBrandFile(ask, Buffer.from(catalogue));
    await cloud.fireSchedule('tidemark-local-advanceBrands').catch(() => undefined);
    return cloud.gateway.denials.list().length > 0 ? true : undefined;
  });
};
