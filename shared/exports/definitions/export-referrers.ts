import * as v from 'valibot';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { fenceAbsent, type InspectReferrers } from '../../references/delete-unreferenced.ts';
import { isLive } from '../../references/lifecycle.ts';
import { touchItem } from '../../references/references.ts';
import { exportDefinition, isOpen, type ExportDefinition, type JobRef } from '../model/items.ts';
import { exportRepository } from '../model/repository.ts';

/**
 * How exports stand to what they name: in use while a schedule has runs to come, and until the jobs of the lane have ended.
 * Whoever runs one again must announce its uses anew, and write the definition on condition that it is as it was read.
 */
export const exportReferrers =
  (table: Table): InspectReferrers =>
  async (property, ids) => {
    const items = await table.getMany(ids.map((id) => keys.exportDefinition(property, id)));
    const definitions = items.map((item) => (isLive(item) ? v.parse(exportDefinition, item) : undefined));
    const refs = definitions.flatMap((one) => (one ? jobsIn(one) : []));
    const jobs = await exportRepository(table).jobsOf(refs);
    // A job that its definition names and that is not there yet is about to be stored.
    const busy = refs.filter((_, index) => isOpen(jobs[index] ?? { status: 'pending' }));
    const running = new Set(busy.map((ref) => ref.export));
    return items.map((item, index) => {
      const id = ids[index] ?? 0;
      if (item === undefined) return fenceAbsent(property, { kind: 'export', id });
      if (!isLive(item)) return { kind: 'inactive' };
      const using = running.has(id) || definitions[index]?.to_come === true;
      return using ? { kind: 'active' } : { kind: 'pending', fence: touchItem(item) };
    });
  };

const jobsIn = ({ property, export: id, current_job, waiting_job }: ExportDefinition): readonly JobRef[] =>
  [current_job, waiting_job].flatMap((job) => (job === null ? [] : [{ property, export: id, job }]));
