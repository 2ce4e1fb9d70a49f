/** Import workflow: takes one file from its upload to `complete`. */
import { limits } from '../../shared/config/limits.ts';
import { type Definition, choice, fail, pause, succeed, wait } from '../constructs/states.ts';
import type { Call } from '../constructs/workflow.ts';

const reference = { 'property.$': '$.property', 'import.$': '$.import', 'job.$': '$.job' };
const failure = 'FailImport';

/** Pause before the next attempt of a failed last step. The cause of such a failure is never the file. */
const trouble = limits.workflows.pollSecondsMax;

/**
 * Imports one file. Input: `{property, import, job}`, ids only. An unreadable file is a result (`status: failed`, with
 * the reason in the job), not an exception. The workflow retries exceptions and then marks the job failed. Once all rows
 * are in batches, the workflow no longer marks the job failed: it repeats the last step until that step succeeds.
 */
export const importFile = (call: Call): Definition => ({
  StartAt: 'InspectFile',
  States: {
    InspectFile: call('inspectFile', {
      payload: reference,
      resultPath: '$.inspected',
      next: 'IsReadable',
      failure,
    }),
    // Several calls read a large file of unknown encoding; each continues behind the previous call.
    IsReadable: choice(
      [
        ['$.inspected.answer.status', 'failed', 'AnnounceImport'],
        ['$.inspected.answer.done', false, 'InspectFile'],
      ],
      'SplitFile',
    ),
    SplitFile: call('splitFile', {
      payload: reference,
      resultPath: '$.split',
      next: 'IsSplit',
      failure,
    }),
    // Several calls split a large file; each continues after the last row of the previous call.
    IsSplit: choice(
      [
        ['$.split.answer.status', 'failed', 'AnnounceImport'],
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
    IsSettled: choice([['$.settled.answer.done', true, 'AnnounceImport']], 'WaitForBatches'),
    WaitForBatches: wait('$.settled.answer.wait_seconds', 'SettleImport'),
    TroubleOfSettleImport: pause(trouble, 'SettleImport'),
    // Repeats until every delivery about the end of the job has arrived or was given up, after three days at most.
    AnnounceImport: call('announceImport', {
      payload: reference,
      resultPath: '$.announced',
      next: 'IsAnnounced',
      failure: 'TroubleOfAnnounceImport',
    }),
    IsAnnounced: choice([['$.announced.answer.done', true, 'IsFailed']], 'WaitForDelivery'),
    WaitForDelivery: wait('$.announced.answer.wait_seconds', 'AnnounceImport'),
    TroubleOfAnnounceImport: pause(trouble, 'AnnounceImport'),
    IsFailed: choice([['$.broken.answer.status', 'failed', 'Failed']], 'Complete'),
    Complete: succeed,
    FailImport: call('failImport', {
      payload: { ...reference, 'error.$': '$.failure.Error', 'cause.$': '$.failure.Cause' },
      resultPath: '$.broken',
      next: 'AnnounceImport',
      failure: 'TroubleOfFailImport',
    }),
    TroubleOfFailImport: pause(trouble, 'FailImport'),
    Failed: fail('ImportFailed', 'A step failed after all retries; the job names the step.'),
  },
});
