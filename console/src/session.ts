/** The session of the reader: a token that lives as long as the tab, and the client of the API that sends it. */
import { TidemarkProblem } from '../../client/src/problem.ts';
import { Tidemark } from '../../client/src/tidemark.ts';
import type { Answer } from '../../client/src/types.ts';
import { forgetKept } from './kept.ts';

/** Who the reader is, and what the token may do: the answer of `GET /v1/me`. */
export type Caller = Answer<'getCaller'>;

/** A session: the client of the API for one property, and whose it is. */
export interface Session {
  readonly api: Tidemark;
  readonly caller: Caller;
  readonly property: Caller['properties'][number];
}

/** What the sign-in asks for. */
export interface SignIn {
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
}

/** A working day. The token of a tab that nobody closed is worth nothing on the next one. */
const SESSION_SECONDS = 8 * 3_600;

const TOKEN = 'tidemark.token';
const PROPERTY = 'tidemark.property';
const USER = 'tidemark.user';
const CLIENT = 'tidemark.client';

/** The name of the event that tells the page that the service refused its token. */
export const SESSION_ENDED = 'tidemark-session-ended';

/** Whether a call failed because the session has ended. */
export const isEnded = (error: unknown): boolean => error instanceof TidemarkProblem && error.status === 401;

/** `fetch` that tells the page when the service refuses its token. A late answer to an earlier token is of no session. */
const watched =
  (token: string): typeof fetch =>
  async (input, init) => {
    const answer = await fetch(input, init);
    if (answer.status === 401 && sessionStorage.getItem(TOKEN) === token)
      dispatchEvent(new Event(SESSION_ENDED));
    return answer;
  };

/** Retries are few: a reader who waits looks for a sentence, not for a spinner. */
const patience = { retries: 2, longestWaitMs: 5_000, timeoutMs: 35_000 };

const clientOf = (token?: string): Tidemark =>
  new Tidemark({
    baseUrl: location.origin,
    token,
    ...patience,
    ...(token === undefined ? {} : { ports: { fetch: watched(token) } }),
  });

/** The client id of the last sign-in on this machine. */
export const rememberedClient = (): string => localStorage.getItem(CLIENT) ?? '';

/** The session of a property. The choice is kept for the tab. */
export const chooseProperty = (
  { api, caller }: Pick<Session, 'api' | 'caller'>,
  property: Session['property'],
): Session => {
  sessionStorage.setItem(PROPERTY, String(property.id));
  return { api: api.forProperty(property.id), caller, property };
};

/** A user without a property has nothing to look at. */
export class NoPropertyError extends Error {
  override readonly name = 'NoPropertyError';
}

/** Keeps what the tab has for the user who was here last. Another user begins anew, and not at a person of the last one. */
const begin = (user: string): void => {
  const last = sessionStorage.getItem(USER);
  if (last !== null && last !== user) {
    forget();
    location.replace('#/');
  }
  sessionStorage.setItem(USER, user);
};

const sessionOf = async (token: string): Promise<Session> => {
  const api = clientOf(token);
  const caller = await api.getCaller();
  const [first] = caller.properties;
  // Before anything is forgotten: a sign-in that ends here leaves the tab to the user before.
  if (first === undefined) throw new NoPropertyError();
  begin(String(caller.user.id));
  const chosen = Number(sessionStorage.getItem(PROPERTY));
  return chooseProperty({ api, caller }, caller.properties.find(({ id }) => id === chosen) ?? first);
};

/** The session that an earlier page of this tab began; `undefined` if there is none. Throws as a call does. */
export const resume = async (): Promise<Session | undefined> => {
  const token = sessionStorage.getItem(TOKEN);
  return token === null ? undefined : sessionOf(token);
};

/** Signs in. The page keeps the token for this tab, and the password nowhere. Throws as a call does. */
export const signIn = async ({ clientId, username, password }: SignIn): Promise<Session> => {
  const signer = { grant_type: 'password', client_id: clientId, username, password } as const;
  const body = { ...signer, expires_in: SESSION_SECONDS };
  const { access_token } = await clientOf().issueToken({ body });
  // Read first: the session of another user makes the tab forget it.
  const earlier = sessionStorage.getItem(TOKEN);
  try {
    const session = await sessionOf(access_token);
    sessionStorage.setItem(TOKEN, access_token);
    localStorage.setItem(CLIENT, clientId);
    // A token of this tab that could not be resumed, because the service did not answer, ends now.
    if (earlier !== null) await revoke(earlier).catch(() => undefined);
    return session;
  } catch (error) {
    await revoke(access_token).catch(() => undefined);
    throw error;
  }
};

const revoke = (token: string): Promise<unknown> => clientOf().revokeToken({ body: { token } });

/** Forgets a token that the service has refused. What the reader had stays in the tab for the next sign-in. */
export const endSession = (): void => {
  sessionStorage.removeItem(TOKEN);
};

const forget = (): void => {
  for (const name of [TOKEN, PROPERTY, USER]) sessionStorage.removeItem(name);
  forgetKept();
};

/**
 * Signs out: this machine forgets the session at once, and the service ends it, so that a copy of its token is worth nothing.
 * Throws as a call does.
 */
export const signOut = async (): Promise<void> => {
  const token = sessionStorage.getItem(TOKEN);
  forget();
  if (token !== null) await revoke(token);
};
