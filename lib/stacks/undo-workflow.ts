/** Undo workflow: takes back what an import job brought. */
import { limits } from '../../shared/config/limits.ts';
import { type Definition, choice, pause, succeed, wait } from '../constructs/states.ts';
import type { Call } from '../constructs/workflow.ts';

/** Pause before the next attempt of a failed step. A step can be repeated from any point, so the workflow never gives up. */
const trouble = limits.workflows.pollSecondsMax;

/** Undoes one job. Input: `{property, import, job}`, ids only. The only step is repeated until it is done. */
export const undoJob = (call: Call): Definition => ({
  StartAt: 'UndoImport',
  States: {
    UndoImport: call('undoImport', {
      payload: { 'property.$': '$.property', 'import.$': '$.import', 'job.$': '$.job' },
      resultPath: '$.undone',
      next: 'IsDone',
      failure: 'TroubleOfUndoImport',
    }),
    IsDone: choice([['$.undone.answer.done', true, 'Complete']], 'WaitForNextCall'),
    WaitForNextCall: wait('$.undone.answer.wait_seconds', 'UndoImport'),
    TroubleOfUndoImport: pause(trouble, 'UndoImport'),
    Complete: succeed,
  },
});
