/**
 * Definition fields: turns a checked body into the stored fields of a definition, with new secrets encrypted, and opens the
 * secrets with which the service logs in to its SFTP server.
 */
import { limits } from '../../config/limits.ts';
import { webhookSecret } from '../../deliveries/notice-fields.ts';
import type { ProblemError } from '../../http/problem.ts';
import type { PropertyScopes } from '../../properties/property-keys.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { KeyService } from '../../runtime/ports.ts';
import { nextRun, timetableOf } from '../../schedules/timetable.ts';
import { privateKeyDetails, readPrivateKey, type SftpCredential } from '../../sftp/credential.ts';
import { SEED_BYTES, sshKeyPair } from '../../sftp/key-pair.ts';
import type { Destination, ExportDefinition, RunQueue, S3Destination, SftpAuthentication } from './items.ts';
import { externalIdOf } from './s3-destination.ts';
import type { ExportBody } from './schemas.ts';
import type { NamedTargets } from './targets.ts';

/** Encryption context of a webhook secret. */
export const secretContext = (property: number, exportId: number): Readonly<Record<string, string>> => ({
  purpose: 'webhook-secret',
  property: String(property),
  export: String(exportId),
});

/** The fields that follow from the body; the service sets all others. */
type ClientFields = Omit<
  ExportDefinition,
  'account' | 'property' | 'export' | 'created' | 'revision' | keyof RunQueue
>;

interface FieldsInput {
  readonly property: number;
  readonly id: number;
  readonly body: ExportBody;
  readonly now: number;
  readonly targets: NamedTargets;
  /** The definition that is replaced: its webhook secret stays, and the secret of its login if the body sends none. */
  readonly before?: ExportDefinition | undefined;
  /** The definition whose destination a new one shares. */
  readonly shared?: ExportDefinition | undefined;
}

interface FieldsDeps {
  readonly keyService: KeyService;
  readonly ids: Ids;
  readonly scopeOf: PropertyScopes;
}

/** The fields of a definition from a checked body, and the webhook secret if it is new. */
export const definitionFields = async (
  deps: FieldsDeps,
  input: FieldsInput,
): Promise<{ readonly fields: ClientFields; readonly secret: Uint8Array | undefined }> => {
  const { property, id, body, now, targets, before, shared } = input;
  const context = secretContext(property, id);
  const { destination_credentials, s3_destination, ...kept } = body;
  const [{ stored, secret }, destination, bucket] = await Promise.all([
    webhookSecret(deps, { isCalled: isCalled(body), context, before: before?.webhook_secret ?? null }),
    shared
      ? resealedDestination(deps.keyService, shared, id)
      : destinationOf(deps, { property, id, before, sent: destination_credentials }),
    shared?.s3_destination ?? s3DestinationOf(deps, property, s3_destination),
  ]);
  const { schedule } = kept;
  const fields: ClientFields = {
    ...kept,
    segment: [...targets.segment],
    collection: [...targets.collection],
    tile_types: [...targets.tile_types],
    destination,
    s3_destination: bucket,
    webhook_secret: stored,
    run_at: schedule?.once === true ? (nextRun(timetableOf(schedule), now) ?? null) : null,
    to_come: schedule !== null,
  };
  return { fields, secret };
};

/** Whether the service calls an address for a definition: its webhook, or the receiver of its changes. */
const isCalled = ({ webhook_url, changes }: Pick<ExportBody, 'webhook_url' | 'changes'>): boolean =>
  webhook_url !== null || changes !== null;

/** The bucket of a checked body, with the external id of the property. */
const s3DestinationOf = async (
  { scopeOf }: FieldsDeps,
  property: number,
  sent: ExportBody['s3_destination'],
): Promise<S3Destination | null> => {
  if (sent === null) return null;
  const { keys } = await scopeOf(property);
  return { ...sent, external_id: externalIdOf(property, keys.externalIds) };
};

/** Whether a definition is too large for one item of the table. */
export const isTooLarge = (definition: ExportDefinition): boolean =>
  Buffer.byteLength(JSON.stringify(definition)) > limits.exports.definitionBytes;

/** The fault of a definition that is too large. */
export const tooLarge: ProblemError = {
  pointer: '',
  code: 'too_large',
  detail: `With its columns and segments, a definition has at most ${limits.exports.definitionBytes} bytes.`,
};

/** Encryption context of the secrets of a login. */
export const loginContext = (property: number, exportId: number): Readonly<Record<string, string>> => ({
  purpose: 'sftp-login',
  property: String(property),
  export: String(exportId),
});

type SentDestination = NonNullable<ExportBody['destination_credentials']>;

/** The secrets of each way to log in: whose key it needs, and whether it needs a password. */
const secretsOf: Readonly<
  Record<SftpAuthentication, { readonly key: 'service' | 'client' | null; readonly password: boolean }>
> = {
  service_key: { key: 'service', password: false },
  private_key: { key: 'client', password: false },
  password: { key: null, password: true },
  service_key_and_password: { key: 'service', password: true },
  private_key_and_password: { key: 'client', password: true },
};

/** The way of a login: as the body names it, or by the secrets that the body has. */
const authenticationOf = ({ authentication, private_key, password }: SentDestination): SftpAuthentication => {
  if (authentication !== null) return authentication;
  if (private_key !== null) return password === null ? 'private_key' : 'private_key_and_password';
  return password === null ? 'service_key' : 'password';
};

type Stored = ExportDefinition['destination'] | undefined;
type KeyPart = Pick<Destination, 'public_key' | 'private_key'>;

/**
 * Whether a secret of the stored destination stays when a body sends none. A secret of the client stays only for the same
 * server and user: whoever names another server must know the secret.
 */
