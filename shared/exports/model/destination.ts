/** Destination: the SFTP server of an export, and the secrets with which the service logs in there. */
import type { ProblemError } from '../../http/problem.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { KeyService } from '../../runtime/ports.ts';
import { privateKeyDetails, readPrivateKey, type SftpCredential } from '../../sftp/credential.ts';
import { SEED_BYTES, sshKeyPair } from '../../sftp/key-pair.ts';
import type { Destination, ExportDefinition, SftpAuthentication } from './items.ts';
import type { ExportBody } from './schemas.ts';

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

interface DestinationInput {
  readonly property: number;
  readonly id: number;
  readonly body: Pick<ExportBody, 'destination_credentials'>;
  readonly before?: ExportDefinition;
}

interface DestinationDeps {
  readonly keyService: KeyService;
  readonly ids: Ids;
}

/** The destination of a checked body, with its secrets encrypted. */
export const destinationOf = async (
  deps: DestinationDeps,
  { property, id, body, before }: DestinationInput,
): Promise<Destination | null> => {
  const sent = body.destination_credentials;
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

const noKey: KeyPart = { public_key: null, private_key: null };

const newKey = (
  { ids }: DestinationDeps,
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
