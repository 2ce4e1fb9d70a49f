/** OpenAPI document: describes the API from the manifest and its schemas, for clients, for `/docs` and for tests. */
import { permissions } from '../../../shared/http/permissions.ts';
import type { HttpTrigger } from '../../entry.ts';
import type { Route } from '../routes.ts';
import { closeOnlyBodies } from './closing.ts';
import { codeLists } from './code-models.ts';
import { sayDefaults } from './defaults.ts';
import { codesOf } from './codes.ts';
import { withExample, type Examples } from './examples.ts';
import { intro } from './intro.ts';
import { converterOf, type Converter } from './json-schema.ts';
import { objectFrom, type Json } from './json.ts';
import { named } from './models.ts';
import { idempotencyKey, pathParametersOf, queryParametersOf, sharedParameters } from './parameters.ts';
import { errorModels, responsesOf, sharedHeaders, sharedResponses } from './responses.ts';
import { webhookObjects } from './webhooks.ts';
import { tagObjects, tagOf } from './tags.ts';

/** The scopes of a token, in Markdown. */
const scopeList = Object.entries(permissions)
  .map(([name, sentence]) => `- \`${name}\`: ${sentence}`)
  .join('\n');

/** The address in the file. A running service puts its own in place of it. */
const exampleUrl = 'https://tidemark.example';

/** The OpenAPI 3.1 document of the routes, with an example of each operation. */
export const openApiDocument = (routes: readonly Route[], examples: Examples): Json => {
  const converter = converterOf(named);
  const paths: Record<string, Json> = {};
  for (const route of inOrder(routes)) {
    const [path = ''] = route.paths;
    const operation = withExample(operationOf(route, converter), examples.get(route.name));
    paths[path] = { ...paths[path], [route.trigger.method.toLowerCase()]: operation };
  }
  return closeOnlyBodies({
    openapi: '3.1.0',
    info: {
      title: 'Tidemark',
      version: '1',
      description: intro,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: exampleUrl }],
    security: [{ token: [] }],
    tags: tagObjects,
    paths,
    webhooks: webhookObjects(converter),
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: `The access token of \`POST /oauth/token\`. Each operation names the scope that it needs.\n\n${scopeList}`,
          'x-scopes': permissions,
        },
      },
      parameters: sharedParameters(),
      headers: sharedHeaders,
      responses: sharedResponses(),
      schemas: { ...errorModels, ...sayDefaultsOf(converter.named()), ...codeLists },
    },
  });
};

const sayDefaultsOf = (models: Readonly<Record<string, Json>>): Json =>
  objectFrom(Object.entries(models).map(([name, model]) => [name, sayDefaults(model)]));

/** The routes by tag, path and method, so that the order of the manifest's modules has no effect. */
const inOrder = (routes: readonly Route[]): readonly Route[] =>
  [...routes]
    .map((route) => ({ route, place: placeOf(route) }))
    .sort((one, other) => (one.place < other.place ? -1 : 1))
    .map(({ route }) => route);

const placeOf = ({ source, paths: [path = ''], trigger }: Route): string => {
  // A reader signs in first.
  const sorted = path === '/oauth/token' ? '' : path;
  return [tagNames.indexOf(tagOf(source)), sorted, methods.indexOf(trigger.method)].join(' ');
};
const tagNames = tagObjects.map(({ name }) => name);
const methods: readonly string[] = ['GET', 'POST', 'PUT', 'DELETE'];

/** The document as the text of its file. */
export const openApiText = (routes: readonly Route[], examples: Examples): string =>
  `${JSON.stringify(openApiDocument(routes, examples), null, 1)}\n`;

const operationOf = ({ name, summary, source, paths, trigger }: Route, { convert }: Converter): Json => {
  const [path = '', ...aliases] = paths;
  const parameters = [
    ...pathParametersOf(path, trigger.idWords),
    ...(trigger.query ? queryParametersOf(convert(trigger.query)) : []),
    ...(trigger.method === 'POST' && trigger.auth === 'token' ? [idempotencyKey] : []),
  ];
  return {
    operationId: name,
    summary: titleOf(summary),
    description: `${summary}.`,
    tags: [tagOf(source)],
    ...(aliases.length > 0 ? { 'x-also-at': aliases } : {}),
    ...(trigger.internal ? { 'x-internal': true } : {}),
    ...securityOf(trigger),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(trigger.body
      ? { requestBody: { required: true, content: bodyContent(convert(trigger.body), trigger.bodyForms) } }
      : {}),
    responses: responsesOf(trigger, trigger.answer && convert(trigger.answer)),
    'x-error-codes': codesOf(trigger),
  };
};

/** What a request of a route must prove. Linters know scopes in `security` for OAuth 2 alone. */
const securityOf = (trigger: HttpTrigger): Json => {
  if (trigger.auth === 'none') return { security: [] };
  return trigger.permission === null ? {} : { 'x-permission': trigger.permission };
};

/** The title of an operation: its sentence up to the first colon or semicolon. */
const titleOf = (sentence: string): string => sentence.split(/[:;]/)[0] ?? sentence;

const bodyContent = (schema: Json, others: Route['trigger']['bodyForms'] = []): Json => ({
  'application/json': { schema },
  ...Object.fromEntries(others.map(({ mediaType }) => [mediaType, { schema: { type: 'string' } }])),
});
