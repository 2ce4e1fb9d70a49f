/** The access token of a client: obtains it when it is first needed, and renews it. */
import type { Permission } from './types.ts';

/**
 * Credentials of the token route.
 * @public
 */
export interface Credentials {
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
  /**
   * What the tokens may do; without it, all that the role of the user allows. It is a list, not the text of the request, so
   * that the compiler and editors know its words.
   */
  readonly scope?: readonly Permission[] | undefined;
  /** The properties that the tokens reach; without it, all of the account, also later ones. */
  readonly propertyIds?: readonly number[] | undefined;
}

/**
 * An access token, and the time at which it expires, in milliseconds since 1970; unknown for a token that you gave.
 * @public
 */
export interface Token {
  readonly accessToken: string;
  readonly expiresAt: number | undefined;
}

/** A token that expires so soon is renewed before it is used. */
const RENEW_BEFORE_MS = 60_000;

/**
 * Why a client has no token.
 * @example
 * ```ts
 * const anonymous = new Tidemark({ baseUrl: 'http://127.0.0.1:8080' });
 * await anonymous.getCaller().catch((error: unknown) => {
 *   if (error instanceof NotSignedInError) console.log('Give a token, or credentials.');
 * });
 * ```
 * @public
 */
export class NotSignedInError extends Error {
  override readonly name = 'NotSignedInError';

  constructor() {
    super(
      'This operation needs a token: give the client a `token`, or `clientId`, `username` and `password`.',
    );
  }
}

/** The session of one client. Requests that need a new token at once share one sign-in. */
export class Session {
  #token: Token | undefined;
  #signingIn: Promise<Token> | undefined;
  readonly #signIn: (() => Promise<Token>) | undefined;
  readonly #now: () => number;

  /** `signIn` obtains a token; without it, the session has only the given token. */
  constructor(token: Token | undefined, signIn: (() => Promise<Token>) | undefined, now: () => number) {
    this.#token = token;
    this.#signIn = signIn;
    this.#now = now;
  }

  /**
   * A token for a request. Throws `NotSignedInError` without a token and without credentials, and the signal's reason
   * when the caller aborts. A sign-in goes on, because other requests share it.
   */
  token(signal?: AbortSignal): Promise<string> {
    return unlessAborted(() => this.#valid(), signal);
  }

  async #valid(): Promise<string> {
    const token = this.#token;
    const expires = token?.expiresAt;
    const isFresh = expires === undefined || expires - RENEW_BEFORE_MS > this.#now();
    if (token && (isFresh || !this.#signIn)) return token.accessToken;
    return (await this.#renewed()).accessToken;
  }

  /** A token in place of `refused`, or `undefined` without credentials. */
  tokenAfter(refused: string, signal?: AbortSignal): Promise<string | undefined> {
    return unlessAborted(() => this.#other(refused), signal);
  }

  async #other(refused: string): Promise<string | undefined> {
    // Another request may have renewed the token meanwhile.
    if (this.#token && this.#token.accessToken !== refused) return this.#token.accessToken;
    return this.#signIn ? (await this.#renewed()).accessToken : undefined;
  }

  #renewed(): Promise<Token> {
    this.#signingIn ??= this.#renew().finally(() => {
      this.#signingIn = undefined;
    });
    return this.#signingIn;
  }

  async #renew(): Promise<Token> {
    if (!this.#signIn) throw new NotSignedInError();
    this.#token = await this.#signIn();
    return this.#token;
  }
}

/** The result of some work; the signal's reason if the caller aborts before its end. Work that has begun goes on. */
const unlessAborted = async <T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (!signal) return work();
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => {
    reject(signal.reason);
  };
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
};
