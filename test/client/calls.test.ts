import { describe, expect, test } from 'vitest';
import {
  NotSignedInError,
  Tidemark,
  TidemarkProblem,
  UnexpectedAnswerError,
} from '../../client/src/index.ts';
import { operationTable } from '../../client/src/generated/operation-table.ts';
import { requestOf } from '../../client/src/request.ts';
import type { Call } from '../../client/src/types.ts';
import { clientOf, startServer } from './small-server.ts';

describe('a call of the client', () => {
  test('is the request that the API document describes', async () => {
    await using server = await startServer(() => ({ body: { id: 5 } }));
    const { tidemark } = clientOf(server);
    await tidemark.replaceImport({ path: { import_id: 5 }, body: definition });
    await tidemark.findSegments({ query: { name: 'R & B+', type: undefined } });
    await tidemark.deleteExport({ path: { export_id: '9', property_id: 8 } });
    const [put, get, del] = server.received;
    expect(put).toMatchObject({
      method: 'PUT',
      url: '/v1/7/imports/5',
      headers: { authorization: 'Bearer given', 'content-type': 'application/json' },
    });
    expect(JSON.parse(put?.body.toString() ?? '')).toEqual(definition);
    expect(put?.headers['idempotency-key']).toBeUndefined();
    expect(get?.url).toBe('/v1/7/segments?name=R%20%26%20B%2B');
    expect(del).toMatchObject({ method: 'DELETE', url: '/v1/8/exports/9' });
  });

  test('cannot leave the path of its operation', async () => {
    await using server = await startServer(() => ({ body: {} }));
    const { tidemark } = clientOf(server);
    await tidemark.deleteExport({ path: { export_id: '../../me?x' } });
    expect(server.received[0]?.url).toBe('/v1/7/exports/..%2F..%2Fme%3Fx');
    for (const step of ['.', '..'])
      await expect(tidemark.deleteExport({ path: { export_id: step } })).rejects.toThrow('cannot have');
    expect(server.received).toHaveLength(1);
    await expect(tidemark.deleteExport({ path: { export_id: '' } })).rejects.toThrow('needs export_id');
    await expect(new Tidemark({ baseUrl: server.url }).listExports()).rejects.toThrow('needs property_id');
  });

  test.each(['', '/', '//', '/under/a/path', '/under/a/path/'])(
    'goes to a base address with "%s"',
    async (end) => {
      await using server = await startServer(() => ({ body: { id: 1 } }));
      await clientOf(server, { baseUrl: `${server.url}${end}` }).tidemark.getCaller();
      expect(server.received[0]?.url).toBe(end.startsWith('/under') ? '/under/a/path/v1/me' : '/v1/me');
    },
  );

  test.each([
    '',
    'localhost:8080',
    'file:///etc',
    'https://ada:hunter2@service.example',
    'https://service.example/?a',
  ])('needs a base address, which "%s" is not', (baseUrl) => {
    const make = (): Tidemark => new Tidemark({ baseUrl });
    expect(make).toThrow(TypeError);
    expect(make).not.toThrow('hunter2');
  });

  test('writes lists with commas, leaves out what is undefined or empty, and refuses other values', async () => {
    await using server = await startServer(() => ({ body: {} }));
    const { tidemark } = clientOf(server);
    await tidemark.getProfile({ query: { email: 'a@example.org', include: ['age', 'tags'] } });
    await tidemark.getProfile({ query: { email: undefined, include: [] } });
    expect(server.received.map(({ url }) => url)).toEqual([
      '/v1/7/profile?email=a%40example.org&include=age%2Ctags',
      '/v1/7/profile',
    ]);
    const untyped: Call = { query: { name: new Date(0) } };
    const settings = { baseUrl: server.url, propertyId: 7, headers: {} };
    const make = (): unknown => requestOf(operationTable.findSegments, untyped, settings, () => 'key');
    expect(make).toThrow('The parameter name is no text');
  });

  test('has the headers of the call in place of the headers of the client, in any case of letters', async () => {
    await using server = await startServer(() => ({ body: {} }));
    const { tidemark } = clientOf(server, { headers: { 'User-Agent': 'mine', Accept: 'application/json' } });
    await tidemark.getCaller({ headers: { 'user-agent': 'call' } });
    expect(server.received[0]?.headers).toMatchObject({ 'user-agent': 'call', accept: 'application/json' });
  });

  test('has no token and no capability in the messages of its errors', async () => {
    await using server = await startServer(() => ({ status: 404, body: {} }));
    const { tidemark } = clientOf(server);
    const download = await refusalOf(
      tidemark.download({ path: { capability: 'hunter2', file_name: 'a.csv' } }),
    );
    expect(download.message).toContain('GET /downloads/.../a.csv answered 404');
    const opened = await refusalOf(tidemark.openLocation(`${server.url}/downloads/hunter2/a.csv`));
    expect(opened.message).toContain(`GET ${server.url}/... answered 404`);
    const broken = clientOf(server, { token: 'hunter\n2' }).tidemark.getCaller();
    await expect(broken).rejects.toThrow('The header authorization has characters');
    await expect(broken).rejects.not.toThrow('hunter');
  });

  test('reads no more of an error than a problem needs', async () => {
    const body = { code: 'x', detail: 'x'.repeat(2_000_000) };
    await using server = await startServer(() => ({ status: 404, body }));
    const thrown = await refusalOf(clientOf(server).tidemark.getCaller());
    expect(thrown).toMatchObject({ status: 404, code: 'unrecognized' });
  });

  test('throws the problem of the service with its code, faults and request id', async () => {
    await using server = await startServer(() => ({
      status: 422,
      headers: { 'x-request-id': 'other' },
      body: {
        code: 'invalid',
        detail: 'The body breaks a rule.',
        request_id: 'r-1',
        errors: [{ pointer: '/email', code: 'not_an_email', detail: 'Must be an e-mail address.' }],
      },
    }));
    const thrown = await refusalOf(clientOf(server).tidemark.createProfile({ body: { email: 'x' } }));
    expect(thrown).toMatchObject({
      status: 422,
      code: 'invalid',
      detail: 'The body breaks a rule.',
      requestId: 'r-1',
      message:
        'POST /v1/7/profiles answered 422 invalid: The body breaks a rule. /email: Must be an e-mail address.',
    });
    expect(thrown.errors).toHaveLength(1);
    expect(server.received).toHaveLength(1);
  });

  test('understands the errors of the token route and of a gateway', async () => {
    await using server = await startServer(({ url }) =>
      url === '/oauth/token'
        ? { status: 400, body: { error: 'invalid_grant', error_description: 'Wrong.' } }
        : { status: 404, headers: { 'x-request-id': 'g-1' }, body: { message: 'Not Found' } },
    );
    const { tidemark } = clientOf(server);
    const credentials = { client_id: 'c', username: 'u', password: 'p' };
    const token = tidemark.issueToken({ body: { grant_type: 'password', ...credentials } });
    expect(await refusalOf(token)).toMatchObject({ code: 'invalid_grant', detail: 'Wrong.' });
    expect(await refusalOf(tidemark.getCaller())).toMatchObject({
      status: 404,
      code: 'unrecognized',
      detail: 'Not Found',
      requestId: 'g-1',
    });
  });

  test('does not take the page of a proxy for an answer', async () => {
    await using server = await startServer(() => ({ body: 'Welcome to our hotel' }));
    await expect(clientOf(server).tidemark.getCaller()).rejects.toThrow(UnexpectedAnswerError);
  });

  test('follows a redirect without the token and without its headers', async () => {
    await using store = await startServer(() => ({ body: { errors: [], paging: { next_page: null } } }));
    await using server = await startServer(() => ({ status: 303, headers: { location: `${store.url}/x` } }));
    const { tidemark } = clientOf(server, { headers: { 'x-own': 'secret' } });
    const page = await tidemark.listImportErrors({ path: { import_id: 1, job_id: 2 } });
    expect(page.errors).toEqual([]);
    expect(store.received[0]?.headers).not.toHaveProperty('authorization');
    expect(store.received[0]?.headers).not.toHaveProperty('x-own');
  });

  test('refuses a property that is no whole number, such as that of a variable that is not set', () => {
    const options = { baseUrl: 'https://tidemark.example' };
    for (const propertyId of [NaN, 1.5]) {
      expect(() => new Tidemark({ ...options, propertyId })).toThrow('propertyId is no whole number');
      expect(() => new Tidemark(options).forProperty(propertyId)).toThrow(TypeError);
    }
  });

  test('without token and credentials says so and sends nothing', async () => {
    await using server = await startServer(() => ({ body: {} }));
    const tidemark = new Tidemark({ baseUrl: server.url });
    await expect(tidemark.getCaller()).rejects.toThrow(NotSignedInError);
    expect(server.received).toEqual([]);
  });
});

const definition = {
  name: 'People',
  mapping_fields: {
    required_fields: ['email'],
    field_maps: [{ sources: [{ type: 'source_field', name: 'E-mail' }], target_field: 'email' }],
  },
} as const;

const refusalOf = async (call: PromiseLike<unknown>): Promise<TidemarkProblem> => {
  const thrown: unknown = await Promise.resolve(call).catch((error: unknown) => error);
  if (thrown instanceof TidemarkProblem) return thrown;
  throw new Error('the call was not refused', { cause: thrown });
};
