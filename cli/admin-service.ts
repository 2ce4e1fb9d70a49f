/** Reaches the operator function of a stage: in AWS with the caller's own credentials, or on this machine. */
import { readFile } from 'node:fs/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';

const endpoints = v.looseObject({ aws_endpoint: v.string() });

const answerSchema = v.union([
  v.looseObject({ ok: v.literal(true) }),
  v.object({
    ok: v.literal(false),
    error: v.object({
      message: v.string(),
      errors: v.optional(v.array(v.object({ pointer: v.string(), detail: v.string() })), []),
    }),
  }),
]);

/** What the operator function answered. */
export type AdminAnswer = v.InferOutput<typeof answerSchema>;

/** The file that a running local service writes; `undefined` when none runs. */
const localEndpoint = async (file: string): Promise<string | undefined> => {
  try {
    return v.parse(endpoints, JSON.parse(await readFile(file, 'utf8'))).aws_endpoint;
  } catch {
    return undefined;
  }
};

/** Runs one command on a stage, by its operator function or the one that is `asked`. Throws an error whose message is one sentence for the operator. */
export const askOperator = async (
  payload: unknown,
  stage: string | undefined,
  file = '.local/endpoints.json',
  asked = 'operator',
): Promise<AdminAnswer> => {
  const endpoint = stage === undefined || stage === 'local' ? await localEndpoint(file) : undefined;
  if (stage === 'local' && endpoint === undefined)
    throw new Error('No local service is running; start one with `npm start`.');
  const name = `tidemark-${endpoint === undefined ? (stage ?? 'dev') : 'local'}-${asked}`;
  const client = new LambdaClient(
    endpoint === undefined
      ? {}
      : {
          endpoint,
          region: 'us-east-1',
          credentials: { accessKeyId: 'operator', secretAccessKey: 'operator' },
        },
  );
  try {
    const answer = await client.send(
      new InvokeCommand({ FunctionName: name, Payload: Buffer.from(JSON.stringify(payload)) }),
    );
    const text = Buffer.from(answer.Payload ?? []).toString('utf8');
    if (answer.FunctionError !== undefined) throw new Error(`The function ${name} failed; its log says why.`);
    return v.parse(answerSchema, JSON.parse(text));
  } catch (error) {
    throw new Error(sentenceOf(error, name, endpoint), { cause: error });
  } finally {
    client.destroy();
  }
};

const sentenceOf = (error: unknown, name: string, endpoint: string | undefined): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'ResourceNotFoundException')
    return `There is no function ${name} in this account and region; is the stage deployed?`;
  if (error.name === 'CredentialsProviderError')
    return 'No AWS credentials were found; sign in first, or start the local service with `npm start`.';
  if (endpoint !== undefined && /ECONNREFUSED/.test(`${error.message} ${String(error.cause)} ${error.name}`))
    return 'The local service does not answer; start it again with `npm start`.';
  return error.message;
};
