/** Calls the operator function of a stage: in AWS with the caller's own credentials, or on this machine. */
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import * as v from 'valibot';
import { ENDPOINTS_FILE } from './standalone/endpoints.ts';

/** Schema of the file with the endpoints of the service on this machine. */
export const localServiceSchema = v.looseObject({
  base_url: v.string(),
  aws_endpoint: v.string(),
  aws_credentials: v.object({ access_key_id: v.string(), secret_access_key: v.string(), region: v.string() }),
});
type LocalService = v.InferOutput<typeof localServiceSchema>;

const answerSchema = v.union([
  v.looseObject({ ok: v.literal(true) }),
  v.object({
    ok: v.literal(false),
    error: v.object({
      code: v.optional(v.string()),
      message: v.string(),
      errors: v.optional(v.array(v.object({ pointer: v.string(), detail: v.string() })), []),
    }),
  }),
]);

/** The answer of the operator function. */
export type AdminAnswer = v.InferOutput<typeof answerSchema>;

/** Where commands go: a stage in AWS with the caller's own credentials, or the service on this machine. */
export interface Place {
  /** A stage in AWS; `local` or undefined means the service on this machine. */
  readonly stage?: string | undefined;
  readonly region?: string | undefined;
  /** Profile of the AWS configuration. */
  readonly profile?: string | undefined;
}

/** The target of commands. */
export type Target =
  | { readonly kind: 'local'; readonly stage: 'local'; readonly service: LocalService }
  | {
      readonly kind: 'aws';
      readonly stage: string;
      /** Number of the AWS account to which the caller's credentials belong. */
      readonly account: string;
      readonly region: string;
      readonly profile?: string;
    };

/** The region and the account that the AWS configuration of this machine gives. Both throw when there is none. */
interface Configuration {
  readonly region: (profile: string | undefined) => Promise<string>;
  readonly account: (access: AwsAccess) => Promise<string>;
}

interface AwsAccess {
  readonly region: string;
  readonly profile?: string;
}

/** The content of a running local service's file of addresses; `undefined` when none runs. */
const localService = async (file: string): Promise<LocalService | undefined> => {
  try {
    return v.parse(localServiceSchema, JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
};

/**
 * Finds the target of commands. Without a stage no command goes to AWS: a command for a test account could reach a real
 * one. Throws an error whose message is one sentence for the operator.
 */
export const findTarget = async (
  { stage = 'local', region, profile }: Place,
  file = ENDPOINTS_FILE,
  configured = configuration,
): Promise<Target> => {
  if (stage !== 'local') {
    const access = {
      region: region ?? (await regionOf(profile, configured)),
      ...(profile === undefined ? {} : { profile }),
    };
    return { kind: 'aws', stage, account: await accountOf(access, configured), ...access };
  }
  const service = await localService(file);
  if (service) return { kind: 'local', stage, service };
  throw new Error(
    'No local service is running; start one with `npm start`, or name a stage in AWS with `--stage`.',
  );
};

const regionOf = async (profile: string | undefined, configured: Configuration): Promise<string> => {
  try {
    return await configured.region(profile);
  } catch (error) {
    const message =
      'No AWS region: set AWS_REGION or --region, or leave out --stage for the local service of `npm start`.';
    throw new Error(message, { cause: error });
  }
};

const accountOf = async (access: AwsAccess, configured: Configuration): Promise<string> => {
  try {
    return await configured.account(access);
  } catch (error) {
    throw new Error(credentialsSentence(error) ?? `AWS did not name your account: ${messageOf(error)}`, {
      cause: error,
    });
  }
};

/** What the environment, the profiles and STS say. */
const configuration: Configuration = {
  region: async (profile) => {
    const client = new LambdaClient(profile === undefined ? {} : { profile });
    try {
      return await client.config.region();
    } finally {
      client.destroy();
    }
  },
  account: async (access) => {
    const client = new STSClient({ ...access });
    try {
      // Needs no permission.
      const { Account } = await client.send(new GetCallerIdentityCommand({}));
      if (Account === undefined) throw new Error('the answer names none');
      return Account;
    } finally {
      client.destroy();
    }
  },
};

/** A line that names the target, for the operator to see before the command runs. */
export const describeTarget = (target: Target): string =>
  target.kind === 'local'
    ? `Local service at ${target.service.base_url}`
    : `Stage ${target.stage} in AWS account ${target.account}, ${target.region}${target.profile === undefined ? '' : `, profile ${target.profile}`}`;

/**
 * Runs one command on a target with the function `asked`, by default `operator`. The command names the user of this
 * machine as its operator. Throws an error whose message is one sentence for the operator.
 */
export const askOperator = async (
  command: Readonly<Record<string, unknown>>,
  target: Target,
  asked = 'operator',
): Promise<AdminAnswer> => {
  const name = `tidemark-${target.stage}-${asked}`;
  const client = new LambdaClient(clientOptionsOf(target));
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
    throw new Error(sentenceOf(error, name, target.kind === 'local'), { cause: error });
  } finally {
    client.destroy();
  }
};

/** Options of the clients of AWS for a target: its region, and its profile or its endpoint. */
export const clientOptionsOf = (target: Target) => {
  if (target.kind === 'aws') {
    const { region, profile } = target;
    return profile === undefined ? { region } : { region, profile };
  }
  const { aws_endpoint, aws_credentials: access } = target.service;
  return {
    endpoint: aws_endpoint,
    region: access.region,
    credentials: { accessKeyId: access.access_key_id, secretAccessKey: access.secret_access_key },
  };
};

const sentenceOf = (error: unknown, name: string, isLocal: boolean): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'ResourceNotFoundException')
    return `There is no function ${name} in this account and region; is the stage deployed?`;
  const credentials = credentialsSentence(error);
  if (credentials !== undefined) return credentials;
  if (isLocal && /ECONNREFUSED/.test(`${error.message} ${String(error.cause)} ${error.name}`))
    return 'The local service does not answer; start it again with `npm start`.';
  return error.message;
};

const credentialsSentence = (error: unknown): string | undefined =>
  error instanceof Error && error.name === 'CredentialsProviderError'
    ? 'No AWS credentials were found; sign in first, or leave out --stage for the local service of `npm start`.'
    : undefined;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
