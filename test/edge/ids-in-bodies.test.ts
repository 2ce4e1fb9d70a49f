import * as v from 'valibot';
import { expect, it } from 'vitest';
import { routes } from '../../functions/edge/routes.ts';
import { isObject } from '../../shared/http/json.ts';
import { isGetter } from '../../shared/http/schema-places.ts';
import { idSchema } from '../../shared/http/text.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { identified } from '../support/api-client.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';

/** The places of a schema that take ids, as pointers; `0` stands for each element of a list. */
const idPlaces = (schema: unknown, place = '', above: readonly unknown[] = []): readonly string[] => {
  if (!isObject(schema) || above.includes(schema)) return [];
  if (schema === idSchema) return [place];
  const { entries, item, value, wrapped, pipe, options, getter } = schema;
  const within = (inner: unknown, key = '') => idPlaces(inner, `${place}${key}`, [...above, schema]);
  const listOf = (inner: unknown): readonly unknown[] => (Array.isArray(inner) ? inner : []);
  const places = [
    ...Object.entries(isObject(entries) ? entries : {}).flatMap(([key, inner]) => within(inner, `/${key}`)),
    ...within(item, '/0'),
    ...within(value, '/0'),
    ...[wrapped, ...listOf(pipe), ...listOf(options)].flatMap((inner) => within(inner)),
    ...(isGetter(getter) ? within(getter(undefined)) : []),
  ];
  return [...new Set(places)];
};

/** The token route refuses properties in the form of RFC 6749 (`test/auth`). */
const found = routes
  .filter(({ trigger }) => trigger.auth === 'token')
  .map(({ name, trigger }) => ({ name, trigger, places: idPlaces(trigger.body) }))
  .filter(({ places }) => places.length > 0);

const segmentOf = (id: number) => ({ name: 'People', definition: id });
const collectionOf = (id: number) => ({ name: 'List', segments: [id] });

/** A body with an id at each place, by the name of the route. */
const bodies: Readonly<Record<string, Readonly<Record<string, (id: number) => object>>>> = {
  createSegment: { '/definition': segmentOf },
  replaceSegment: { '/definition': segmentOf },
  previewSegment: { '/definition': (definition) => ({ definition }) },
  createCollection: { '/segments/0': collectionOf },
  replaceCollection: { '/segments/0': collectionOf },
  createExport: {
    '/segment/0': (id) => ({ segment: [id] }),
    '/collection/0': (id) => ({ collection: [id] }),
    '/destination_of': (destination_of) => ({ segment: [1], destination_of }),
  },
  replaceExport: {
    '/segment/0': (id) => ({ segment: [id] }),
    '/collection/0': (id) => ({ collection: [id] }),
  },
  createErasure: { '/segment': (segment) => ({ segment, profiles: 1 }) },
  createTimeline: { '/reference_tile': (id) => ({ name: 'Tracked', comments: '', reference_tile: id }) },
  importData: {
    '/import_job': (id) => ({ name: 'One', import_job: id, skip_appends: false, records: [{}] }),
  },
  inspectImport: { '/upload/job_id': (id) => ({ upload: { job_id: id } }) },
};

let service: Service;
/** The things that a PUT replaces, by the parameter of the path. */
let own: Readonly<Record<string, string | number>>;
shared.beforeAll(async ({ service: started }) => {
  service = started;
  const create = async (
    path: string,
    body: object,
    schema: v.GenericSchema<unknown, { id: string | number }>,
  ) => (await service.client.post(`/v1/${service.property}/${path}`, body, schema)).id;
  const everyone = `/v1/${service.property}/segments?name=everyone`;
  const [{ id: of }] = await service.client.get(everyone, v.tuple([identified]));
  own = {
    segment_id: await create('segments', segmentOf(of), identified),
    collection_id: await create('collections', collectionOf(of), identified),
    export_id: await create('exports', { segment: [of] }, v.looseObject({ id: v.string() })),
  };
});

const problem = v.looseObject({
  status: v.number(),
  errors: v.optional(v.array(v.looseObject({ pointer: v.string(), code: v.string() }))),
});

it('each route whose body has ids has a body for each of them here', () => {
  const places = Object.entries(bodies).map(([name, byPlace]) => [name, Object.keys(byPlace)]);
  expect(Object.fromEntries(places)).toEqual(
    Object.fromEntries(found.map(({ name, places: ofRoute }) => [name, ofRoute])),
  );
});

it.each(found)('$name answers 422 to an id that its body may not name, and says where', async (route) => {
  const path = route.trigger.path
    .replace('{property_id}', String(service.property))
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => String(own[name]));
  const other = service.cloud.endpoints.other?.property_id ?? 0;
  // Ids of nothing, and the first of another property.
  for (const id of [7, scopedId(service.property, 999_999), scopedId(other, 1)])
    for (const place of route.places) {
      const body = JSON.stringify(bodies[route.name]?.[place]?.(id));
      const { text } = await service.call(route.trigger.method, path, { body });
      const { status, errors } = v.parse(problem, JSON.parse(text));
      expect({ id, status, errors: errors?.map(({ pointer, code }) => `${pointer} ${code}`) }).toEqual({
        id,
        status: 422,
        errors: [`${place} unknown_reference`],
      });
    }
});
