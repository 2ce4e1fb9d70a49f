import type { ApiRequest, NoQuery, UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import type { Pause } from '../../runtime/pause.ts';
import { err, ok } from '../../runtime/result.ts';
import { done, retryOnConflict } from '../../runtime/retry.ts';
import type { ExportDefinition, HostKey } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { requestedDefinition } from '../model/named-items.ts';
import type { HostKeyBody } from '../model/schemas.ts';
import { hostKeyView } from '../model/views.ts';

/**
 * `GET exports/{export_id}/host-key`: the key that the export's SFTP server must have. 404 for an export without a
 * server.
 */
export const getHostKey: UseCase<{ readonly exports: ExportRepository }> = async ({ exports }, request) => {
  const server = await requestedServer(exports, request);
  if (!server) return err(notFound('export', request));
  const hostKey = await exports.hostKey(server.definition, server.domain);
  return ok({ status: 200, body: hostKeyView(server.domain, hostKey) });
};

/** The definition that a request names, and the SFTP server that it pushes to; `undefined` without such a server. */
const requestedServer = async (
  exports: Pick<ExportRepository, 'definition'>,
  request: ApiRequest<unknown, unknown>,
): Promise<{ readonly definition: ExportDefinition; readonly domain: string } | undefined> => {
  const definition = (await requestedDefinition(exports, request))?.value;
  return definition?.destination ? { definition, domain: definition.destination.domain } : undefined;
};

export interface ReplaceHostKeyDeps {
  readonly exports: ExportRepository;
  readonly pause: Pause;
}

/**
 * `PUT exports/{export_id}/host-key`: from now on the service accepts only the key with this fingerprint. It accepts a
 * changed key because a client named it, never because a server showed it.
 */
export const replaceHostKey: UseCase<ReplaceHostKeyDeps, NoQuery, HostKeyBody> = async (
  { exports, pause },
  request,
) => {
  const server = await requestedServer(exports, request);
  if (!server) return err(notFound('export', request));
  const { definition, domain } = server;
  const { fingerprint } = request.body;
  const named: HostKey = { fingerprint, type: null, pinned: request.now, pinned_by: 'request' };
  return retryOnConflict({ pause, what: 'exports: a host key' }, async () => {
    const outcome = await exports.replaceHostKey(definition, domain, named);
    return outcome === 'applied' ? done(ok({ status: 200, body: hostKeyView(domain, named) })) : 'conflict';
  });
};
