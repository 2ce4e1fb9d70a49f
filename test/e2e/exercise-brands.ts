import * as v from 'valibot';
import { sendBrandFile } from '../../shared/brands/send-file.ts';
import { operate } from '../support/operate.ts';
import { until } from '../support/until.ts';
import { post, type Exercise, type Harness } from './exercise-scene.ts';

type Ask = (command: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;

const asking =
  ({ service }: Harness): Ask =>
  async (command) =>
    v.parse(v.looseObject({}), await operate(service, command));

/** Advances the catalogue that is on its way until it is in its place. */
const untilInPlace = (harness: Harness, ask: Ask): Promise<true> =>
  until('no catalogue on its way', async () => {
    const { next } = await ask({ command: 'brands.show' });
    if (next === 'none') return true;
    await harness.service.cloud.fireSchedule('tidemark-local-advanceBrands').catch(() => undefined);
    return undefined;
  });

/** The operator loads a catalogue when no load is in progress, and reads the progress. */
export const loadBrands: Exercise = async (harness) => {
  const ask = asking(harness);
  await untilInPlace(harness, ask);
  await sendBrandFile(ask, Buffer.from(`page_id,brand,category\nloaded ${harness.fresh()},Brand,Category\n`));
  await ask({ command: 'brands.show' });
};

/** Loads a catalogue that affects stored likes. */
export const advanceBrands: Exercise = async (harness) => {
  const page = `page ${harness.fresh()}`;
  const sent = { email: `l${harness.fresh()}@example.org`, social_likes: [{ id: page }] };
  await post(harness, `/v1/${harness.service.property}/profiles`, sent);
  const ask = asking(harness);
  await untilInPlace(harness, ask);
  await sendBrandFile(
    ask,
    Buffer.from(`page_id,brand,category\n${page},Brand,Category ${harness.fresh()}\n`),
  );
  await untilInPlace(harness, ask);
};
