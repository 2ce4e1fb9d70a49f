/** A small service with a key, and a user who is signed in there. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noSessions, writePrivate, withSession } from '../../client/cli/session/store.ts';
import { type Received, type Reply, type SmallServer, startServer } from '../client/small-server.ts';
import { callerWith } from './caller.ts';
import { type Ended, inProcess } from './run-cli.ts';

/** A key as `GET /v1/me` shows it. */
export const key = {
  id: '0123abc1',
  name: 'Box office',
  properties: [7],
  expires: '2027-11-29T10:00:00.000Z',
} as const;
/** The key in the list of tokens. */
export const listed = {
  ...key,
  permissions: ['people.write'],
  created: '2026-11-29T10:00:00.000Z',
} as const;
const signIn = { ...callerWith().token, permissions: callerWith().permissions, created: listed.created };

const keyAnswers: Readonly<Record<string, Reply>> = {
  'POST /oauth/token': { body: { access_token: 'secret-key', expires_in: 3600, scope: 'people.write' } },
  'GET /v1/me': { body: callerWith({ permissions: ['people.write'], token: key }) },
  'GET /v1/me/tokens': { body: { tokens: [signIn, listed] } },
  'DELETE /v1/me/tokens/0123abc1': { body: { id: '0123abc1' } },
  'POST /oauth/revoke': { body: {} },
};

/** A service that answers by method and path. */
export const served = (answers: Readonly<Record<string, Reply>> = {}): Promise<SmallServer> =>
  startServer(
    ({ method, url }) =>
      ({ ...keyAnswers, ...answers })[`${method} ${url}`] ?? {
        status: 404,
        body: { code: 'not_found', detail: 'No.' },
      },
  );

/** The bodies of the requests at a path. */
export const bodiesOf = ({ received }: SmallServer, path: string): readonly unknown[] =>
  received.filter(({ url }) => url === path).map(({ body }: Received): unknown => JSON.parse(String(body)));

/** The beginning of a command that makes a key. */
export const createKey = ['token', 'create', 'Box office'];
/** A password through a pipe. */
export const piped = { input: 'hunter2\n' };
/** Users who are signed in, each with a new folder. */
export const usersIn = (newFolder: () => string) => {
  /** The folder of a user who is signed in, and works on property 7. */
  const signedIn = async (
    baseUrl: string,
    clientId: { readonly clientId?: string } = { clientId: 'hall' },
  ) => {
    const folder = newFolder();
    const session = { username: 'ada', ...clientId, token: 't-ada', expires: key.expires, property: 7 };
    const file = join(folder, 'tidemark/sessions.json');
    await writePrivate(file, withSession(noSessions, baseUrl, session, true));
    return { home: { folder }, sessions: () => readFile(file, 'utf8') };
  };
  /** Runs a command of a user who is signed in. */
  const inHome = async (server: SmallServer, args: readonly string[]): Promise<Ended> =>
    inProcess((await signedIn(server.url)).home, args, piped);
  return { signedIn, inHome };
};
