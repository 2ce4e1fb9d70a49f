/**
 * KMS of the embedded cloud: symmetric keys that wrap data keys with AES-256-GCM, the encryption context bound as
 * additional data. JSON protocol: GenerateDataKey, GenerateDataKeyWithoutPlaintext, Encrypt, Decrypt, DescribeKey.
 *
 *     const kms = await createKms({ scope, dataDir });
 *     const { arn } = kms.createKey('property-keys');   // the id is the name; aliases: createKey(id, ['alias/x'])
 *     gateway.addService(kms.service);
 *
 * With `dataDir` the master keys are kept in a file there (mode 0600), without they are random for each run.
 * A wrong context, a changed blob or a foreign key is an InvalidCiphertextException.
 */
import type { AwsService, Scope } from '../../types.ts';

/** How to open the service. */
export interface KmsOptions {
  readonly scope: Scope;
  readonly dataDir?: string;
}

/** The running service. */
export interface Kms {
  readonly service: AwsService;
  /** Creates the key, or finds the one of that id from before a restart. */
  createKey(id: string, aliases?: readonly string[]): { readonly arn: string };
}

/** Opens the service. */
export const createKms = (options: KmsOptions): Promise<Kms> =>
  Promise.reject(new Error(`kms is not built yet: ${options.scope.region}`));
