import type { Versioned } from '../../table/versioned.ts';
import type { ExportDefinition, ExportJob, ExportPlan, JobRef } from './items.ts';
import type { ExportRepository } from './repository.ts';

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
