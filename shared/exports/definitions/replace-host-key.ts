import type { UseCase, NoQuery } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import type { Pause } from '../../runtime/pause.ts';
import { err, ok } from '../../runtime/result.ts';
import { done, retryOnConflict } from '../../runtime/retry.ts';
import type { HostKey } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import type { HostKeyBody } from '../model/schemas.ts';
import { hostKeyView } from '../model/views.ts';
import { requestedServer } from './requested-server.ts';

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
