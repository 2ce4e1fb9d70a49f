/** Undo turn: lets the undos of a property run one after the other. */
import * as v from 'valibot';
import type { Pause } from '../../runtime/pause.ts';
import { done, retryOnConflict } from '../../runtime/retry.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { ImportRepository } from '../model/repository.ts';

const turnItem = v.object({ w: v.string(), job: v.number() });

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
  return retryOnConflict({ pause, what: 'imports: the turn of an undo' }, async () => {
    const item = await table.get(key);
    const held = item && v.parse(turnItem, item);
    if (held?.job === job) return done(true);
    const holder = held && (await imports.job(property, held.job));
    if (holder && holder.undo?.passed === null) return done(false);
    const outcome = await table.write(
      held
        ? { kind: 'update', key, set: { job }, expect: { w: held.w } }
        : { kind: 'insert', key, set: { job } },
    );
    return outcome === 'applied' ? done(true) : 'conflict';
  });
};
