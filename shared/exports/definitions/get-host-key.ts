import type { UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { err, ok } from '../../runtime/result.ts';
import type { ExportRepository } from '../model/repository.ts';
import { hostKeyView } from '../model/views.ts';
import { requestedServer } from './requested-server.ts';

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
