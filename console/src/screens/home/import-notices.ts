/** What imports tell when they have ended, by a webhook or a mail, and what of it has not arrived. */
import { useRef } from 'preact/hooks';
import type { Answer } from '../../../../client/src/types.ts';
import { useApp } from '../../app-context.ts';
import { placeOf, undeliveredIn } from '../../exports/exports.ts';
import { IDLE_MS, useLoad, type Loaded } from '../../load.ts';
import type { ListedJob } from '../import/import-jobs.tsx';
import { storedDefinitions } from '../import/read-file.ts';
import { isNews, newestAnnounced } from './news.ts';

type Deliveries = Answer<'listImportDeliveries'>['deliveries'];
type Delivery = Deliveries[number];

/** A delivery about the end of a job that has not arrived. */
export interface ImportNotice {
  readonly job: ListedJob;
  /** The address, or the host of the webhook; empty for the files with the result. */
  readonly place: string;
  readonly delivery: Delivery;
}

/** Jobs whose deliveries are asked for at most. */
const JOBS = 20;

const isOver = (deliveries: Deliveries): boolean =>
  deliveries.length > 0 && deliveries.every(({ state }) => state === 'delivered' || state === 'exhausted');

/** Follows the notices about the newest job of each import. Those that are over are asked for once. */
export const useImportNotices = (jobs: readonly ListedJob[]): Loaded<readonly ImportNotice[]> => {
  const { api } = useApp();
  const hasNews = jobs.some(({ finished }) => finished !== null && isNews(finished, Date.now()));
  const { data: definitions = [] } = useLoad(hasNews ? 'imports' : undefined, () => storedDefinitions(api));
  const announced = newestAnnounced(jobs, definitions, Date.now()).slice(0, JOBS);
  const over = useRef(new Map<number, Deliveries>());
  const deliveriesOf = async ({ id, import_definition }: ListedJob): Promise<Deliveries> => {
    const path = { import_id: import_definition, job_id: id };
    const { deliveries } = await api.listImportDeliveries({ path });
    if (isOver(deliveries)) over.current.set(id, deliveries);
    return deliveries;
  };
  const loaded = useLoad(
    announced.length === 0 ? undefined : 'notices',
    () =>
      Promise.all(
        announced.map(async ({ job, definition }): Promise<readonly ImportNotice[]> => {
          const delivery = undeliveredIn(over.current.get(job.id) ?? (await deliveriesOf(job)));
          return delivery ? [{ job, place: placeOf(definition, delivery.kind) ?? '', delivery }] : [];
        }),
      ).then((all) => all.flat()),
    () => IDLE_MS,
  );
  return {
    ...loaded,
    reload: () => {
      over.current.clear();
      loaded.reload();
    },
  };
};
