import { isoTime } from '../../runtime/clock.ts';
import type { ExportDefinition, ExportJob, ExportPlan } from '../model/items.ts';

/** How many profiles each segment of an export had when it was planned. */
export type SegmentSizes = readonly { readonly id: number; readonly profiles: number }[];

interface ManifestFacts {
  readonly job: ExportJob;
  readonly plan: ExportPlan;
  readonly definition: ExportDefinition;
  readonly columns: readonly string[];
  readonly sizes: SegmentSizes;
  readonly file: {
    readonly name: string;
    readonly rows: number;
    readonly skipped: number;
    readonly bytes: number;
    readonly sha256: string;
  };
}

/**
 * The manifest: describes the file of a job for programs. It is written once the file is durable. Segments have their
 * ids and no names, because names come from the data.
 */
export const manifestOf = ({ job, plan, definition, columns, sizes, file }: ManifestFacts): string =>
  JSON.stringify(
    {
      version: 1,
      property: job.property,
      export_id: String(job.export),
      job_id: String(job.job),
      file: file.name,
      data_format: definition.data_format,
      compression: definition.compression,
      field_set: definition.field_set,
      consent: definition.consent,
      scope: definition.scope,
      delta_from: plan.base === null ? null : String(plan.base.job),
      columns,
      rows: file.rows,
      rows_skipped: file.skipped,
      bytes: file.bytes,
      sha256: file.sha256,
      members: plan.members,
      segments: sizes,
      watermark: isoTime(plan.watermark),
    },
    undefined,
    2,
  );
