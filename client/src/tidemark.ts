/** The client: one object for one user and, usually, one property. */
import { operationTable } from './generated/operation-table.ts';
import { Operations } from './generated/operations.ts';
import { dataOf, itemsOf } from './answer.ts';
import { type Fetched, List, nextQuery } from './listing.ts';
import { systemPorts, type Ports, type WorkOptions } from './ports.ts';
import { TidemarkProblem, UnexpectedAnswerError } from './problem.ts';
import { baseOf, requestOf, setHeader } from './request.ts';
import { Session, type Credentials, type Token } from './session.ts';
import { sendWithRetries, usualPatience, type Patience, type Sending } from './transport.ts';
import type { Answer, Call, Item, ListName, Operation, OperationName, RawInput } from './types.ts';
import { uploadFile, type Upload } from './upload.ts';
import {
  waitForExport,
  waitForImport,
  waitForSegment,
  type ExportWait,
  type ImportWait,
  type SegmentWait,
} from './waiting.ts';

/** The service knows an `Idempotency-Key` for 24 hours. The client uses it for half of this time. */
const KEY_LIVES_MS = 12 * 3_600_000;

/**
 * Where the service is, and which property the client works on.
 * @public
 */
export interface TidemarkOptions extends Partial<Patience> {
  /** The address of the service, for example `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  /** The property that fills in `property_id` of every path. */
  readonly propertyId?: number | undefined;
  /** Is called with each token that the client obtains, so that you can keep the token. */
  readonly onToken?: ((token: Token) => void) | undefined;
  /** Further headers of every request, for example `user-agent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Ends each call, upload and wait that names no signal of its own. `signal: undefined` lets a call go on. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces the clock, the randomness or `fetch`. */
  readonly ports?: Partial<Ports> | undefined;
}

/**
 * A token, or credentials that obtain one. With both, the credentials replace a token that the service refuses.
 * @public
 */
export interface Access extends Partial<Credentials> {
  readonly token?: string | undefined;
}

/**
 * A client of the API. Every operation of the API document is a method; the README shows the other methods.
 * @example
 * ```ts
 * const client = new Tidemark({ baseUrl: 'http://127.0.0.1:8080', token: 'a token', propertyId: 1001 });
 * const { profile } = await client.getProfile({ query: { email: 'ada@example.org' } });
 * ```
 * @public
 */
export class Tidemark extends Operations {
  readonly #options: TidemarkOptions & Access;
  readonly #ports: Ports;
  readonly #patience: Patience;
  #session: Session;

  /**
   * Makes a client. It sends nothing yet, and signs in when it first needs a token. Without a token and credentials it
   * can call the public operations. Throws a `TypeError` for a `baseUrl` that is no address of a service, and for a
   * `propertyId` that is no whole number.
   */
  constructor(options: TidemarkOptions & Access) {
    super();
    // `Number` of a variable that is not set is NaN.
    if (options.propertyId !== undefined && !Number.isSafeInteger(options.propertyId))
      throw new TypeError('propertyId is no whole number such as 1001.');
    this.#options = { ...options, baseUrl: baseOf(options.baseUrl) };
    this.#ports = { ...systemPorts, ...options.ports };
    const { retries, longestWaitMs, timeoutMs } = { ...usualPatience, ...options };
    this.#patience = { retries, longestWaitMs, timeoutMs };
    this.#session = this.#newSession();
  }

  /**
   * Signs in and returns the client. Throws `TidemarkProblem` (`invalid_grant`) when the credentials are refused.
   * @example
   * ```ts
   * const client = await Tidemark.signIn({
   *   baseUrl: 'http://127.0.0.1:8080',
   *   clientId: 'tidemark-demo-client',
   *   username: 'demo',
   *   password: 'tidemark-demo-password',
   *   propertyId: 1001,
   * });
   * ```
   */
  static async signIn(options: TidemarkOptions & Credentials): Promise<Tidemark> {
    const client = new Tidemark(options);
    await client.#session.token();
    return client;
  }

  /** The property of the client, if it has one. */
  get propertyId(): number | undefined {
    return this.#options.propertyId;
  }

  /**
   * The access token, for requests without the client. Signs in first if necessary.
   * @example
   * ```ts
   * const headers = { authorization: `Bearer ${await tidemark.token()}` };
   * ```
   */
  token(): Promise<string> {
    return this.#session.token();
  }

