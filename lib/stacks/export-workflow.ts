/** Export workflow: takes one export job from its frozen members to its file, then starts the deliveries. */
import { limits } from '../../shared/config/limits.ts';
import { type Definition, choice, fail, forEach, pause, succeed, wait } from '../constructs/states.ts';
import type { Call } from '../constructs/workflow.ts';

const reference = { 'property.$': '$.property', 'export.$': '$.export', 'job.$': '$.job' };
const failure = 'FailExport';

/**
 * Runs one export job. Input: `{property, export, job}`, ids only. While another job of the definition runs, the
 * workflow waits before its plan. A job that the plan refuses is a result (`status: failed`). After every job the
 * workflow starts the deliveries, which run on their own. A finished job never changes. When the deliveries do not
 * start, the execution fails at that step: the alarm fires, and a redrive starts the deliveries. The step that records a
 * failure is repeated until it succeeds, because no other component would end the job.
 */
export const runExport = (call: Call, partsAtOnce: number): Definition => ({
  StartAt: 'PlanExport',
  States: {
    PlanExport: call('planExport', {
      payload: reference,
      resultPath: '$.plan',
      next: 'IsPlanned',
      failure,
    }),
    IsPlanned: choice(
      [
        ['$.plan.answer.status', 'failed', 'StartDeliveries'],
        ['$.plan.answer.status', 'waiting', 'WaitForTurn'],
      ],
      'WriteParts',
    ),
    WaitForTurn: wait('$.plan.answer.wait_seconds', 'PlanExport'),
    WriteParts: forEach({
      itemsPath: '$.plan.answer.shards',
      item: { ...reference, 'shard.$': '$$.Map.Item.Value.shard' },
      maxConcurrency: partsAtOnce,
      iterator: {
        StartAt: 'WriteExportPart',
        States: {
          WriteExportPart: call('writeExportPart', { payload: { ...reference, 'shard.$': '$.shard' } }),
        },
      },
      next: 'AssembleExport',
      failure,
    }),
    AssembleExport: call('assembleExport', {
      payload: reference,
      resultPath: '$.assembly',
      next: 'IsAssembled',
      failure,
    }),
    IsAssembled: choice([['$.assembly.answer.status', 'running', 'AssembleExport']], 'StartDeliveries'),
    StartDeliveries: call('startDeliveries', { payload: reference, next: 'IsFailed' }),
    IsFailed: choice([['$.failed.answer.status', 'failed', 'Failed']], 'Complete'),
    Complete: succeed,
    FailExport: call('failExport', {
      payload: { ...reference, 'error.$': '$.failure.Error', 'cause.$': '$.failure.Cause' },
      resultPath: '$.failed',
      next: 'StartDeliveries',
      failure: 'TroubleOfFailExport',
    }),
    TroubleOfFailExport: pause(limits.workflows.pollSecondsMax, 'FailExport'),
    Failed: fail('ExportFailed', 'A step failed after all retries; the job names the step.'),
  },
});
