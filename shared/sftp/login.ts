/** SFTP login: proves to a server who the service is, by key, by password or by both, and tells why it was not let in. */
import type { AnyAuthMethod, AuthenticationType, Prompt } from 'ssh2';
import type { SftpCredential } from './credential.ts';

/** Why a server does not let the service in. Clients see these texts, so they hold no text of the server. */
export const loginFaults = {
  key_refused: 'the server does not take our key',
  password_refused: 'the server does not take the user name and the password',
  both_refused: 'the server takes neither our key nor the password',
  password_missing: 'the server took our key and wants a password too',
  key_missing: 'the server took the password and wants a key too',
  password_wrong: 'the server took our key, but not the password',
  key_wrong: 'the server took the password, but not our key',
  no_keys: 'the server takes no key from this user, only a password',
  no_passwords: 'the server takes no password from this user, only a key',
  more_asked: 'the server asks for more than a key and a password, for example for a one-time code',
  password_expired: 'the server wants the password to be changed',
} as const;
export type LoginFault = keyof typeof loginFaults;

type Method = Extract<AuthenticationType, 'publickey' | 'password' | 'keyboard-interactive'>;
type Answer = (answers: string[]) => void;

const methods: readonly Method[] = ['publickey', 'password', 'keyboard-interactive'];
/** The methods of a password: as such, or as the answer to a dialogue. */
const byPassword: readonly Method[] = ['password', 'keyboard-interactive'];

/** A login that is under way. */
export interface Login {
  /** The next method, by the methods that the server names; `false` when none is left. */
  readonly next: (left: readonly string[] | null, partial: boolean | null) => AnyAuthMethod | false;
  readonly passwordExpired: () => void;
  /** Why the login failed. */
  readonly fault: () => LoginFault;
}

/**
 * Logs a user in. The first request, without a secret, asks for the methods of the server. So the password goes out once,
 * by the one method that the server has for it, and counts as one try where tries are limited. A server that wants
 * several methods names the next method after each of them (RFC 4252, 5.1).
 */
export const beginLogin = (username: string, credential: SftpCredential): Login => {
  const { privateKey, password } = credential;
  const tried = new Set<Method>();
  const taken = new Set<Method>();
  let first: readonly string[] | undefined;
  let offered: readonly string[] = [];
  let last: Method | undefined;
  let questions = 0;
  let [asksMore, isExpired] = [false, false];

  const prompt = (
    _name: string,
    _text: string,
    _language: string,
    prompts: Prompt[],
    finish: Answer,
  ): void => {
    // The password answers one hidden question. Any other question asks for something else.
    questions += 1;
    const isPassword = questions === 1 && prompts.length === 1 && prompts[0]?.echo !== true;
    asksMore ||= !isPassword;
    finish(isPassword && password !== undefined ? [password] : []);
  };

  const requestOf = (method: Method): AnyAuthMethod | undefined => {
    if (method === 'publickey')
      return privateKey === undefined ? undefined : { type: method, username, key: privateKey };
    if (password === undefined || byPassword.some((other) => tried.has(other))) return undefined;
    return method === 'password' ? { type: method, username, password } : { type: method, username, prompt };
  };

  const next: Login['next'] = (left, partial) => {
    if (left === null) return { type: 'none', username };
    // An RSA key is tried with several algorithms, so its success shows only in the methods that are left.
    if (last !== undefined && (partial === true || (offered.includes(last) && !left.includes(last))))
      taken.add(last);
    first ??= left;
    offered = left;
    // Where the server names none of our methods, its list may be wrong: one of them is tried.
    const candidates = methods.filter((method) => left.includes(method) || tried.size === 0);
    const named = candidates.filter((method) => left.includes(method));
    for (const method of [...named, ...candidates]) {
      const request = tried.has(method) ? undefined : requestOf(method);
      if (request === undefined) continue;
      tried.add(method);
      last = method;
      return request;
    }
    return false;
  };

  const fault = (): LoginFault => {
    if (isExpired) return 'password_expired';
    return asksMore ? 'more_asked' : faultOf({ tried, taken, first, offered });
  };

  return { next, passwordExpired: () => (isExpired = true), fault };
};

interface Course {
  readonly tried: ReadonlySet<Method>;
  /** Methods that the server took, and that were not enough. */
  readonly taken: ReadonlySet<Method>;
  /** The methods that the server named at first, and at last. */
  readonly first: readonly string[] | undefined;
  readonly offered: readonly string[];
}

/** Why a login failed, by its course. */
const faultOf = ({ tried, taken, first, offered }: Course): LoginFault => {
  const triesPassword = byPassword.some((method) => tried.has(method));
  const wantsPassword = byPassword.some((method) => offered.includes(method));
  if (taken.has('publickey')) {
    if (triesPassword) return 'password_wrong';
    return wantsPassword ? 'password_missing' : 'more_asked';
  }
  if (byPassword.some((method) => taken.has(method))) {
    if (tried.has('publickey')) return 'key_wrong';
    return offered.includes('publickey') ? 'key_missing' : 'more_asked';
  }
  if (tried.has('publickey') && triesPassword) return 'both_refused';
  const isNamed = (method: Method): boolean => first?.includes(method) !== false;
  if (tried.has('publickey')) return isNamed('publickey') || !wantsPassword ? 'key_refused' : 'no_keys';
  return byPassword.some(isNamed) || !isNamed('publickey') ? 'password_refused' : 'no_passwords';
};
