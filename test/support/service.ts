import * as v from 'valibot';
import { startTidemark, type Tidemark, type TidemarkOptions } from '../../cli/standalone/tidemark.ts';
import { gatewayThread } from '../../local/services/lambda/gateway-thread.ts';
import { type ApiClient, clientWith } from './api-client.ts';
import type { AnswerChecker } from './answer-checker.ts';
import { isFull } from './scale.ts';

/** The service on the embedded cloud, with a signed-in client of an account. */
export interface Service {
  /** Other files of tests may share the cloud, so no test waits until it is idle. */
  readonly cloud: Omit<Tidemark, 'idle'>;
  readonly client: ApiClient;
  readonly property: number;
  /** Address of the user, to which notices may go. */
  readonly userEmail: string;
  /** Calls any path with any body and headers, and returns the response, whatever its status. */
  call(method: string, path: string, options?: CallOptions): Promise<RawAnswer>;
}

/** A service on a cloud of its own, for the demo account. The end stops the cloud. */
export interface TestService extends Service, AsyncDisposable {
  readonly cloud: Tidemark;
}

export interface CallOptions {
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sign in as the second account, or not at all. */
  readonly as?: 'demo' | 'other' | 'nobody';
  /** Follow redirects, as `curl -L` does: without the token on another address. */
  readonly follow?: boolean;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const accountSchema = v.object({
  property_id: v.number(),
  client_id: v.string(),
  username: v.string(),
  password: v.string(),
});

/** The second engine of the tests. Benchmarks run without Vitest, which says whether there is one. */
const secondEngine = async (): Promise<Pick<TidemarkOptions, 'tableEngine'>> => {
  if (process.env['VITEST'] === undefined) return {};
  const { withSecondEngine } = await import('../second-engine/second-engine.ts');
  return { tableEngine: withSecondEngine };
};

/** The comparison of all answers with the API document. Benchmarks run without it. */
const checked = async (): Promise<AnswerChecker | undefined> => {
  if (process.env['VITEST'] === undefined) return undefined;
  const { answerChecker } = await import('./answer-checker.ts');
  return answerChecker();
};

/** Starts the service on free ports. The end fails when an answer differed from the API document. */
export const startService = async (options: TidemarkOptions = {}): Promise<TestService> => {
  const checkedCloud = await startChecked(options);
  return {
    ...(await serviceOf(checkedCloud.cloud)),
    cloud: checkedCloud.cloud,
    [Symbol.asyncDispose]: async () => {
      await checkedCloud.cloud.stop();
      refuse(checkedCloud.differences());
    },
  };
};

/** A cloud for tests, and the differences so far between its answers and the API document. */
export interface CheckedCloud {
  readonly cloud: Tidemark;
  differences(): readonly string[];
}

/**
 * Cold starts of threads would take most of the processor time. A cloud with faults or with the limits of AWS needs sandboxes
 * that freeze, and that can be killed.
 */
const threadOf = ({ faults, strictness }: TidemarkOptions): Pick<TidemarkOptions, 'startThread'> =>
  faults || strictness || isFull || process.env['VITEST'] === undefined ? {} : { startThread: gatewayThread };

/** Starts a cloud for tests on free ports. */
export const startChecked = async (options: TidemarkOptions = {}): Promise<CheckedCloud> => {
  const checker = await checked();
  const cloud = await startTidemark({
    allowPrivateTargets: true,
    idleSandboxes: 32,
    ...(await secondEngine()),
    ...threadOf(options),
    ...(checker && { onExchange: checker.onExchange }),
    ...options,
  });
  return { cloud, differences: () => checker?.differences() ?? [] };
};

/** Throws when there are differences between answers and the API document. */
export const refuse = (differences: readonly string[]): void => {
  if (differences.length > 0) throw new Error(`Answers differ from openapi.json:\n${differences.join('\n')}`);
};

/** The service of a running cloud, for the account of its endpoints. */
export const serviceOf = async (cloud: Tidemark): Promise<Service> => {
  const { base_url, auth_url } = cloud.endpoints;
  const demo = v.parse(accountSchema, cloud.endpoints);
  const other = v.parse(accountSchema, cloud.endpoints.other);
  const token = await tokenOf(auth_url, demo);
  // Few files ask as the second account, and a sign-in takes long to hash the password.
  let second: Promise<string> | undefined;
  const tokens = { demo: () => token, other: () => (second ??= tokenOf(auth_url, other)) };
  return {
    cloud,
    client: clientWith(token, base_url),
    property: demo.property_id,
    userEmail: `${demo.username}@example.com`,
    call: async (method, path, { body, headers = {}, as = 'demo', follow = false } = {}) => {
      const authorization = as === 'nobody' ? {} : { authorization: `Bearer ${await tokens[as]()}` };
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const init = {
        method,
        headers: { ...authorization, ...type, ...headers },
        redirect: follow ? 'follow' : 'manual',
      } as const;
      const answer = await fetch(`${base_url}${path}`, body === undefined ? init : { ...init, body });
      // `Response.text` would drop a byte order mark.
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer());
      return { status: answer.status, headers: answer.headers, text };
    },
  };
};

const tokenOf = async (authUrl: string, account: v.InferOutput<typeof accountSchema>): Promise<string> => {
  const { client_id, username, password } = account;
  const answer = await fetch(`${authUrl}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'password', client_id, username, password }),
  });
  return v.parse(v.object({ access_token: v.string() }), await answer.json()).access_token;
};
