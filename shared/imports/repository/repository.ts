/** Import repository: reads and writes definitions, jobs and batches in the table, for all use cases of imports. */
import type { Pause } from '../../runtime/pause.ts';
import { allocatedId, allocateIdOnce, type RequestIdentity } from '../../table/idempotent-ids.ts';
import { keys } from '../../table/keys.ts';
import { scopedId } from '../../table/scoped-ids.ts';
import type { Table } from '../../table/table.ts';
import { type DefinitionItems, definitionItems } from './definition-items.ts';
import { type GuardItems, guardItems } from '../items/guard-items.ts';
import { type DeliveryItems, deliveryItems } from '../items/import-delivery.ts';
import { type JobItems, jobItems } from './job-items.ts';
import { type TallyItems, tallyItems } from '../counting/tally-items.ts';

/** Definitions, jobs and batches in the table. */
export interface ImportRepository extends DefinitionItems, JobItems, TallyItems, GuardItems, DeliveryItems {
  nextId(property: number, kind: 'import' | 'import-job'): Promise<number>;
  /** The id for the resource that a request creates: the same id for each repetition of the request. */
  idOf(requestIdentity: RequestIdentity, kind: 'import' | 'import-job'): Promise<number>;
  /** Stores that a request is about to complete the upload of a job. */
  noteCompletion(requestIdentity: RequestIdentity, job: number): Promise<void>;
  /** Whether an earlier try of a request was about to complete an upload. */
  isCompletionNoted(requestIdentity: RequestIdentity): Promise<boolean>;
  /** The number of the replay that a request makes: `next`, unless an earlier try of the request has a number already. */
  replayOf(requestIdentity: RequestIdentity, next: number): Promise<number>;
}

/** The repository on a table. */
export const importRepository = (deps: {
  readonly table: Table;
  readonly pause: Pause;
}): ImportRepository => {
  const { table } = deps;
  const tallies = tallyItems(deps);
  return {
    nextId: (property, kind) => nextId(table, property, kind),
    idOf: (requestIdentity, kind) =>
      allocateIdOnce(table, requestIdentity, kind, () => nextId(table, requestIdentity.property, kind)),
    noteCompletion: async (requestIdentity, job) => {
      await allocateIdOnce(table, requestIdentity, COMPLETION, () => Promise.resolve(job));
    },
    isCompletionNoted: async (requestIdentity) =>
      (await allocatedId(table, requestIdentity, COMPLETION)) !== undefined,
    replayOf: (requestIdentity, next) =>
      allocateIdOnce(table, requestIdentity, 'replay', () => Promise.resolve(next)),
    ...definitionItems(table),
    ...jobItems(table, tallies.countBatches),
    ...tallies,
    ...guardItems(deps),
    ...deliveryItems(table),
  };
};

/** The kind under which a request stores that it completes an upload. */
const COMPLETION = 'completion';

const nextId = async (table: Table, property: number, kind: 'import' | 'import-job'): Promise<number> =>
  scopedId(property, await table.increment(keys.counter(property, kind), 1));
