/** Jobs by id: the jobs of all definitions of a property, read by their ids, so that no list of them is stored. */
import type { Page } from '../../http/listing.ts';
import type { Listed } from '../../runtime/pages.ts';
import { keys } from '../../table/keys.ts';
import { readCounter } from '../../table/read-counter.ts';
import { scopedId } from '../../table/scoped-ids.ts';
import type { Table } from '../../table/table.ts';
import { type ImportJob, parseJob } from '../items/import-job.ts';

/** Ids that one call reads where the ids before had no jobs. */
const IDS_AT_ONCE = 100;

/**
 * A page of the jobs of a property, in the order of their ids, which is that of their creation; its position is the id of
 * a job. One counter gives out the ids of jobs and nothing else, so few ids have no job, but for those that a restore
 * passes over: up to 100,000. The calls that the page may make bound how many of these it examines, a read unit each, and
 * then it is short, or empty, and has a next page.
 */
export const jobsById =
  (table: Pick<Table, 'get' | 'getMany'>) =>
  async (property: number, { limit, after, descending = false, work }: Page): Promise<Listed<ImportJob>> => {
    const isGoingDown = descending && after !== undefined;
    let least = after === undefined || descending ? scopedId(property, 1) : Number(after) + 1;
    let most = isGoingDown ? Number(after) - 1 : await lastId(table, property);
    const jobs: ImportJob[] = [];
    let wanted = limit;
    while (least <= most) {
      const count = Math.min(wanted, most - least + 1);
      const from = descending ? most : least;
      const ids = Array.from({ length: count }, (_, index) => (descending ? from - index : from + index));
      if (descending) most -= count;
      else least += count;
      const items = await table.getMany(ids.map((id) => keys.job(property, id)));
      const found = items.flatMap((item) => (item ? [parseJob(item)] : []));
      const room = limit - jobs.length;
      jobs.push(...found.slice(0, room));
      if (found.length > room) return { items: jobs, next: String(jobs.at(-1)?.id) };
      const isLast = jobs.length === limit || work?.take(1) === false;
      if (isLast) return { items: jobs, next: least <= most ? String(ids.at(-1)) : undefined };
      wanted = found.length === 0 ? IDS_AT_ONCE : limit - jobs.length;
    }
    return { items: jobs };
  };

const lastId = async (table: Pick<Table, 'get'>, property: number): Promise<number> =>
  scopedId(property, await readCounter(table, keys.counter(property, 'import-job')));
