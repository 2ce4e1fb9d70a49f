/**
 * KMS of the embedded cloud: symmetric keys that wrap data keys with AES-256-GCM. The encryption context is additional
 * data.
 * JSON protocol: GenerateDataKey, GenerateDataKeyWithoutPlaintext, Encrypt, Decrypt, DescribeKey, DisableKey, EnableKey.
 *
 *     const kms = createKms({ dataDir });
 *     const { arn } = kms.createKey('property-keys');   // the id is the name; aliases: createKey(id, ['alias/x'])
 *     gateway.addService(kms.service);
 *
 * With `dataDir` the service keeps the master keys in a file (mode 0600); without, each run has random keys.
 * Another context, key or blob is an InvalidCiphertextException. A disabled key answers DisabledException; tables, buckets
 * and queues use their key without KMS here, so they go on.
 */
import * as v from 'valibot';
import { arn } from '../../core/arn.ts';
import type { AwsRequest, AwsService, NeededPermission } from '../../core/types.ts';
import { inputAs, jsonBody, jsonResponse, targetOperation } from '../../core/json-protocol.ts';
import { ServiceError } from '../../core/service-error.ts';
import type { KeyCall } from '../events/key-call.ts';
import { decrypt, encrypt, generateDataKey } from './crypto.ts';
import { openKeys, type Keys } from './keys.ts';

/** Options of the service. */
export interface KmsOptions {
  readonly dataDir?: string | undefined;
  /** Gets each call that switched a key off or on. */
  readonly onKeyCall?: (call: KeyCall) => void;
}

/** Opens the service. */
export const createKms = (options: KmsOptions = {}) => {
  const keys = openKeys(options.dataDir);
  return {
    service: {
      name: 'kms',
      permissions: (request) => permissionsOf(keys, request),
      handle: (request, caller) => {
        const name = targetOperation(request);
        const input = inputOf(request);
        const answered = answer(keys, name, input);
        const id = name in SWITCHES ? keys.find(input.KeyId ?? '') : undefined;
        if (id !== undefined) options.onKeyCall?.({ name, keyArn: arnOf(id), by: caller.principal });
        return Promise.resolve(jsonResponse(answered));
      },
    } satisfies AwsService,
    /** Creates the key, or finds the key of an earlier run by its id. */
    createKey: (id: string, aliases: readonly string[] = []): { readonly arn: string } => {
      keys.create(id, aliases);
      return { arn: arnOf(id) };
    },
  };
};

/** The operations that switch a key, and to what. */
const SWITCHES: Readonly<Record<string, boolean>> = { DisableKey: false, EnableKey: true };

const arnOf = (id: string): string => arn('kms', `key/${id}`);

const Input = v.object({
  KeyId: v.optional(v.string()),
  EncryptionContext: v.optional(v.record(v.string(), v.string()), {}),
  KeySpec: v.optional(v.picklist(['AES_128', 'AES_256'])),
  NumberOfBytes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1024))),
  Plaintext: v.optional(v.string()),
  CiphertextBlob: v.optional(v.string()),
});
type Input = v.InferOutput<typeof Input>;

const inputOf = (request: AwsRequest): Input => inputAs(Input, jsonBody(request));

/** The key id of Decrypt is inside the blob. IAM checks an unreadable blob on `*`, and then the service refuses it. */
const permissionsOf = (keys: Keys, request: AwsRequest): NeededPermission[] => {
  const input = inputOf(request);
  const id = input.KeyId === undefined ? idOfBlob(input) : keys.find(input.KeyId);
  const context: Record<string, string[]> = {};
  for (const [name, value] of Object.entries(input.EncryptionContext))
    context[`kms:EncryptionContext:${name}`] = [value];
  return [
    {
      action: `kms:${targetOperation(request)}`,
      resource: id === undefined ? '*' : arnOf(id),
      context,
    },
  ];
};

const idOfBlob = (input: Input): string | undefined => {
  const blob = Buffer.from(input.CiphertextBlob ?? '', 'base64');
  return blob.length > 1 ? blob.toString('utf8', 1, 1 + (blob[0] ?? 0)) : undefined;
};

const answer = (keys: Keys, operation: string, input: Input): object => {
  const id =
    operation === 'Decrypt' && input.KeyId === undefined ? idOfBlob(input) : keys.find(input.KeyId ?? '');
  const master = id === undefined ? undefined : keys.master(id);
  if (id === undefined || !master) {
    if (operation === 'Decrypt') throw new ServiceError('InvalidCiphertextException', '');
    throw new ServiceError('NotFoundException', `Key '${input.KeyId ?? ''}' does not exist`);
  }
  if (operation === 'Decrypt' && id !== idOfBlob(input)) {
    throw new ServiceError(
      'IncorrectKeyException',
      'The key ID in the request does not identify a CMK that can perform this operation.',
    );
  }
  const enabled = SWITCHES[operation];
  if (enabled !== undefined) {
    keys.enable(id, enabled);
    return {};
  }
  if (operation !== 'DescribeKey' && !keys.isEnabled(id))
    throw new ServiceError('DisabledException', `${arnOf(id)} is disabled.`);
  const key = { id, master, context: input.EncryptionContext };
  switch (operation) {
    case 'GenerateDataKey':
      return { KeyId: arnOf(id), ...generateDataKey(key, lengthOf(input)) };
    case 'GenerateDataKeyWithoutPlaintext':
      return { KeyId: arnOf(id), CiphertextBlob: generateDataKey(key, lengthOf(input)).CiphertextBlob };
    case 'Encrypt':
      return {
        KeyId: arnOf(id),
        EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
        CiphertextBlob: encrypt(key, plainOf(input)),
      };
    case 'Decrypt':
      return {
        KeyId: arnOf(id),
        EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
        Plaintext: decrypt(key, input.CiphertextBlob ?? ''),
      };
    case 'DescribeKey':
      return {
        KeyMetadata: {
          KeyId: id,
          Arn: arnOf(id),
          Enabled: keys.isEnabled(id),
          KeyState: keys.isEnabled(id) ? 'Enabled' : 'Disabled',
          KeyUsage: 'ENCRYPT_DECRYPT',
        },
      };
    default:
      throw new ServiceError('UnknownOperationException', operation);
  }
};

const lengthOf = (input: Input): number => input.NumberOfBytes ?? (input.KeySpec === 'AES_128' ? 16 : 32);

/** KMS encrypts at most 4,096 bytes directly (service quota). */
const plainOf = (input: Input): Buffer => {
  const plain = Buffer.from(input.Plaintext ?? '', 'base64');
  if (plain.length < 1 || plain.length > 4096)
    throw new ServiceError('ValidationException', 'plaintext must have length between 1 and 4096');

  return plain;
};
