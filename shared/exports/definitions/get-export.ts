import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import type { Problem } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { requestedDefinition } from '../model/requested-items.ts';
import { readView, type DefinitionReadDeps } from './export-views.ts';

/** `GET exports/{export_id}`: the definition, the status of its latest job and the location of the latest file. */
export const getExport = async (
  deps: DefinitionReadDeps,
  request: ApiRequest<unknown, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const seen = await requestedDefinition(deps.exports, request);
  if (!seen) return err(notFound('export', request));
  return ok({ status: 200, body: await readView(deps, seen.value, request.now) });
};
