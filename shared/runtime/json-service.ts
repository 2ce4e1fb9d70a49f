/** JSON services: calls the AWS services that take one POST with JSON (DynamoDB, KMS). */
import * as v from 'valibot';
import type { ServiceNames } from './aws-environment.ts';
import { AwsServiceError } from './aws-errors.ts';
import { metadataOf, signedService, type ServiceAnswer, type ServiceOptions } from './signed-service.ts';
import { Readable } from 'node:stream';

/** A service as its protocol names it. */
export interface JsonProtocol extends ServiceNames {
  /** Prefix of the operations: `DynamoDB_20120810`. */
  readonly target: string;
  readonly version: '1.0' | '1.1';
}

/** The answer of a service: its body, and the number of attempts that the call took. */
export interface JsonAnswer {
  readonly output: unknown;
  readonly attempts: number;
}

/** A service. Its calls throw `AwsServiceError` when the service refuses, and the errors of the HTTP handler. */
export interface JsonService {
  readonly call: (operation: string, input: unknown) => Promise<JsonAnswer>;
  /** Closes kept connections. */
  destroy(): void;
}

/** The service of a protocol. */
export const jsonService = (protocol: JsonProtocol, options: ServiceOptions = {}): JsonService => {
  const { target, version } = protocol;
  const service = signedService(protocol, options);
  return {
    call: (operation, input) => {
      const body = Buffer.from(JSON.stringify(input));
      const headers = {
        'content-type': `application/x-amz-json-${version}`,
        'content-length': String(body.byteLength),
        'x-amz-target': `${target}.${operation}`,
      };
      return service.send({ method: 'POST', path: '/', headers, body }, async (answer, attempts) => {
        const text = await jsonAnswer(answer, attempts);
        const output: unknown = JSON.parse(text === '' ? '{}' : text);
        return { output, attempts };
      });
    },
    destroy: () => service.destroy(),
  };
};

/** The JSON of an answer, perhaps empty. Throws `AwsServiceError` when the answer is a refusal. */
const jsonAnswer = async (answer: ServiceAnswer, attempts: number): Promise<string> => {
  const text = await answerText(answer.body);
  if (answer.statusCode >= 300) throw refusalOf(answer, text, attempts);
  return text;
};

const refusal = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({
    __type: v.optional(v.string()),
    code: v.optional(v.string()),
    message: v.optional(v.string()),
    Message: v.optional(v.string()),
    CancellationReasons: v.optional(v.unknown()),
  }),
);

/** The error that an answer names: in a header, or in its body as `com.amazonaws.sqs#QueueDoesNotExist`. */
const refusalOf = (answer: ServiceAnswer, text: string, attempts: number): AwsServiceError => {
  const body = v.safeParse(refusal, text);
  const { __type, code, message, Message, CancellationReasons } = body.success ? body.output : {};
  const named = answer.headers['x-amzn-errortype'] ?? code ?? __type ?? 'UnknownError';
  const name = named.split(/[,:]/)[0]?.split('#').at(-1) ?? named;
  const said = message ?? Message ?? `status ${answer.statusCode}`;
  return new AwsServiceError(name, said, metadataOf(answer, attempts), CancellationReasons);
};

const stream = v.instance(Readable);

/** Events take a third of the time of a pipe or a loop, and most answers are one chunk. */
const read = (body: Readable): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    body.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    body.once('end', () => {
      const [only] = chunks;
      resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks));
    });
    body.once('error', reject);
  });

/** The text of an answer, read to its end. Throws when the connection breaks before. */
const answerText = async (body: unknown): Promise<string> => {
  if (body === undefined) return '';
  const { buffer, byteOffset, byteLength } =
    body instanceof Uint8Array ? body : await read(v.parse(stream, body));
  return Buffer.from(buffer, byteOffset, byteLength).toString();
};
