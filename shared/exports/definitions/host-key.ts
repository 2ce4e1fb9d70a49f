import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import { problems, type Problem } from '../../http/problem.ts';
import type { Pause } from '../../runtime/pause.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { manyRounds, nextRound } from '../../runtime/retry.ts';
import { belongsTo } from '../../table/scoped-ids.ts';
import type { ExportDefinition, HostKey } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import type { HostKeyBody } from '../model/schemas.ts';
import { hostKeyView } from '../model/views.ts';

/** What reading host keys needs. */
export interface HostKeyDeps {
  readonly exports: ExportRepository;
}

/** What naming host keys needs. */
export interface NameHostKeyDeps extends HostKeyDeps {
  readonly pause: Pause;
}

type Answer = Promise<Result<ApiAnswer, Problem>>;

/** `GET exports/{export_id}/host-key`: the key that the export's SFTP server must have. 404 when it has none. */
export const getHostKey = async ({ exports }: HostKeyDeps, request: ApiRequest<unknown, unknown>): Answer => {
  const pushed = await pushedBy(exports, request);
  if (!pushed) return err(problems.notFound());
  const hostKey = await exports.hostKey(pushed.definition, pushed.domain);
  return ok({ status: 200, body: hostKeyView(pushed.domain, hostKey) });
};

/**
 * `PUT exports/{export_id}/host-key`: from now on the server must have the key of this fingerprint and no other one. So a
 * key that has changed is taken because somebody named it, never because it came.
 */
export const replaceHostKey = async (
  { exports, pause }: NameHostKeyDeps,
  request: ApiRequest<unknown, HostKeyBody>,
): Answer => {
  const pushed = await pushedBy(exports, request);
  if (!pushed) return err(problems.notFound());
  const { fingerprint } = request.body;
  const named: HostKey = { fingerprint, type: null, pinned: request.now, pinned_by: 'request' };
  for (let round = 0; ; round += 1) {
    await nextRound(pause, round, manyRounds, 'exports: a host key');
    if ((await exports.replaceHostKey(pushed.definition, pushed.domain, named)) === 'applied')
      return ok({ status: 200, body: hostKeyView(pushed.domain, named) });
  }
};

/** The definition of the path, and the server that it pushes to. */
const pushedBy = async (
  exports: ExportRepository,
  { property, path }: ApiRequest<unknown, unknown>,
): Promise<{ readonly definition: ExportDefinition; readonly domain: string } | undefined> => {
  const id = Number(path['export_id']);
  const definition = belongsTo(property.id, id)
    ? (await exports.definition(property.id, id))?.value
    : undefined;
  return definition?.destination ? { definition, domain: definition.destination.domain } : undefined;
};
