import { Agent, request } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { createRouter } from '../../http-api/routes.ts';
import { openHttpApi } from '../../http-api/server.ts';
import type { Outcome } from '../../services/lambda/outcome.ts';
import { ServiceError } from '../../core/service-error.ts';
import { getAs } from '../support/get-as.ts';

const failure = { errorType: 'Error', errorMessage: 'no' };
const ok = (payload: unknown): Promise<Outcome> =>
  Promise.resolve({ ok: true, payload: JSON.stringify(payload) });

/** Held answers that the test releases. */
const waiting: ((outcome: Outcome) => void)[] = [];
let whenHeld: () => void = () => undefined;
const hold = (): Promise<Outcome> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    whenHeld();
  });

/** Resolves after this many requests wait. */
const held = (count: number): Promise<void> =>
  new Promise((resolve) => {
    whenHeld = () => {
      if (waiting.length === count) resolve();
    };
    whenHeld();
  });
const letGo = (): void => {
  for (const resolve of waiting.splice(0)) resolve({ ok: true, payload: '"done"' });
};

/** Functions of the test: by name, each with its answer to an event. */
const functions: Readonly<Record<string, (event: string) => Promise<Outcome>>> = {
  echo: (event) => ok({ statusCode: 200, body: event }),
  fails: () => Promise.resolve({ ok: false, failure }),
  late: () => new Promise(() => undefined),
  held: () => hold(),
  plain: () => ok(['a']),
  nothing: () => ok(null),
  header: () => ok({ statusCode: 200, headers: { 'x-a': 'one\r\ntwo' }, body: '' }),
  status: () => ok({ statusCode: 999 }),
  large: () => Promise.reject(new ServiceError('RequestTooLargeException', 'too large', 413)),
  created: () => ok({ statusCode: '201', headers: { 'X-Number': 5 }, cookies: ['a=1', 'b=2'], body: 'made' }),
  bytes: () =>
    ok({ statusCode: 200, isBase64Encoded: true, body: 'AP8B', headers: { 'content-type': 'x/y' } }),
};

const api = await openHttpApi(0);
const names = ['echo', ...Object.keys(functions)];
const routes = names.map((functionName) => ({
  key: functionName === 'echo' ? 'ANY /echo/{id}' : `ANY /${functionName}`,
  functionName,
  timeoutMs: functionName === 'held' ? 60_000 : 50,
  mostAtOnce: functionName === 'held' ? 2 : Infinity,
  permitted: true,
}));
const closed = {
  key: 'ANY /closed',
  functionName: 'plain',
  timeoutMs: 50,
  mostAtOnce: 1,
  permitted: false,
};
const invoke = (name: string, event: string) => functions[name]?.(event) ?? ok(null);
api.serve({ apiId: 'abc', router: createRouter([...routes, closed]), invoke });
afterAll(() => api.close());

const Event = v.looseObject({ headers: v.record(v.string(), v.string()) });
const echo = async (path: string, init: RequestInit = {}): Promise<v.InferOutput<typeof Event>> => {
  const answer = await fetch(`${api.url}${path}`, init);
  return v.parse(Event, await answer.json());
};

describe('a request', () => {
  it('that names another machine reaches no function: a web page may lead its name to this one', async () => {
    const { port } = new URL(api.url);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
      expect((await getAs(`${api.url}/plain`, host)).status).toBe(200);
    for (const host of [
      `rebound.example:${port}`,
      '127.0.0.1',
      `localhost.example:${port}`,
      `localhost:1${port}`,
    ])
      expect((await getAs(`${api.url}/plain`, host)).status).toBe(421);
  });
});

