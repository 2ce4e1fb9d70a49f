import type { UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { err, ok } from '../../runtime/result.ts';
import { requestedDefinition } from '../model/requested-items.ts';
import { readView, type DefinitionReadDeps } from './export-views.ts';

/** `GET exports/{export_id}`: the definition, the status of its latest job and the location of the latest file. */
export const getExport: UseCase<DefinitionReadDeps> = async (deps, request) => {
  const seen = await requestedDefinition(deps.exports, request);
  if (!seen) return err(notFound('export', request));
  return ok({ status: 200, body: await readView(deps, seen.value, request.now) });
};
