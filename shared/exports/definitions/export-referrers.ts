import * as v from 'valibot';
import type { InspectReferrers } from '../../references/delete-unreferenced.ts';
import { isLive } from '../../references/lifecycle.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { exportDefinition, exportJob, type ExportDefinition, type JobRef } from '../model/items.ts';
import { isOpen } from '../model/transitions.ts';

/**
 * Inspects exports as referrers of segments and collections. An export is active while its schedule has runs to come,
 * and while a job of its run queue is open.
 */
export const exportReferrers =
  (table: Table): InspectReferrers =>
  async (property, ids) => {
    const items = await table.getMany(ids.map((id) => keys.exportDefinition(property, id)));
    const definitions = items.map((item) => (isLive(item) ? v.parse(exportDefinition, item) : undefined));
    const refs = definitions.flatMap((definition) => (definition ? jobsIn(definition) : []));
    const jobs = await table.getMany(refs.map((ref) => keys.exportJob(ref.property, ref.export, ref.job)));
    // A queued job without an item is about to be stored: it counts as open.
    const open = refs.filter((_, index) => {
      const job = jobs[index];
      return !job || isOpen(v.parse(exportJob, job));
    });
    const running = new Set(open.map((ref) => ref.export));
    return definitions.map(
      (definition, index) => running.has(ids[index] ?? 0) || definition?.to_come === true,
    );
  };

const jobsIn = ({ property, export: id, current_job, waiting_job }: ExportDefinition): readonly JobRef[] =>
  [current_job, waiting_job].flatMap((job) => (job === null ? [] : [{ property, export: id, job }]));