describe('the event of a request', () => {
  it('is payload format 2.0', async () => {
    const event = await echo('/echo/a%20b?x=1&x=2&y=a+b%2B', {
      method: 'POST',
      headers: [
        ['content-type', 'application/json'],
        ['X-Twice', 'one'],
        ['X-Twice', 'two'],
        ['cookie', 'a=1; b=2'],
      ],
      body: '{"é":1}',
    });
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'ANY /echo/{id}',
      rawPath: '/echo/a%20b',
      rawQueryString: 'x=1&x=2&y=a+b%2B',
      cookies: ['a=1', 'b=2'],
      queryStringParameters: { x: '1,2', y: 'a b+' },
      pathParameters: { id: 'a b' },
      body: '{"é":1}',
      isBase64Encoded: false,
      requestContext: { apiId: 'abc', stage: '$default', http: { method: 'POST', sourceIp: '127.0.0.1' } },
    });
    expect(event.headers['x-twice']).toMatch(/^one, ?two$/);
    expect(event.headers).not.toHaveProperty('cookie');
  });

  it('the event holds a binary body in base64', async () => {
    const event = await echo('/echo/x', { method: 'PUT', body: Buffer.from([0, 255, 1]) });
    expect(event).toMatchObject({ body: 'AP8B', isBase64Encoded: true });
  });

  it('the event holds a text in another charset than UTF-8 in base64', async () => {
    const send = (type: string) =>
      echo('/echo/x', {
        method: 'PUT',
        headers: [['content-type', type]],
        body: Buffer.from('caf\u00e9', 'latin1'),
      });
    for (const charset of ['windows-1252', '"utf-16"'])
      expect(await send(`text/csv; charset=${charset}`)).toMatchObject({
        body: 'Y2Fm6Q==',
        isBase64Encoded: true,
      });
    for (const type of ['text/csv', 'text/csv; charset=UTF-8'])
      expect(await send(type)).toMatchObject({ body: 'caf\ufffd', isBase64Encoded: false });
  });

  it('the event has neither body nor query when the request has none', async () => {
    const event = await echo('/echo/x');
    expect(Object.keys(event)).not.toEqual(expect.arrayContaining(['body']));
    expect(Object.keys(event)).not.toEqual(expect.arrayContaining(['queryStringParameters']));
  });
});

describe('the answer', () => {
  const cases: readonly (readonly [string, number, string])[] = [
    ['/plain', 200, '["a"]'],
    ['/nothing', 200, 'null'],
    ['/fails', 500, '{"message":"Internal Server Error"}'],
    ['/status', 500, '{"message":"Internal Server Error"}'],
    ['/header', 500, '{"message":"Internal Server Error"}'],
    ['/closed', 500, '{"message":"Internal Server Error"}'],
    ['/late', 503, '{"message":"Service Unavailable"}'],
    ['/large', 413, '{"message":"Request Entity Too Large"}'],
    ['/nowhere', 404, '{"message":"Not Found"}'],
  ];
  it.each(cases)('of %s is %d %s', async (path, status, body) => {
    const answer = await fetch(`${api.url}${path}`);
    expect([answer.status, await answer.text()]).toEqual([status, body]);
  });

  it('carries status, headers and cookies', async () => {
    const answer = await fetch(`${api.url}/created`);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-number')).toBe('5');
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(answer.headers.get('apigw-requestid')).not.toBeNull();
  });

  it('is decoded from base64', async () => {
    const answer = await fetch(`${api.url}/bytes`);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from([0, 255, 1]));
  });
});

describe('the limits', () => {
  it('refuse a body over 10 MB', async () => {
    const answer = await fetch(`${api.url}/echo/x`, {
      method: 'POST',
      body: Buffer.alloc(10 * 1024 * 1024 + 1),
    });
    expect([answer.status, await answer.text()]).toEqual([413, '{"message":"Request Entity Too Large"}']);
  });

  it('close the connection of a body over 10 MB, so that no other request is taken for its rest', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = (size: number) =>
      new Promise<{ readonly status?: number | undefined; readonly connection?: string | undefined }>(
        (resolve, reject) => {
          const options = { method: 'POST', agent, headers: { 'content-length': size } };
          const sending = request(`${api.url}/echo/x`, options, (answer) => {
            answer.resume().once('end', () => {
              resolve({ status: answer.statusCode, connection: answer.headers.connection });
            });
          });
          sending.on('error', reject).end(Buffer.alloc(size));
        },
      );
    for (let again = 0; again < 5; again += 1) {
      expect(await send(12 * 1024 * 1024)).toEqual({ status: 413, connection: 'close' });
      expect(await send(10)).toMatchObject({ status: 200 });
    }
    agent.destroy();
  });

  it('refuse headers over 10,240 bytes', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'x-long': 'a'.repeat(11_000) };
      request(`${api.url}/echo/x`, { headers }, (answer) => resolve(answer.statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(431);
  });

  it('let nothing through before the service is up', async () => {
    const early = await openHttpApi(0);
    const answer = await fetch(early.url);
    await early.close();
    expect(answer.status).toBe(503);
  });
});

it('requests over the concurrency of a function are refused at once with Retry-After', async () => {
  const url = `${api.url}/held`;
  for (let round = 0; round < 2; round += 1) {
    const under = [fetch(url), fetch(url)];
    await held(2);
    const refused = await fetch(url);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(await refused.json()).toEqual({ message: 'Too Many Requests' });
    expect((await fetch(`${api.url}/plain`)).status).toBe(200);
    letGo();
    expect((await Promise.all(under)).map(({ status }) => status)).toEqual([200, 200]);
  }
});
