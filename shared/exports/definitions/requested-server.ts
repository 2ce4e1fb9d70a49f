import type { ApiRequest } from '../../http/api-types.ts';
import type { ExportDefinition } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { requestedDefinition } from '../model/requested-items.ts';

/** The definition that a request names, and the SFTP server that it pushes to; `undefined` without such a server. */
export const requestedServer = async (
  exports: Pick<ExportRepository, 'definition'>,
  request: ApiRequest<unknown, unknown>,
): Promise<{ readonly definition: ExportDefinition; readonly domain: string } | undefined> => {
  const definition = (await requestedDefinition(exports, request))?.value;
  return definition?.destination ? { definition, domain: definition.destination.domain } : undefined;
};
