import { limits } from '../../shared/config/limits.ts';
import { type Definition, choice, parallel, pause, succeed, wait } from '../constructs/states.ts';
import type { Call } from '../constructs/workflow.ts';

const payload = { 'property.$': '$.property', 'export.$': '$.export', 'job.$': '$.job' };

/**
 * Tries one way of delivering again and again, until its function says that it has ended. A function that fails for good is
 * in trouble of ours, or has a bug: its alarm rings, and the delivery goes on hourly, because nobody else would.
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
 * Delivers a job that has ended. Input: `{property, export, job}`, ids only. The file is pushed first, so that whoever is told
 * finds it; a push that fails holds nobody back: it goes on beside the notices. Each keeps its own state and retries.
 * Several executions of one job don't disturb each other: attempts are taken one at a time.
 */
export const deliverExport = (call: Call): Definition => ({
  StartAt: 'PushFirst',
  States: {
    PushFirst: call('deliverFile', { payload, next: 'Deliver', failure: 'Deliver' }),
    Deliver: parallel(
      [
        untilDone(call, 'deliverFile', 'PushFile'),
        untilDone(call, 'deliverWebhook', 'TellWebhook'),
        untilDone(call, 'deliverEmail', 'SendEmail'),
      ],
      'Delivered',
    ),
    Delivered: succeed,
  },
});
