import { createContext, Script } from 'node:vm';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import openapi from '../../openapi.json' with { type: 'json' };
import { script } from '../../functions/edge/try-page/page.ts';

const options = v.looseObject({
  persistAuthorization: v.boolean(),
  validatorUrl: v.null(),
  spec: v.looseObject({
    servers: v.array(v.unknown()),
    paths: v.record(
      v.string(),
      v.record(v.string(), v.looseObject({ responses: v.record(v.string(), v.unknown()) })),
    ),
    components: v.looseObject({ parameters: v.looseObject({ property_id: v.unknown() }) }),
  }),
});

/** What the script hands to Swagger UI in a browser that keeps a property. */
const givenBy = (property: string | null): Promise<v.InferOutput<typeof options>> =>
  new Promise((resolve, reject) => {
    const browser = {
      matchMedia: () => ({ matches: true, addEventListener: () => undefined }),
      document: {
        documentElement: { classList: { toggle: () => true } },
        getElementById: () => ({
          set textContent(text: string) {
            reject(new Error(text));
          },
        }),
      },
      localStorage: { getItem: () => property },
      location: { origin: 'http://localhost:8080' },
      fetch: () => Promise.resolve(Response.json(openapi)),
      SwaggerUIBundle: (given: unknown) => {
        resolve(v.parse(options, JSON.parse(JSON.stringify(given))));
      },
      addEventListener: (_: string, listener: () => void) => {
        listener();
      },
    };
    new Script(script).runInContext(createContext(browser));
  });

it('the script gives Swagger UI the document with this host, and keeps no token', async () => {
  const { spec, persistAuthorization } = await givenBy(null);
  expect(persistAuthorization).toBe(false);
  expect(spec.servers).toEqual([{ url: 'http://localhost:8080' }]);
  expect(Object.keys(spec.paths)).toEqual(Object.keys(openapi.paths));
  const statuses = Object.values(spec.paths).flatMap((path) =>
    Object.values(path).flatMap(({ responses }) => Object.keys(responses)),
  );
  expect(new Set(statuses)).toEqual(new Set(['200', '201', '202', '303']));
});

it('the form has the property that the reader gave to the reference page', async () => {
  const parameter = async (kept: string | null) =>
    (await givenBy(kept)).spec.components.parameters.property_id;
  expect(await parameter('1001')).toMatchObject({ example: 1001 });
  expect(await parameter('the shop')).not.toHaveProperty('example');
});
