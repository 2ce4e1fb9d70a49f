/** Chooses the service, the credentials and the property of a command. */
import { failed, ok, type Result } from '../result.ts';
import { isLogin, type Sessions, type StoredSession } from './store.ts';

/** A service that runs on this machine, with the credentials of its demo user. */
export interface LocalService {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
  readonly propertyId: number;
}

/** What the user and the surroundings say about the service. */
export interface Surroundings {
  /** The options `--base-url` and `--property`. */
  readonly options: { readonly baseUrl?: string | undefined; readonly property?: number | undefined };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sessions: Sessions;
  /** The service that runs on this machine, if one does. */
  readonly local?: LocalService | undefined;
}

/** The service of a command, and how the command signs in there. */
export interface ChosenService {
  readonly baseUrl: string;
  readonly token?: string;
  /** Credentials that need no question. */
  readonly credentials?: LocalService;
  readonly username?: string;
  readonly propertyId?: number;
}

/** Why no service or no sign-in is known. `usage` is a wrong call; `sign-in` means that the user has to sign in. */
export interface NoService {
  readonly kind: 'usage' | 'sign-in';
  readonly message: string;
}

/** A service, with the sign-in and the credentials that this machine has for it. */
export interface Place {
  readonly baseUrl: string;
  /** The token in `TIDEMARK_TOKEN`. It counts more than a stored sign-in. */
  readonly token?: string;
  /** The last sign-in there. */
  readonly session?: StoredSession;
  /** The credentials of its start, if it runs on this machine. */
  readonly local?: LocalService;
  readonly propertyId?: number;
}

/**
 * The place of a command. The option `--base-url` decides, then `TIDEMARK_BASE_URL`, then the service that runs on this
 * machine, then the last sign-in.
 */
export const choosePlace = ({ options, env, sessions, local }: Surroundings): Result<Place, NoService> => {
  const asked = options.baseUrl ?? given(env['TIDEMARK_BASE_URL']);
  const baseUrl = asked === undefined ? (local?.baseUrl ?? sessions.current ?? undefined) : addressOf(asked);
  if (baseUrl === undefined) return failed(asked === undefined ? noSignIn : notAnAddress(asked));
  const property = propertyOf(options.property, env);
  if (!property.ok) return property;
  const token = given(env['TIDEMARK_TOKEN']);
  const session = sessions.sessions[baseUrl];
  const isLocal = local !== undefined && local.baseUrl === baseUrl;
  const propertyId = property.value ?? session?.property ?? (isLocal ? local.propertyId : undefined);
  return ok({
    baseUrl,
    ...(token === undefined ? {} : { token }),
    ...(session === undefined ? {} : { session }),
    ...(isLocal ? { local } : {}),
    ...(propertyId === undefined ? {} : { propertyId }),
  });
};

/** The service of a command, and the way to sign in there that needs no question. */
export const chooseService = (surroundings: Surroundings): Result<ChosenService, NoService> => {
  const place = choosePlace(surroundings);
  if (!place.ok) return place;
  const { baseUrl, token, session, local, propertyId } = place.value;
  if (token === undefined && session === undefined && local === undefined) {
    return failed({
      kind: 'sign-in',
      message: `Sign in to ${baseUrl} first: tidemark login --base-url ${baseUrl}`,
    });
  }
  return ok({
    baseUrl,
    ...access(place.value),
    ...(propertyId === undefined ? {} : { propertyId }),
  });
};

const noSignIn: NoService = {
  kind: 'sign-in',
  message:
    'Sign in first: tidemark login --base-url https://… ' +
    '(A service on this machine needs no sign-in; start it in its checkout: npm start)',
};

const notAnAddress = (text: string): NoService => ({
  kind: 'usage',
  message: `The address of the service must begin with https:// or http://, not "${text}".`,
});

/**
 * The credentials of the start of a service on this machine, unless somebody acts there by a token or a login. The user of the
 * start may do everything, and a token or a login may do less.
 */
export const startCredentials = ({ token, session, local }: Place): LocalService | undefined =>
  token !== undefined || (session !== undefined && isLogin(session)) ? undefined : local;

const access = (place: Place): Omit<ChosenService, 'baseUrl' | 'propertyId'> => {
  const { token, session } = place;
  if (token !== undefined) return { token };
  const credentials = startCredentials(place);
  if (credentials === undefined)
    return session === undefined ? {} : { token: session.token, username: session.username };
  const kept = session?.username === credentials.username ? { token: session.token } : {};
  return { ...kept, credentials, username: credentials.username };
};

/** A property, if it belongs to the account. Fails with a sentence if it does not. */
export const ownProperty = (
  id: number,
  properties: readonly { readonly id: number }[],
): Result<number, string> =>
  properties.some((property) => property.id === id)
    ? ok(id)
    : failed(
        `Your token reaches no property ${id}; it reaches ${properties.map((one) => one.id).join(', ') || 'none'}.`,
      );

/** The normal form of an address, so that two spellings have one sign-in: without a slash at its end. */
export const addressOf = (text: string): string | undefined => {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return undefined;
  return url.pathname.endsWith('/') ? `${url.origin}${url.pathname.slice(0, -1)}` : url.origin + url.pathname;
};

const propertyOf = (
  option: number | undefined,
  env: Surroundings['env'],
): Result<number | undefined, NoService> => {
  const text = given(env['TIDEMARK_PROPERTY']);
  if (option !== undefined || text === undefined) return ok(option);
  return /^[1-9][0-9]{0,14}$/.test(text)
    ? ok(Number(text))
    : failed({
        kind: 'usage',
        message: `TIDEMARK_PROPERTY must be the number of a property, not "${text}".`,
      });
};

const given = (text: string | undefined): string | undefined => (text === '' ? undefined : text);
