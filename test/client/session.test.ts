import { describe, expect, test } from 'vitest';
import { Tidemark, type Token } from '../../client/src/index.ts';
import { Session } from '../../client/src/session.ts';
import { clientOf, startServer, type Received, type SmallServer } from './small-server.ts';

const credentials = { clientId: 'c', username: 'ada', password: 'p' };

/** A service whose tokens are numbered. It refuses the tokens that `isValid` refuses. */
const service = (isValid: (token: string) => boolean = () => true): Promise<SmallServer> => {
  let issued = 0;
  return startServer(({ url, headers }) => {
    if (url === '/oauth/token') {
      issued += 1;
      return { body: { access_token: `token-${issued}`, expires_in: 3600 } };
    }
    const [, token = ''] = headers.authorization?.split(' ') ?? [];
    return isValid(token)
      ? { body: { id: 1 } }
      : { status: 401, body: { code: 'unauthorized', detail: 'The token is not valid.' } };
  });
};

const signIns = ({ received }: SmallServer): readonly Received[] =>
  received.filter(({ url }) => url === '/oauth/token');

describe('the token of a client', () => {
  test('is obtained once, by the first call that needs it', async () => {
    await using server = await service();
    const { tidemark } = clientOf(server, { token: undefined, ...credentials });
    expect(server.received).toEqual([]);
    await Promise.all([tidemark.getCaller(), tidemark.getCaller(), tidemark.listExports()]);
    expect(signIns(server)).toHaveLength(1);
    expect(JSON.parse(String(signIns(server)[0]?.body))).toEqual({
      grant_type: 'password',
      client_id: 'c',
      username: 'ada',
      password: 'p',
    });
    expect(server.received.at(-1)?.headers.authorization).toBe('Bearer token-1');
  });

  test('is obtained by signIn, and given to onToken with the time when it expires', async () => {
    await using server = await service();
    const seen: Token[] = [];
    const tidemark = await Tidemark.signIn({
      baseUrl: `${server.url}/`,
      ...credentials,
      onToken: (token) => seen.push(token),
      ports: { now: () => 5_000 },
    });
    expect(seen).toEqual([{ accessToken: 'token-1', expiresAt: 3_605_000 }]);
    expect(await tidemark.token()).toBe('token-1');
  });

  test('is renewed a minute before it expires', async () => {
    await using server = await service();
    let now = 0;
    const { tidemark } = clientOf(server, { token: undefined, ...credentials, ports: { now: () => now } });
    await tidemark.getCaller();
    now = 3_539_999;
    await tidemark.getCaller();
    expect(signIns(server)).toHaveLength(1);
    now = 3_540_000;
    await tidemark.getCaller();
    expect(server.received.at(-1)?.headers.authorization).toBe('Bearer token-2');
  });

  test('is as narrow when it is renewed as it was', async () => {
    await using server = await service();
    let now = 0;
    const narrow = { scope: ['people.write', 'definitions.read'], propertyIds: [7] } as const;
    const { tidemark } = clientOf(server, {
      ...{ token: undefined, ...credentials, ...narrow },
      ports: { now: () => now },
    });
    await tidemark.getCaller();
    now = 3_540_000;
    await tidemark.forProperty(8).getCaller();
    const asked = signIns(server).map(({ body }): unknown => JSON.parse(String(body)));
    const expected = { scope: 'people.write definitions.read', property_ids: [7] };
    expect(asked).toEqual([expect.objectContaining(expected), expect.objectContaining(expected)]);
  });

  test('is renewed once for all calls whose token the service refuses', async () => {
    await using server = await service((token) => token !== 'given');
    const { tidemark } = clientOf(server, credentials);
    await Promise.all([tidemark.getCaller(), tidemark.getCaller(), tidemark.getCaller()]);
    expect(signIns(server)).toHaveLength(1);
  });

  test('is not renewed for a call that hears of the refusal after the renewal', async () => {
    let issued = 0;
    const signIn = (): Promise<Token> => {
      issued += 1;
      return Promise.resolve({ accessToken: `token-${issued}`, expiresAt: undefined });
    };
    const session = new Session({ accessToken: 'given', expiresAt: undefined }, signIn, Date.now);
    expect(await session.tokenAfter('given')).toBe('token-1');
    expect(await session.tokenAfter('given')).toBe('token-1');
    expect(await session.tokenAfter('token-1')).toBe('token-2');
  });

  test('is not renewed again when the service refuses the new token as well', async () => {
    await using server = await service(() => false);
    const { tidemark } = clientOf(server, credentials);
    await expect(tidemark.getCaller()).rejects.toMatchObject({ status: 401 });
    expect(server.received).toHaveLength(3);
  });

  test('is not renewed without credentials', async () => {
    await using server = await service(() => false);
    await expect(clientOf(server).tidemark.getCaller()).rejects.toMatchObject({ status: 401 });
    expect(server.received).toHaveLength(1);
  });

  test('is shared by the clients of other properties', async () => {
    await using server = await service();
    const { tidemark } = clientOf(server, { token: undefined, ...credentials });
    const other = tidemark.forProperty(8);
    await Promise.all([
      tidemark.getImport({ path: { import_id: 1 } }),
      other.getImport({ path: { import_id: 1 } }),
    ]);
    expect(signIns(server)).toHaveLength(1);
    expect(server.received.map(({ url }) => url).toSorted()).toEqual([
      '/oauth/token',
      '/v1/7/imports/1',
      '/v1/8/imports/1',
    ]);
  });

  test('is asked for again after a broken connection', async () => {
    await using server = await startServer((_, before) =>
      before === 0 ? 'break' : { body: { access_token: 'late', expires_in: 3600 } },
    );
    const { tidemark } = clientOf(server, { token: undefined, ...credentials });
    expect(await tidemark.token()).toBe('late');
  });

  test('is renewed within a wait that outlives it', async () => {
    let now = 0;
    let issued = 0;
    await using server = await startServer(({ url, headers }) => {
      if (url === '/oauth/token') {
        issued += 1;
        return { body: { access_token: `token-${issued}`, expires_in: 3600 } };
      }
      if (headers.authorization !== `Bearer token-${issued}`) return { status: 401, body: {} };
      const finished = issued < 3 ? null : '2026-11-23T09:00:00Z';
      return { body: { finished, counts: { ingested: 1, processing: 1 } } };
    });
    // Each pause is a laptop's sleep of an hour.
    const sleep = (): Promise<void> => {
      now += 3_600_000;
      return Promise.resolve();
    };
    const { tidemark } = clientOf(server, {
      token: undefined,
      ...credentials,
      ports: { now: () => now, sleep },
    });
    const job = await tidemark.waitForImport({ importId: 3, jobId: 4 });
    expect(job.finished).toBe('2026-11-23T09:00:00Z');
    expect(server.received.map(({ url }) => url)).toEqual(
      [1, 2, 3].flatMap(() => ['/oauth/token', '/v1/7/imports/3/jobs/4']),
    );
  });

  test('is not waited for by a caller who aborts, and others get it', async () => {
    const { promise, resolve } = Promise.withResolvers<Token>();
    const session = new Session(undefined, () => promise, Date.now);
    const caller = new AbortController();
    const [aborted, other] = [session.token(caller.signal), session.token()];
    caller.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    await expect(session.token(caller.signal)).rejects.toThrow('enough');
    resolve({ accessToken: 'late', expiresAt: undefined });
    expect(await other).toBe('late');
  });

  test('is not asked for when the caller has aborted before', async () => {
    let signIns = 0;
    const signIn = (): Promise<Token> => {
      signIns += 1;
      return Promise.resolve({ accessToken: 'new', expiresAt: undefined });
    };
    const session = new Session(undefined, signIn, Date.now);
    await expect(session.token(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    expect(signIns).toBe(0);
  });

  test('has no retries of a refused sign-in', async () => {
    await using server = await startServer(() => ({ status: 400, body: { error: 'invalid_grant' } }));
    const refused = Tidemark.signIn({ baseUrl: server.url, ...credentials });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(server.received).toHaveLength(1);
  });
});
