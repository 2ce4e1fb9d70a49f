import { limits } from '../../shared/config/limits.ts';
import { type Definition, choice, fail, pause, succeed, wait } from '../constructs/states.ts';
import type { Call } from '../constructs/workflow.ts';

const reference = { 'property.$': '$.property', 'import.$': '$.import', 'job.$': '$.job' };
const failure = 'FailImport';

/** A last step that keeps failing is tried again after this: what is wrong is not the file. */
const trouble = limits.workflows.pollSecondsMax;

/**
 * One file from upload to `complete`. Input: `{property, import, job}`, ids only. A file that cannot be read is a result
 * (`status: failed`, the job already says why), not an exception; exceptions are retried and then mark the job failed. Once
 * all rows are in batches nothing marks it failed: the last step is tried until it has looked.
 */
export const importFile = (call: Call): Definition => ({
  StartAt: 'InspectFile',
  States: {
    InspectFile: call('inspectFile', {
      payload: reference,
      resultPath: '$.inspected',
      next: 'IsReadable',
      failure,
      patient: true,
    }),
    IsReadable: choice([['$.inspected.answer.status', 'failed', 'Refused']], 'SplitFile'),
    SplitFile: call('splitFile', {
      payload: reference,
      resultPath: '$.split',
      next: 'IsSplit',
      failure,
      patient: true,
    }),
    // A large file is cut in several calls, each going on where the one before stopped.
    IsSplit: choice(
      [
        ['$.split.answer.status', 'failed', 'Refused'],
        ['$.split.answer.done', false, 'SplitFile'],
      ],
      'SettleImport',
    ),
    SettleImport: call('settleImport', {
      payload: reference,
      resultPath: '$.settled',
      next: 'IsSettled',
      failure: 'TroubleOfSettleImport',
    }),
    IsSettled: choice([['$.settled.answer.done', true, 'Complete']], 'WaitForBatches'),
    WaitForBatches: wait('$.settled.answer.wait_seconds', 'SettleImport'),
    TroubleOfSettleImport: pause(trouble, 'SettleImport'),
    Complete: succeed,
    Refused: succeed,
    FailImport: call('failImport', {
      payload: { ...reference, 'error.$': '$.failure.Error', 'cause.$': '$.failure.Cause' },
      next: 'Failed',
      failure: 'TroubleOfFailImport',
    }),
    TroubleOfFailImport: pause(trouble, 'FailImport'),
    Failed: fail('ImportFailed', 'A step failed for good; the job says which.'),
  },
});
