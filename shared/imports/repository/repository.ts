/** Import repository: reads and writes definitions, jobs and batches in the table, for all use cases of imports. */
import type { Pause } from '../../runtime/pause.ts';
import { allocatedId, allocateIdOnce, type RequestIdentity } from '../../table/idempotent-ids.ts';
import { keys } from '../../table/keys.ts';
import { scopedId } from '../../table/scoped-ids.ts';
import type { Table } from '../../table/table.ts';
import { tallyItems } from '../counting/tally.ts';
import { guardItems } from '../items/guard-items.ts';
import { deliveryItems } from '../items/import-delivery.ts';
import { definitionItems, jobItems } from './stored-items.ts';

type Kind = 'import' | 'import-job';

/** The repository on a table. */
export const importRepository = (deps: { readonly table: Table; readonly pause: Pause }) => {
  const { table } = deps;
  const tallies = tallyItems(deps);
  const nextId = async (property: number, kind: Kind): Promise<number> =>
    scopedId(property, await table.increment(keys.counter(property, kind), 1));
  return {
    ...definitionItems(table),
    ...jobItems(table, tallies.countBatches),
    ...tallies,
    ...guardItems(deps),
    ...deliveryItems(table),
    nextId,
    /** The id for the resource that a request creates: the same id for each repetition of the request. */
    idOf: (requestIdentity: RequestIdentity, kind: Kind): Promise<number> =>
      allocateIdOnce(table, requestIdentity, kind, () => nextId(requestIdentity.property, kind)),
    /** Stores that a request is about to complete the upload of a job. */
    noteCompletion: async (requestIdentity: RequestIdentity, job: number): Promise<void> => {
      await allocateIdOnce(table, requestIdentity, COMPLETION, () => Promise.resolve(job));
    },
    /** Whether an earlier try of a request was about to complete an upload. */
    isCompletionNoted: async (requestIdentity: RequestIdentity): Promise<boolean> =>
      (await allocatedId(table, requestIdentity, COMPLETION)) !== undefined,
    /** The number of the replay that a request makes: `next`, unless an earlier try of it has a number already. */
    replayOf: (requestIdentity: RequestIdentity, next: number): Promise<number> =>
      allocateIdOnce(table, requestIdentity, 'replay', () => Promise.resolve(next)),
  };
};

/** Definitions, jobs and batches in the table. */
export type ImportRepository = ReturnType<typeof importRepository>;

/** The kind under which a request stores that it completes an upload. */
const COMPLETION = 'completion';
