import * as v from 'valibot';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { takePlace, type LookAtUsers } from '../uses/delete-unused.ts';
import { isThere, touch } from '../uses/uses.ts';
import { exportDefinition } from './items.ts';
import { exportRepository } from './repository.ts';

/**
 * How exports stand to what they name: in use until the newest job has ended. Whoever runs one again must announce its uses
 * anew, and write the definition on condition that it is as it was read.
 */
export const exportUsers =
  (table: Table): LookAtUsers =>
  async (property, ids) => {
    const items = await table.getMany(ids.map((id) => keys.exportDefinition(property, id)));
    const definitions = items.map((item) => (isThere(item) ? v.parse(exportDefinition, item) : undefined));
    const jobs = await exportRepository(table).jobsOf(
      definitions.flatMap((one) => (one ? [{ ...one, job: one.latest_job }] : [])),
    );
    const running = new Set(
      jobs.flatMap((job) => (job?.status === 'pending' || job?.status === 'running' ? [job.export] : [])),
    );
    return items.map((item, index) => {
      const id = ids[index] ?? 0;
      if (item === undefined) return takePlace(property, { kind: 'export', id });
      if (!isThere(item)) return { kind: 'never' };
      return running.has(id) ? { kind: 'using' } : { kind: 'coming', stop: touch(item) };
    });
  };
