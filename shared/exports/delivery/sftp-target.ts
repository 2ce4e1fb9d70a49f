import type { Clock } from '../../runtime/clock.ts';
import type { KeyService } from '../../runtime/ports.ts';
import { readSftpDomain } from '../../sftp/destination.ts';
import type { SftpTarget } from '../../sftp/pinned-session.ts';
import { credentialOf } from '../model/definition-fields.ts';
import type { Destination, ExportDefinition } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';

interface TargetDeps {
  readonly exports: ExportRepository;
  readonly keyService: KeyService;
  readonly clock: Clock;
}

/** The server of a definition with its credential and its pinned host key; `undefined` when the domain is no server. */
export const sftpTargetOf = async (
  { exports, keyService, clock }: TargetDeps,
  definition: ExportDefinition,
  destination: Destination,
): Promise<SftpTarget | undefined> => {
  const { domain, client_id, temporary_name, verify } = destination;
  // Addresses are checked at each connection, and were checked when the client named the server.
  const server = readSftpDomain(domain, 'loopback');
  if (!server.ok) return undefined;
  const credential = await credentialOf(keyService, definition, destination);
  const pinned = await exports.hostKey(definition, domain);
  return {
    ...server.value,
    username: client_id,
    credential,
    way: { temporaryName: temporary_name, verify },
    pinned,
    pin: async (shown) => {
      const kept = await exports.pinHostKey(definition, domain, { ...shown, pinned: clock() });
      return kept.fingerprint === shown.fingerprint;
    },
  };
};
