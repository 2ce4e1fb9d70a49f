import type { ApiRequest } from '../../http/api-types.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import type { ImportJob } from '../items/import-job.ts';
import type { ImportRepository } from './repository.ts';

type RequestPath = Pick<ApiRequest<unknown, unknown>, 'property' | 'path'>;

/** The definition that the path of a request names. */
export const definitionInPath = (
  imports: ImportRepository,
  { property, path }: RequestPath,
): Promise<ImportDefinition | undefined> => imports.definition(property.id, Number(path['import_id']));

/** The job that the path of a request names; `undefined` unless the job belongs to the definition in the path. */
export const jobInPath = async (
  imports: ImportRepository,
  { property, path }: RequestPath,
): Promise<ImportJob | undefined> => {
  const job = await imports.job(property.id, Number(path['job_id']));
  return job && job.import === Number(path['import_id']) ? job : undefined;
};
