/** Calls the operator function of a stage: in AWS with the caller's own credentials, or on this machine. */
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { ENDPOINTS_FILE } from '../local/cloud/endpoints.ts';

const endpoints = v.looseObject({
  aws_endpoint: v.string(),
  aws_credentials: v.object({ access_key_id: v.string(), secret_access_key: v.string(), region: v.string() }),
});
type LocalService = v.InferOutput<typeof endpoints>;

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

/** The answer of the operator function. */
export type AdminAnswer = v.InferOutput<typeof answerSchema>;

/** The content of a running local service's file of addresses; `undefined` when none runs. */
const localService = async (file: string): Promise<LocalService | undefined> => {
  try {
    return v.parse(endpoints, JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
};

/**
 * Runs one command on a stage, or on the running local service, with the function `asked`, by default `operator`. The
 * command names the user of this machine as its operator. Throws an error whose message is one sentence for the
 * operator.
 */
export const askOperator = async (
  command: Readonly<Record<string, unknown>>,
  stage: string | undefined,
  file = ENDPOINTS_FILE,
  asked = 'operator',
): Promise<AdminAnswer> => {
  const local = stage === undefined || stage === 'local' ? await localService(file) : undefined;
  // Without a stage the command never goes to AWS: a command for a test account could reach a real one.
  if ((stage === undefined || stage === 'local') && !local) {
    throw new Error(
      'No local service is running; start one with `npm start`, or name a stage in AWS with `--stage`.',
    );
  }
  const name = `tidemark-${local ? 'local' : stage}-${asked}`;
  const client = new LambdaClient(local ? clientOptionsOf(local) : {});
  try {
    const payload = JSON.stringify({ operator: userInfo().username, ...command });
    const answer = await client.send(
      new InvokeCommand({ FunctionName: name, Payload: Buffer.from(payload) }),
    );
    const text = Buffer.from(answer.Payload ?? []).toString('utf8');
    if (answer.FunctionError !== undefined)
      throw new Error(`The function ${name} failed; its log has the error.`);
    return v.parse(answerSchema, JSON.parse(text));
  } catch (error) {
    throw new Error(sentenceOf(error, name, local !== undefined), { cause: error });
  } finally {
    client.destroy();
  }
};

const clientOptionsOf = ({ aws_endpoint, aws_credentials: access }: LocalService) => ({
  endpoint: aws_endpoint,
  region: access.region,
  credentials: { accessKeyId: access.access_key_id, secretAccessKey: access.secret_access_key },
});

const sentenceOf = (error: unknown, name: string, isLocal: boolean): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'ResourceNotFoundException')
    return `There is no function ${name} in this account and region; is the stage deployed?`;
  if (error.name === 'CredentialsProviderError')
    return 'No AWS credentials were found; sign in first, or start the local service with `npm start`.';
  if (error.message === 'Region is missing')
    return 'No AWS region is set; set AWS_REGION, or sign in with a profile that names a region.';
  if (isLocal && /ECONNREFUSED/.test(`${error.message} ${String(error.cause)} ${error.name}`))
    return 'The local service does not answer; start it again with `npm start`.';
  return error.message;
};
