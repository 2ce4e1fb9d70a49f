/** AWS environment: the region, the credentials and the addresses of services, as Lambda names them in variables. */

/** Credentials of a role. */
export interface RoleCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The region that Lambda names. Rejects when there is none. */
export const regionFromEnv = (): Promise<string> => {
  const { AWS_REGION: region } = process.env;
  return region === undefined
    ? Promise.reject(new Error('environment: the region is not set'))
    : Promise.resolve(region);
};

/**
 * The credentials of the function's role. Lambda sets them for each environment, and they stay as they are as long as the
 * environment lives. Rejects when there are none.
 */
export const credentialsFromEnv = (): Promise<RoleCredentials> => {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env;
  if (accessKeyId === undefined || secretAccessKey === undefined)
    return Promise.reject(new Error('environment: the credentials of the role are not set'));
  return Promise.resolve({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
  });
};

/**
 * The trace of the running invocation, which the clients of the SDK pass on: X-Ray joins calls by it, and Lambda finds loops
 * of functions. None outside Lambda. An environment serves one invocation at a time.
 */
export const traceFromEnv = (): string | undefined => process.env['_X_AMZN_TRACE_ID'];

/** The services that functions call, as the variable `AWS_ENDPOINT_URL_…` of each names them. */
export type AwsService =
  'CLOUDWATCH_LOGS' | 'DYNAMODB' | 'KMS' | 'S3' | 'SCHEDULER' | 'SESV2' | 'SFN' | 'SQS' | 'STS';

/** The address of a service that the environment names, if it names one. */
export const endpointFromEnv = (service: AwsService): string | undefined => {
  const { env } = process;
  return env[`AWS_ENDPOINT_URL_${service}`] ?? env['AWS_ENDPOINT_URL'];
};

/** The domain of the services of each partition of AWS, by the begin of its regions (as in the SDK's list of partitions). */
const domains = [
  ['cn-', 'amazonaws.com.cn'],
  ['eusc-', 'amazonaws.eu'],
  ['us-iso-', 'c2s.ic.gov'],
  ['us-isob-', 'sc2s.sgov.gov'],
  ['eu-isoe-', 'cloud.adc-e.uk'],
  ['us-isof-', 'csp.hci.ic.gov'],
] as const;

/** A service by its names. */
export interface ServiceNames {
  /** Name in variables of the environment. */
  readonly variable: AwsService;
  /** Name in signatures and in the host name. */
  readonly name: string;
}

/** The address of a service in a region, unless the environment names another address. */
export const addressOf = ({ variable, name }: ServiceNames, region: string): string =>
  endpointFromEnv(variable) ?? `https://${name}.${region}.${domainOf(region)}`;

/** The domain of the services of a region. */
export const domainOf = (region: string): string =>
  domains.find(([begin]) => region.startsWith(begin))?.[1] ?? 'amazonaws.com';
