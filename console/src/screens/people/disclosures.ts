/** Who may have the data of a person, as rows: one an export or a service outside. */
import type { Answer } from '../../../../client/src/types.ts';

/** Who may have got the data of a person. */
export type Disclosures = Answer<'forgetProfile'>['disclosures'];

type Job = Disclosures['exports'][number]['jobs'][number];
type Delivery = Job['deliveries'][number];

/** Somebody to whom an export went, and how that stands: as Home says it. */
export interface Receiver {
  readonly name: string;
  readonly state: 'delivered' | 'delivering' | 'retrying' | 'undelivered';
  /** When something reached them last. */
  readonly delivered: string | null;
}

const states = {
  waiting: 'delivering',
  sending: 'delivering',
  retrying: 'retrying',
  delivered: 'delivered',
  exhausted: 'undelivered',
} as const;

const newest = (times: readonly (string | null)[]): string | null =>
  times.reduce((last, time) => (time !== null && (last === null || time > last) ? time : last), null);

/**
 * The receivers of the jobs of an export, each once. Whoever got one file has data, whatever became of the others; of
 * somebody who got none, the newest delivery counts.
 */
export const receiversOf = (jobs: readonly Job[]): readonly Receiver[] => {
  const deliveries = jobs.flatMap((job) => job.deliveries);
  return [...Map.groupBy(deliveries, ({ receiver }) => receiver)].map(([name, own]) => {
    const delivered = newest(own.map((delivery) => delivery.delivered));
    return { name, delivered, state: delivered === null ? stateOf(own) : 'delivered' };
  });
};

const stateOf = ([delivery]: readonly Delivery[]): Receiver['state'] => states[delivery?.state ?? 'waiting'];

/** When the newest file of some jobs was finished. */
export const lastFinished = (jobs: readonly Job[]): string | null => newest(jobs.map((job) => job.finished));

/** Until when the last file opened to everybody who had its address. */
export const openUntil = (jobs: readonly Job[]): string | null =>
  newest(jobs.map(({ location_until }) => location_until));
