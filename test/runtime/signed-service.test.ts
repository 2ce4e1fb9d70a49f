import { StandardRetryStrategy } from '@smithy/core/retry';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_ATTEMPTS } from '../../shared/runtime/aws-client.ts';
import { isStatus, isThrottle, isUnavailable } from '../../shared/runtime/aws-errors.ts';
import { errorFacts } from '../../shared/runtime/log.ts';
import { jsonService } from '../../shared/runtime/json-service.ts';
import type { ServiceOptions } from '../../shared/runtime/signed-service.ts';
import { answeringServer, type Answer, type AnsweringServer } from './answering-server.ts';

let server: AnsweringServer;
let options: ServiceOptions;

/** The SDK's retries without their pauses. */
const atOnce = { computeNextBackoffDelay: () => 0, setDelayBase: () => undefined };

beforeEach(async () => {
  server = await answeringServer('{}');
  options = {
    endpoint: server.url,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'AKIAtest', secretAccessKey: 'secret', sessionToken: 'session' },
    retries: new StandardRetryStrategy({ maxAttempts: MAX_ATTEMPTS, backoff: atOnce }),
  };
});
afterEach(() => server[Symbol.asyncDispose]());

const protocol = { variable: 'KMS', name: 'kms', target: 'TrentService', version: '1.1' } as const;
const call = () => jsonService(protocol, options).call('Decrypt', { KeyId: 'k' });
const refused = () => call().catch((error: unknown) => error);

describe('a call of a JSON service', () => {
  it('names its operation, is signed for the session of the role, and gives the parsed answer', async () => {
    server.answers = [{ body: '{"Plaintext":"AAE="}' }];
    expect(await call()).toEqual({ output: { Plaintext: 'AAE=' }, attempts: 1 });
    const [{ request, body } = { request: undefined, body: '' }] = server.seen;
    expect(JSON.parse(body.toString())).toEqual({ KeyId: 'k' });
    expect(request?.headers).toMatchObject({
      'x-amz-target': 'TrentService.Decrypt',
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-security-token': 'session',
    });
    expect(request?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAtest\/\d{8}\/eu-west-1\/kms\/aws4_request, SignedHeaders=\S*x-amz-security-token/,
    );
  });

  it('passes the trace of each invocation on, unsigned, as the clients of the SDK do', async () => {
    const traces = ['Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=0', 'Root=1-2'];
    const service = jsonService(protocol, options);
    for (const trace of traces) {
      vi.stubEnv('_X_AMZN_TRACE_ID', trace);
      await service.call('Decrypt', { KeyId: 'k' });
    }
    expect(server.seen.map(({ request }) => request.headers['x-amzn-trace-id'])).toEqual(traces);
    for (const { request } of server.seen) expect(request.headers.authorization).not.toContain('trace');
    vi.unstubAllEnvs();
    await call();
    expect(server.seen.at(-1)?.request.headers).not.toHaveProperty('x-amzn-trace-id');
  });

  it('that is answered without a body has an empty answer', async () => {
    server.answers = [{ body: '' }];
    expect((await call()).output).toEqual({});
  });

  it.each<[string, Answer, string, string]>([
    [
      'in the body',
      { body: '{"__type":"com.amazonaws.kms#InvalidKeyUsageException","message":"No."}' },
      'InvalidKeyUsageException',
      'No.',
    ],
    [
      'without a namespace',
      { body: '{"__type":"InvalidKeyUsageException","Message":"No."}' },
      'InvalidKeyUsageException',
      'No.',
    ],
    [
      'in a header',
      {
        headers: { 'x-amzn-errortype': 'InvalidKeyUsageException:http://internal/' },
        body: '{"message":"No."}',
      },
      'InvalidKeyUsageException',
      'No.',
    ],
    ['nowhere', { body: '<html>' }, 'UnknownError', 'status 400'],
  ])('that is refused throws the error that the answer names %s', async (_, answer, name, message) => {
    server.answers = [{ status: 400, ...answer }];
    const error = await refused();
    expect(error).toMatchObject({ name, message, $metadata: { httpStatusCode: 400, attempts: 1 } });
    expect([isStatus(error, 400), isUnavailable(error)]).toEqual([true, false]);
    expect(server.seen).toHaveLength(1);
  });

  it.each<[string, Answer]>([
    ['failed', { status: 500 }],
    ['was throttled', { status: 400, body: '{"__type":"ThrottlingException"}' }],
    ['met a throttled key', { status: 400, body: '{"__type":"com.amazonaws.sqs#KmsThrottled"}' }],
    ['lost its answer', { body: '{"Plaintext":"AAE="}', breaks: true }],
  ])('that %s is signed and sent again, and says so', async (_, answer) => {
    server.answers = [answer, { body: '{"n":1}' }];
    expect(await call()).toEqual({ output: { n: 1 }, attempts: 2 });
    expect(server.seen.map(({ body }) => body.toString())).toEqual(['{"KeyId":"k"}', '{"KeyId":"k"}']);
  });

  it('that keeps being throttled ends with its throttle', async () => {
    server.answers = Array.from({ length: MAX_ATTEMPTS }, () => ({
      status: 400,
      body: '{"__type":"ThrottlingException"}',
    }));
    const error = await refused();
    expect(isThrottle(error)).toBe(true);
    expect(error).toMatchObject({ $metadata: { attempts: MAX_ATTEMPTS } });
    expect(server.seen).toHaveLength(MAX_ATTEMPTS);
  });
});

describe('a refusal', () => {
  it('is logged with the id of the call, also when another error wraps it', async () => {
    server.answers = [{ status: 400, headers: { 'x-amzn-requestid': 'R1' } }];
    const error = await refused();
    expect(errorFacts(error).aws_request).toBe('R1');
    expect(errorFacts(new Error('a step', { cause: error })).aws_request).toBe('R1');
    expect(errorFacts(new Error('a bug')).aws_request).toBeUndefined();
  });
});
