/** Undo turn: lets the undos of a property run one after the other. */
import * as v from 'valibot';
import type { Pause } from '../../runtime/pause.ts';
import { changeItem } from '../../table/change-item.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { ImportRepository } from '../repository/repository.ts';

const turnItem = v.object({ job: v.number() });

const undoneJob = v.object({ undo: v.nullable(v.object({ finished: v.nullable(v.number()) })) });

/**
 * When the newest undo of a property had ended (epoch milliseconds), for readers that compare people before it with people
 * after it; infinite while one takes people's values away, and 0 if there was none. An earlier undo had been at all of its
 * people when the newest took the turn, so both show by the same end.
 */
export const lastUndoOf =
  (table: Pick<Table, 'get'>) =>
  async (property: number): Promise<number> => {
    const item = await table.get(keys.undoTurn(property));
    if (!item) return 0;
    const { job } = v.parse(turnItem, item);
    const { undo } = v.parse(undoneJob, await table.get(keys.job(property, job)));
    return undo?.finished ?? Number.POSITIVE_INFINITY;
  };

export interface TurnDeps {
  readonly table: Pick<Table, 'get' | 'write'>;
  readonly imports: Pick<ImportRepository, 'job'>;
  readonly pause: Pause;
}

/**
 * Takes the turn of a property for the undo of a job; `false` while another job has it. A job gives its turn away by
 * having processed all of its people. Then no profile has a value of that job, which the next undo relies on. So nothing
 * has to be released, and a dead undo keeps its turn until it is repeated.
 */
export const takeUndoTurn = (
  { table, imports, pause }: TurnDeps,
  { property, job }: { readonly property: number; readonly job: number },
): Promise<boolean> => {
  const key = keys.undoTurn(property);
  return changeItem({ table, pause }, { key, what: 'imports: the turn of an undo' }, async (item) => {
    const held = item && v.parse(turnItem, item).job;
    if (held === job) return { result: true };
    const holder = held === undefined ? undefined : await imports.job(property, held);
    return holder?.undo?.passed === null ? { result: false } : { result: true, set: { job } };
  });
};
