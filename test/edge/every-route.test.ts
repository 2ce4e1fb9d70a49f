import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FunctionEntry } from '../../functions/entry.ts';
import { manifest } from '../../functions/manifest.ts';
import type { HttpHandler } from '../../shared/edge/http-handler.ts';
import { apiEvent } from '../support/api-event.ts';
import { problemOf } from '../support/answers.ts';
import { handlerSource, howToWriteHandler, wrapperOf } from '../support/handler-source.ts';

const routes = Object.entries(manifest).flatMap(([name, entry]) =>
  entry.trigger.kind === 'http' ? [{ name, entry, trigger: entry.trigger }] : [],
);
const guarded = routes.filter(({ trigger }) => trigger.auth === 'token');
const open = routes.filter(({ trigger }) => trigger.auth === 'none');

const handlerModule = v.object({
  handler: v.custom<HttpHandler>((handler) => typeof handler === 'function'),
});
const handlerOf = async (name: string, entry: FunctionEntry): Promise<HttpHandler> => {
  handlerSource(name, entry);
  const file = new URL(`../../functions/${entry.source}.ts`, import.meta.url);
  const loaded: unknown = await import(/* @vite-ignore */ file.href);
  return v.parse(handlerModule, loaded).handler;
};

beforeAll(() => {
  vi.stubEnv('TABLE_NAME', 'none');
  vi.stubEnv('CREDENTIALS_TABLE_NAME', 'none');
  vi.stubEnv('RATES_TABLE_NAME', 'none');
  vi.stubEnv('AUDIT_LOG_TABLE_NAME', 'none');
  vi.stubEnv('ACCOUNT_REQUESTS_PER_SECOND', '1');
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  // No read may happen for these requests; the table would refuse it here.
  vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:9');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'none');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'none');
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('a request without a token', () => {
  it.each(guarded)(
    '$name answers 401 to a request without a token, whatever the request holds',
    async ({ name, entry, trigger }) => {
      const handler = await handlerOf(name, entry);
      const ids = { import_id: '1', export_id: '1', job_id: '1', segment_id: '1', timeline_id: '1' };
      const parameters = { property_id: '1001', ...ids };
      for (const more of [{}, { query: 'x&x', body: '{', headers: { 'content-type': 'text/plain' } }]) {
        const answer = await handler(apiEvent({ method: trigger.method, parameters, ...more }));
        expect(problemOf(answer)).toMatchObject({ status: 401, code: 'unauthorized' });
        expect(answer.headers['www-authenticate']).toBe('Bearer');
      }
    },
  );

  it('only the listed routes answer without a token', () => {
    const known = [
      'confirmAddress',
      'download',
      'getConsoleFile',
      'getTryFile',
      'health',
      'issueToken',
      'notFound',
      'openApi',
      'openApiDocument',
      'revokeToken',
      'showConfirmation',
      'showConsole',
      'showLinkedChart',
      'tryOperations',
    ];
    const unknown = open.filter(({ name }) => !known.includes(name));
    const advice = unknown.map(
      ({ name }) =>
        `${name} answers without a token. Set \`auth: 'token'\` in its entry, or add '${name}' to \`known\` here`,
    );
    expect(advice).toEqual([]);
    expect(open.map(({ name }) => name).sort()).toEqual(known);
  });
});

it.each(routes)('$name goes through the shared API handler', ({ name, entry }) => {
  const wrapped = new RegExp(`export const handler = ${wrapperOf(entry)}\\(\\s*entries\\.${name},`);
  expect(wrapped.test(handlerSource(name, entry)), howToWriteHandler(name, entry)).toBe(true);
});

it('every route with a token belongs to a property, unless it is about the caller', () => {
  const others = guarded.filter(({ trigger }) => !trigger.path.includes('{property_id}'));
  const advice =
    'Put {property_id} into the path of each route with a token, so that apiHandler checks the tenant';
  expect(
    others.map(({ name }) => name),
    advice,
  ).toEqual(['getCaller', 'listTokens', 'deleteToken']);
});