  /**
   * A client of another property that shares the token of this client.
   * @example
   * ```ts
   * const other = tidemark.forProperty(1002);
   * const { exports } = await other.listExports();
   * ```
   */
  forProperty(propertyId: number): Tidemark {
    return this.#with({ propertyId });
  }

  /** The client and the signal of some work: its own, or else those of this client. */
  #forWork<Work extends WorkOptions>(work: Work): readonly [client: Tidemark, work: Work] {
    const { propertyId = this.propertyId, signal = this.#options.signal } = work;
    return [this.#with({ propertyId, signal }), { ...work, signal }];
  }

  /** A client with other options that shares the token of this client. */
  #with(options: Partial<TidemarkOptions>): Tidemark {
    const client = new Tidemark({ ...this.#options, ...options });
    client.#session = this.#session;
    return client;
  }

  /**
   * Calls an operation and returns the successful answer unread: for CSV, for files, for headers. Retries, token and
   * errors are those of every call.
   * @example
   * ```ts
   * const path = { import_id: 1001000000001, job_id: 1001000000001 };
   * const answer = await tidemark.response('listImportErrors', { path, query: { format: 'csv' } });
   * console.log(await answer.text());
   * ```
   */
  response<Name extends OperationName>(name: Name, input: RawInput<Name>): Promise<Response>;
  response(name: OperationName, input: Call): Promise<Response> {
    return this.#send(name, input, asIs);
  }

  /**
   * Uploads a file for an import definition, in parts if it is large. Returns the id of its job.
   * @example
   * ```ts
   * const { jobId } = await tidemark.uploadFile({
   *   importId: 1001000000001,
   *   file: 'visitors.csv',
   *   onProgress: ({ sent, size }) => console.log(`${Math.round((100 * sent) / size)} %`),
   * });
   * ```
   */
  uploadFile(upload: Upload): Promise<{ readonly jobId: number }> {
    const [client, work] = this.#forWork(upload);
    return uploadFile(client, this.#ports, work);
  }

  /**
   * Waits until a job of an import has ended, and returns the job. A failed job is returned, not thrown.
   * @example
   * ```ts
   * const { counts } = await tidemark.waitForImport({ importId: 1001000000001, jobId: 1001000000002 });
   * console.log(counts.status, counts.completed);
   * ```
   */
  waitForImport(wait: ImportWait): Promise<Answer<'getImportJob'>> {
    const [client, work] = this.#forWork(wait);
    return waitForImport(client, this.#ports, work);
  }

  /**
   * Waits until a job of an export has ended, and returns the job. A failed job is returned, not thrown.
   * @example
   * ```ts
   * const signal = AbortSignal.timeout(600_000);
   * const { location } = await tidemark.waitForExport({ exportId: 1001000000001, signal });
   * ```
   */
  waitForExport(wait: ExportWait): Promise<Answer<'getExportJob'>> {
    const [client, work] = this.#forWork(wait);
    return waitForExport(client, this.#ports, work);
  }

  /**
   * Waits until the service has prepared a segment by condition, and returns the segment with its count. Other segments are
   * returned at once.
   * @example
   * ```ts
   * const where = { field: 'extra_data.spend', op: 'gte', value: 500 } as const;
   * const { id } = await tidemark.createSegment({ body: { name: 'Spent 500 or more', where } });
   * const { count } = await tidemark.waitForSegment({ segmentId: id });
   * ```
   */
  waitForSegment(wait: SegmentWait): Promise<Answer<'getSegment'>> {
    const [client, work] = this.#forWork(wait);
    return waitForSegment(client, this.#ports, work);
  }

  /**
   * Opens the file of an export job by its `location`. Read the body as you read any `Response`.
   * @example
   * ```ts
   * const { location } = await tidemark.waitForExport({ exportId: 1001000000001 });
   * const file = location === null ? undefined : await tidemark.openLocation(location);
   * console.log(await file?.text());
   * ```
   */
  openLocation(location: string, own: { readonly signal?: AbortSignal } = {}): Promise<Response> {
    const { signal } = { signal: this.#options.signal, ...own };
    const url = new URL(location);
    const sending = {
      method: 'GET',
      url,
      shown: `${url.origin}/...`,
      headers: new Headers(),
      body: undefined,
    };
    return this.#attempts({ ...sending, repeatable: true, signal }, asIs);
  }

  protected override async call<Name extends OperationName>(name: Name, input: Call): Promise<Answer<Name>> {
    return dataOf(name, (await this.#text(name, input)).text);
  }

  protected override open(name: OperationName, input: Call): Promise<Response> {
    return this.#send(name, input, asIs);
  }

  protected override list<Name extends ListName>(name: Name, input: Call): List<Answer<Name>, Item<Name>> {
    const fetchPage = async (query?: Readonly<Record<string, string>>): Promise<Fetched<Answer<Name>>> => {
      const { text, headers } = await this.#text(name, query ? { ...input, query } : input);
      const page = dataOf(name, text);
      const next = nextQuery(page, headers);
      // A page that names itself as the next page would never end.
      if (query && JSON.stringify(query) === JSON.stringify(next)) throw new UnexpectedAnswerError(name);
      return { page, next };
    };
    return new List(fetchPage, (page) => itemsOf(name, page));
  }

  #text(name: OperationName, input: Call): Promise<{ readonly text: string; readonly headers: Headers }> {
    // The body is read within the attempt: a connection that breaks in the middle of an answer is tried again.
    return this.#send(name, input, async (response) => ({
      text: await response.text(),
      headers: response.headers,
    }));
  }

  /** Sends a call. A DELETE succeeds if an earlier attempt without an answer may have deleted what is gone now. */
  async #send<T>(name: OperationName, input: Call, read: (response: Response) => Promise<T>): Promise<T> {
    const operation: Operation = operationTable[name];
    const { baseUrl, propertyId, headers = {}, signal } = this.#options;
    const settings = { baseUrl, propertyId, headers };
    const request = requestOf(operation, { signal, ...input }, settings, this.#ports.newKey);
    // The process may have slept for days since its first attempt.
    const repeatableUntil = operation.keyed ? this.#ports.now() + KEY_LIVES_MS : Infinity;
    const work = { isUncertain: false };
    const onUncertain = (): void => {
      work.isUncertain = true;
    };
    try {
      return await this.#sendSigned(operation, { ...request, repeatableUntil, onUncertain }, read);
    } catch (error) {
      const isGone = error instanceof TidemarkProblem && error.status === 404 && error.code === 'not_found';
      if (!work.isUncertain || !isGone || operation.deletes === undefined) throw error;
      return read(Response.json({ id: idAtEnd(request.url, operation.deletes) }));
    }
  }

  /** Sends a request with a token, and once more with a new token when the service refuses the first token. */
  async #sendSigned<T>(
    operation: Operation,
    sending: Sending,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    if (!operation.token) return this.#attempts(sending, read);
    const token = await this.#session.token(sending.signal);
    try {
      return await this.#attempts(withToken(sending, token), read);
    } catch (error) {
      const isRefused = error instanceof TidemarkProblem && error.status === 401;
      const other = isRefused ? await this.#session.tokenAfter(token, sending.signal) : undefined;
      if (other === undefined) throw error;
      return this.#attempts(withToken(sending, other), read);
    }
  }

  #attempts<T>(sending: Sending, read: (response: Response) => Promise<T>): Promise<T> {
    return sendWithRetries({ ports: this.#ports, patience: this.#patience }, sending, read);
  }

  #newSession(): Session {
    const { token, clientId, username, password, scope, propertyIds, onToken } = this.#options;
    const given = token === undefined ? undefined : { accessToken: token, expiresAt: undefined };
    if (clientId === undefined || username === undefined || password === undefined)
      return new Session(given, undefined, this.#ports.now);
    const signIn = async (): Promise<Token> => {
      const asked = this.#ports.now();
      const body = {
        ...({ grant_type: 'password', client_id: clientId, username, password } as const),
        ...(scope === undefined ? {} : { scope: scope.join(' ') }),
        ...(propertyIds === undefined ? {} : { property_ids: propertyIds }),
      };
      // Other requests share the sign-in.
      const { access_token, expires_in } = await this.issueToken({ body, signal: undefined });
      const issued = { accessToken: access_token, expiresAt: asked + expires_in * 1000 };
      onToken?.(issued);
      return issued;
    };
    return new Session(given, signIn, this.#ports.now);
  }
}

/** The id at the end of a path, as the answer of a DELETE writes it. */
const idAtEnd = (url: URL, type: 'string' | 'number'): string | number => {
  const text = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
  return type === 'number' ? Number(text) : text;
};

const asIs = (response: Response): Promise<Response> => Promise.resolve(response);

const withToken = (sending: Sending, token: string): Sending => {
  const headers = new Headers(sending.headers);
  setHeader(headers, 'authorization', `Bearer ${token}`);
  return { ...sending, headers };
};
