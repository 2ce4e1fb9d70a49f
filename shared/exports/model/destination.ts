/** Destination: the SFTP server of an export, and the secret with which the service logs in there. */
import type { ProblemError } from '../../http/problem.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { KeyService } from '../../runtime/ports.ts';
import { privateKeyDetails, readPrivateKey, type SftpCredential } from '../../sftp/credential.ts';
import { SEED_BYTES, sshKeyPair } from '../../sftp/key-pair.ts';
import type { Destination, ExportDefinition, SftpAuthentication } from './items.ts';
import type { ExportBody } from './schemas.ts';

/** Encryption context of the secret of a login. */
export const loginContext = (property: number, exportId: number): Readonly<Record<string, string>> => ({
  purpose: 'sftp-login',
  property: String(property),
  export: String(exportId),
});

type SentDestination = NonNullable<ExportBody['destination_credentials']>;

/** The way of a login: as the body names it, or by the secret that the body has. */
const authenticationOf = ({ authentication, private_key, password }: SentDestination): SftpAuthentication => {
  if (authentication !== null) return authentication;
  if (private_key !== null) return 'private_key';
  return password === null ? 'service_key' : 'password';
};

/**
 * The stored destination whose secret stays when a body sends none. A password or key of the client stays only for the
 * same server and user: whoever names another server must know the secret.
 */
const keptDestination = (
  sent: SentDestination,
  before: ExportDefinition | undefined,
): Destination | undefined => {
  const stored = before?.destination;
  const authentication = authenticationOf(sent);
  if (!stored || stored.authentication !== authentication) return undefined;
  const isSame = stored.domain === sent.domain && stored.client_id === sent.client_id;
  return isSame || authentication === 'service_key' ? stored : undefined;
};

const at = (field: string): string => `/destination_credentials/${field}`;

/** The faults of the secrets of a body. `before` is the definition that the body replaces. */
export const secretFaults = (
  sent: SentDestination,
  before: ExportDefinition | undefined,
): readonly ProblemError[] => {
  const authentication = authenticationOf(sent);
  const isKept = keptDestination(sent, before) !== undefined;
  const faults: ProblemError[] = [];
  for (const field of ['private_key', 'password'] as const) {
    const pointer = at(field);
    if (sent[field] !== null && authentication !== field)
      faults.push({ pointer, code: 'not_allowed', detail: `Is for authentication ${field} only.` });
    if (sent[field] === null && authentication === field && !isKept)
      faults.push({ pointer, code: 'required', detail: `Is required with authentication ${field}.` });
  }
  if (authentication !== 'private_key' || sent.private_key === null) return faults;
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

/** The destination of a checked body, with its secret encrypted. */
export const destinationOf = async (
  deps: DestinationDeps,
  { property, id, body, before }: DestinationInput,
): Promise<Destination | null> => {
  const sent = body.destination_credentials;
  if (sent === null) return null;
  const { domain, client_id } = sent;
  const authentication = authenticationOf(sent);
  const secret = sent.private_key ?? sent.password;
  const kept = keptDestination(sent, before);
  if (secret === null && kept) return { ...kept, domain, client_id };
  const { public_key, plain } = newSecret(deps, id, sent);
  const encrypted = await deps.keyService.encrypt(plain, loginContext(property, id));
  return { domain, client_id, authentication, public_key, secret: encrypted };
};

const newSecret = (
  { ids }: DestinationDeps,
  id: number,
  { private_key, password }: SentDestination,
): { readonly public_key: string | null; readonly plain: Buffer } => {
  if (password !== null) return { public_key: null, plain: Buffer.from(password) };
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
  { authentication, secret }: Destination,
): Promise<SftpCredential> => {
  const plain = Buffer.from(await keyService.decrypt(secret, loginContext(property, id)));
  if (authentication === 'password') return { kind: 'password', password: plain.toString('utf8') };
  const privateKey =
    authentication === 'private_key' ? plain.toString('utf8') : sshKeyPair(plain, '').privateKey;
  return { kind: 'key', privateKey };
};