const isSame = (stored: NonNullable<Stored>, sent: SentDestination): boolean =>
  stored.domain === sent.domain && stored.client_id === sent.client_id;

const keptKey = (sent: SentDestination, stored: Stored): KeyPart | undefined => {
  const { key } = secretsOf[authenticationOf(sent)];
  if (!stored || key === null || sent.private_key !== null) return undefined;
  if (secretsOf[stored.authentication].key !== key) return undefined;
  const { public_key, private_key } = stored;
  return key === 'service' || isSame(stored, sent) ? { public_key, private_key } : undefined;
};

const keptPassword = (sent: SentDestination, stored: Stored): Uint8Array | undefined =>
  stored?.password && sent.password === null && isSame(stored, sent) ? stored.password : undefined;

const at = (field: string): string => `/destination_credentials/${field}`;

/** The faults of the secrets of a body. `before` is the definition that the body replaces. */
export const secretFaults = (
  sent: SentDestination,
  before: ExportDefinition | undefined,
): readonly ProblemError[] => {
  const authentication = authenticationOf(sent);
  const wanted = secretsOf[authentication];
  const stored = before?.destination;
  const secrets = [
    { field: 'private_key', isWanted: wanted.key === 'client', isKept: keptKey(sent, stored) !== undefined },
    { field: 'password', isWanted: wanted.password, isKept: keptPassword(sent, stored) !== undefined },
  ] as const;
  const fault = (field: string, code: 'not_allowed' | 'required', detail: string): ProblemError => ({
    pointer: at(field),
    code,
    detail,
  });
  const faults = secrets.flatMap(({ field, isWanted, isKept }): readonly ProblemError[] => {
    if (sent[field] !== null && !isWanted)
      return [fault(field, 'not_allowed', `Is not for authentication ${authentication}.`)];
    if (sent[field] === null && isWanted && !isKept)
      return [fault(field, 'required', `Is required with authentication ${authentication}.`)];
    return [];
  });
  if (wanted.key !== 'client' || sent.private_key === null) return faults;
  const read = readPrivateKey(sent.private_key);
  if (read.ok) return faults;
  return [...faults, { pointer: at('private_key'), code: read.error, detail: privateKeyDetails[read.error] }];
};

interface DestinationInput extends Pick<FieldsInput, 'property' | 'id' | 'before'> {
  readonly sent: SentDestination | null;
}

/** The destination of a checked body, with its secrets encrypted. */
const destinationOf = async (
  deps: FieldsDeps,
  { property, id, sent, before }: DestinationInput,
): Promise<Destination | null> => {
  if (sent === null) return null;
  const { domain, client_id, temporary_name, verify } = sent;
  const authentication = authenticationOf(sent);
  const wanted = secretsOf[authentication];
  const stored = before?.destination;
  const encrypt = (plain: Uint8Array) => deps.keyService.encrypt(plain, loginContext(property, id));
  const newKeyPart = async (): Promise<KeyPart> => {
    const { public_key, plain } = newKey(deps, id, sent);
    return { public_key, private_key: await encrypt(plain) };
  };
  const newPassword = () => (sent.password === null ? null : encrypt(Buffer.from(sent.password)));
  return {
    ...{ domain, client_id, authentication, temporary_name, verify },
    ...(wanted.key === null ? noKey : (keptKey(sent, stored) ?? (await newKeyPart()))),
    password: wanted.password ? (keptPassword(sent, stored) ?? (await newPassword())) : null,
  };
};

/** The destination of a definition for another one: the same, with its secrets encrypted for that one. */
const resealedDestination = async (
  keyService: KeyService,
  { property, export: from, destination }: ExportDefinition,
  id: number,
): Promise<Destination | null> => {
  if (destination === null) return null;
  const resealed = async (sealed: Uint8Array | null): Promise<Uint8Array | null> =>
    sealed &&
    keyService.encrypt(
      await keyService.decrypt(sealed, loginContext(property, from)),
      loginContext(property, id),
    );
  const [private_key, password] = await Promise.all([
    resealed(destination.private_key),
    resealed(destination.password),
  ]);
  return { ...destination, private_key, password };
};

const noKey: KeyPart = { public_key: null, private_key: null };

const newKey = (
  { ids }: FieldsDeps,
  id: number,
  { private_key }: SentDestination,
): { readonly public_key: string; readonly plain: Buffer } => {
  if (private_key === null) {
    const seed = Buffer.from(ids.hex(SEED_BYTES), 'hex');
    return { public_key: sshKeyPair(seed, `tidemark-export-${id}`).publicKey, plain: seed };
  }
  const read = readPrivateKey(private_key);
  if (!read.ok) throw new Error('exports: a private key was not checked');
  return { public_key: read.value, plain: Buffer.from(private_key) };
};

/** The credential with which the service logs in to the destination of a definition. */
export const credentialOf = async (
  keyService: KeyService,
  { property, export: id }: ExportDefinition,
  { authentication, private_key, password: sealed }: Destination,
): Promise<SftpCredential> => {
  const decrypt = async (secret: Uint8Array) =>
    Buffer.from(await keyService.decrypt(secret, loginContext(property, id)));
  const password = sealed === null ? undefined : (await decrypt(sealed)).toString('utf8');
  if (private_key !== null) {
    const plain = await decrypt(private_key);
    const isClients = secretsOf[authentication].key === 'client';
    return { privateKey: isClients ? plain.toString('utf8') : sshKeyPair(plain, '').privateKey, password };
  }
  if (password === undefined) throw new Error('exports: a destination without a secret');
  return { password };
};
