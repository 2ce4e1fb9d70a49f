import { expect, it } from 'vitest';
import { routes } from '../../functions/edge/routes.ts';
import { docsPage } from '../../shared/http/docs-page.ts';
import { openApiDocument, operationsOf } from '../../shared/http/openapi.ts';

const document = openApiDocument(routes, 'https://api.example.test');

/** What a pointer of the document leads to. */
const follow = (pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (at, key) =>
        typeof at === 'object' && at !== null
          ? Object.entries(at).find(([name]) => name === key)?.[1]
          : undefined,
      document,
    );

it('the OpenAPI document refers only to what it holds', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to);
  expect(new Set(references).size).toBeGreaterThan(1);
  expect(references.filter((to) => follow(to) === undefined)).toEqual([]);
  expect(JSON.stringify(document)).not.toContain('$defs');
});

it('a body that holds itself, as definitions of segments do, is described by name', () => {
  expect(follow('#/components/schemas/createSegment.body.0')).toBeDefined();
  expect(docsPage(operationsOf(routes), 'https://api.example.test')).toContain('nested: see OpenAPI');
});
