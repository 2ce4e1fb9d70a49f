import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import { openApiText } from '../../functions/edge/openapi/document.ts';
import { readExamples } from '../../functions/edge/openapi/examples.ts';
import { routes } from '../../functions/edge/routes.ts';

/** A download only leads to the file: its success is a redirect. */
const known = ['operation-2xx-response #/paths/~1downloads~1{capability}~1{file_name}/get/responses'];

it('the linter of Redocly finds no fault in openapi.json, its examples included', async () => {
  const found = await lintFromString({
    source: openApiText(routes, readExamples()),
    // The calls to webhooks are no operations of a client, so they have no names.
    config: await createConfig({ extends: ['recommended'], rules: { 'operation-operationId': 'off' } }),
  });
  expect(found.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)).toEqual(known);
});
