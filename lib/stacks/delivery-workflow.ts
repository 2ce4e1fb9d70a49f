import { limits } from '../../shared/config/limits.ts';
import { type Definition, choice, parallel, pause, succeed, wait } from '../constructs/states.ts';
import type { Call } from '../constructs/workflow.ts';

const payload = { 'property.$': '$.property', 'export.$': '$.export', 'job.$': '$.job' };

/**
 * Calls the function of one delivery channel repeatedly until the function reports its end. A function that keeps
 * failing means an operational problem or a bug. Its alarm fires, and the workflow continues hourly, because no other
 * component would deliver the job.
 */
const untilDone = (call: Call, name: string, state: string): Definition => ({
  StartAt: state,
  States: {
    [state]: call(name, { payload, resultPath: '$.last', next: `Is${state}`, failure: `TroubleOf${state}` }),
    [`Is${state}`]: choice(
      [
        ['$.last.answer.delivered', true, `End${state}`],
        ['$.last.answer.exhausted', true, `End${state}`],
      ],
      `WaitFor${state}`,
    ),
    [`WaitFor${state}`]: wait('$.last.answer.wait_seconds', state),
    [`TroubleOf${state}`]: pause(limits.exports.troubleSeconds, state),
    [`End${state}`]: succeed,
  },
});

/**
 * Delivers a finished job. Input: `{property, export, job}`, ids only. The pushes come first, so that recipients of the
 * notices find the file. A failed push does not delay the notices: it continues in parallel. Each channel has its
 * own state and retries. Several executions for one job do not conflict, because the attempts of a channel are
 * serialized.
 */
export const deliverExport = (call: Call): Definition => ({
  StartAt: 'PushFirst',
  States: {
    PushFirst: call('deliverFile', { payload, next: 'PutFirst', failure: 'PutFirst' }),
    PutFirst: call('deliverObject', { payload, next: 'Deliver', failure: 'Deliver' }),
    Deliver: parallel(
      [
        untilDone(call, 'deliverFile', 'PushFile'),
        untilDone(call, 'deliverObject', 'PutObject'),
        untilDone(call, 'deliverChanges', 'TellChanges'),
        untilDone(call, 'deliverWebhook', 'TellWebhook'),
        untilDone(call, 'deliverEmail', 'SendEmail'),
      ],
      'Delivered',
    ),
    Delivered: succeed,
  },
});
