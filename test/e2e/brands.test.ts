import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendBrandFile, shippedBrands } from '../../shared/brands/send-file.ts';
import { operate } from '../support/operate.ts';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const segmentsSchema = v.array(v.object({ id: v.number(), name: v.string(), type: v.string() }));
const shownSchema = v.looseObject({ current: v.string(), next: v.string() });
const PAGE = '102400000000006';

/** Milliseconds: a version waits for earlier writes twice, for 36 s each, before it takes effect on one machine. */
const PATIENCE = 180_000;

describe('the brand catalogue', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  }, 120_000);
  afterAll(() => service[Symbol.asyncDispose]());

  const tree = async () => {
    const path = `/v1/${service.property}/profile_segments?email=fan%40example.org`;
    return v.parse(v.looseObject({ Brands: v.unknown() }), JSON.parse((await service.call('GET', path)).text))
      .Brands;
  };
  const named = (name: string) =>
    service.client.get(`/v1/${service.property}/segments?name=${encodeURIComponent(name)}`, segmentsSchema);
  const leaf = (segments: readonly string[]) => ({ count: segments.length, segments, subcategories: {} });

  it('the catalogue of the project names the liked brands, from the first profile on', async () => {
    const { client, property } = service;
    const sent = { email: 'fan@example.org', social_likes: [{ id: PAGE }, { id: 'page-nobody-knows' }] };
    await client.post(`/v1/${property}/profiles`, sent, v.unknown());
    expect(await tree()).toEqual({
      count: 4,
      segments: [],
      subcategories: {
        Sports: {
          count: 3,
          segments: ['Sports'],
          subcategories: { Football: leaf(['Harbour Rovers', 'Sports > Football']) },
        },
        Uncategorised: leaf(['page-nobody-knows']),
      },
    });
  });

  it(
    'the operator loads a new catalogue: brands get other names and places, and keep their ids',
    async () => {
      const [rovers] = await named('Harbour Rovers');
      const [unknown] = await named('page-nobody-knows');
      const text = (await shippedBrands()).toString('utf8');
      const changed = text.replace('Harbour Rovers,Sports > Football', 'Rovers United,Sports > Football');
      const ask = async (command: Readonly<Record<string, unknown>>) =>
        v.parse(v.looseObject({ ok: v.literal(true) }), await operate(service, command));
      const file = Buffer.from(`${changed}page-nobody-knows,Somebody,Media > Radio\n`);
      expect(await sendBrandFile(ask, file)).toMatchObject({ ok: true });
      await until(
        'the second version',
        async () => {
          await service.cloud.fireSchedule('tidemark-local-advanceBrands');
          const { current, next } = v.parse(shownSchema, await operate(service, { command: 'brands.show' }));
          return current.startsWith('version 2') && next === 'none' ? true : undefined;
        },
        PATIENCE,
      );
      await until('its names', async () => ((await named('Rovers United')).length > 0 ? true : undefined));
      expect(await named('Rovers United')).toEqual([{ ...rovers, name: 'Rovers United' }]);
      expect(await named('Somebody')).toEqual([{ ...unknown, name: 'Somebody' }]);
      expect(await named('Harbour Rovers')).toEqual([]);
      expect(await tree()).toMatchObject({
        count: 6,
        subcategories: { Media: { subcategories: { Radio: leaf(['Media > Radio', 'Somebody']) } } },
      });
      const [radio] = await named('Media > Radio');
      const members = v.object({ count: v.number() });
      expect(await service.client.get(`/v1/${service.property}/segments/${radio?.id}`, members)).toEqual({
        count: 1,
      });
    },
    PATIENCE,
  );

  it('the service refuses another load while a load is in progress', async () => {
    const file = Buffer.from('page_id,brand,category\n1,A,B\n');
    const answers: unknown[] = [];
    const ask = async (command: Readonly<Record<string, unknown>>) => {
      const answer = v.parse(v.looseObject({}), await operate(service, command));
      answers.push(answer);
      return answer;
    };
    await sendBrandFile(ask, file);
    await sendBrandFile(ask, file);
    expect(answers.at(-1)).toMatchObject({ ok: false, error: { code: 'load_under_way' } });
  });
});
