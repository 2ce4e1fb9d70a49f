/** Named items: the definitions and jobs that the path of a request names, or the input of a workflow. */
import type { ApiRequest } from '../../http/api-types.ts';
import type { KeyService } from '../../runtime/ports.ts';
import { belongsTo } from '../../table/scoped-ids.ts';
import type { Versioned } from '../../table/versioned.ts';
import type { ExportDefinition, ExportJob, ExportPlan, JobRef } from './items.ts';
import type { ExportRepository } from './repository.ts';
import { partsContext } from './work-keys.ts';

type Path = Pick<ApiRequest<unknown, unknown>, 'property' | 'path'>;

/** The definition that the path of a request names; `undefined` for an id of another property too, without a read. */
export const requestedDefinition = async (
  exports: Pick<ExportRepository, 'definition'>,
  { property, path }: Path,
): Promise<Versioned<ExportDefinition> | undefined> => {
  const id = Number(path['export_id']);
  return belongsTo(property.id, id) ? exports.definition(property.id, id) : undefined;
};

/** The job that the path of a request names, if its definition was not deleted. */
export const requestedJob = async (
  exports: Pick<ExportRepository, 'definition' | 'job'>,
  request: Path,
): Promise<Versioned<ExportJob> | undefined> => {
  const { property, path } = request;
  const ref: JobRef = {
    property: property.id,
    export: Number(path['export_id']),
    job: Number(path['job_id']),
  };
  if (!belongsTo(property.id, ref.export) || !belongsTo(property.id, ref.job)) return undefined;
  const [definition, job] = await Promise.all([requestedDefinition(exports, request), exports.job(ref)]);
  return definition && job;
};

/** The job of a workflow. Throws when it is missing: the workflow starts after the job was stored. */
export const requireJob = async (exports: ExportRepository, ref: JobRef): Promise<Versioned<ExportJob>> => {
  const job = await exports.job(ref);
  if (!job) throw new Error('exports: the job is missing');
  return job;
};

/** The definition that a job works by, frozen when the job began. Throws when it is missing. */
export const requireDefinition = async (
  exports: ExportRepository,
  ref: JobRef,
): Promise<ExportDefinition> => {
  const definition = await exports.frozenDefinition(ref);
  if (!definition) throw new Error('exports: the definition is missing');
  return definition;
};

/** The plan of a running job. Throws when there is none: planning comes first. */
export const requirePlan = ({ plan }: ExportJob): ExportPlan => {
  if (!plan) throw new Error('exports: the job is not planned');
  return plan;
};

/** The key that seals the parts of a planned job. */
export const dataKeyOf = async (
  keyService: Pick<KeyService, 'decrypt'>,
  job: ExportJob,
): Promise<Uint8Array> => keyService.decrypt(requirePlan(job).data_key, partsContext(job));
