import type { Ids } from '../../runtime/ids.ts';
import type { KeyService } from '../../runtime/ports.ts';
import { SEED_BYTES, sshKeyPair } from '../../sftp/key-pair.ts';
import { newSecret } from '../../webhooks/signature.ts';
import type { Destination, ExportDefinition } from './items.ts';
import { secretContext, sshKeyContext } from './items.ts';
import type { ExportBody } from './schemas.ts';

/** What a definition says of how its jobs are delivered. */
type Channels = Pick<
  ExportDefinition,
  'pgp_public_key' | 'notification_email' | 'destination' | 'webhook_url' | 'webhook_secret'
>;

interface ChannelDeps {
  readonly keyService: KeyService;
  readonly ids: Ids;
}

/** For which definition, and what it said before, where it is replaced: secrets and key pairs stay. */
interface ChannelInput {
  readonly property: number;
  readonly id: number;
  readonly body: ExportBody;
  readonly before?: Channels | undefined;
}

/** The channels that a body asks for, and the webhook's secret when it is a new one, to be shown once. */
export const channelsOf = async (
  deps: ChannelDeps,
  { property, id, body, before }: ChannelInput,
): Promise<{ readonly channels: Channels; readonly secret: Uint8Array | undefined }> => {
  const { keyService, ids } = deps;
  const known = body.webhook_url === null ? null : (before?.webhook_secret ?? null);
  const secret = body.webhook_url === null || known !== null ? undefined : newSecret(ids);
  const channels: Channels = {
    pgp_public_key: body.pgp_public_key,
    notification_email: body.notification_email,
    destination: await destinationOf(deps, { property, id, body, before }),
    webhook_url: body.webhook_url,
    webhook_secret: secret ? await keyService.encrypt(secret, secretContext(property, id)) : known,
  };
  return { channels, secret };
};

const destinationOf = async (
  { keyService, ids }: ChannelDeps,
  { property, id, body, before }: ChannelInput,
): Promise<Destination | null> => {
  const wanted = body.destination_credentials;
  if (wanted === null) return null;
  if (before?.destination) return { ...before.destination, ...wanted };
  const seed = Buffer.from(ids.hex(SEED_BYTES), 'hex');
  const { publicKey } = sshKeyPair(seed, `tidemark-export-${id}`);
  return {
    ...wanted,
    public_key: publicKey,
    seed: await keyService.encrypt(seed, sshKeyContext(property, id)),
  };
};
