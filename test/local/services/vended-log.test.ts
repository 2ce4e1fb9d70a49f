import { describe, expect, it } from 'vitest';
import { createFaults, type Faults } from '../../../local/core/faults.ts';
import { compileLinePattern } from '../../../local/services/logs/line-pattern.ts';
import { openVendedLog } from '../../../local/services/logs/vended-log.ts';
import { subscribedLines } from '../../../shared/runtime/subscribed-lines.ts';

const GROUP = 'arn:aws:logs:us-east-1:000000000000:log-group:/aws/vendedlogs/transfer/sftp:*';

const open = ({
  pattern = '{ $.activity-type = "CONNECTED" }',
  faults,
}: { pattern?: string; faults?: Faults } = {}) => {
  const kept: string[] = [];
  const sent: unknown[][] = [];
  const log = openVendedLog({
    name: '/aws/vendedlogs/transfer/sftp',
    arn: GROUP,
    subscriptions: [{ name: 'connected', pattern, target: 'f' }],
    keep: (text) => void kept.push(text),
    deliver: (target, sender, event) => {
      sent.push([target, sender, subscribedLines(JSON.parse(event))]);
      return Promise.resolve();
    },
    now: () => 7,
    faults,
  });
  return { log, kept, sent };
};

describe('a log that a service writes', () => {
  it('keeps each line, and tells of those that the filter lets through, as CloudWatch Logs', async () => {
    const { log, kept, sent } = open();
    for (const kind of ['CONNECTED', 'AUTH_FAILURE']) log.write('s', { 'activity-type': kind });
    expect(kept).toEqual(['{"activity-type":"CONNECTED"}\n', '{"activity-type":"AUTH_FAILURE"}\n']);
    expect(sent).toEqual([
      [
        { arn: 'f' },
        { principal: 'logs.amazonaws.com', sourceArn: GROUP },
        [{ timestamp: 7, message: '{"activity-type":"CONNECTED"}' }],
      ],
    ]);
    expect(log.busy()).toBe(1);
    await expect.poll(() => log.busy()).toBe(0);
  });

  it('under faults delivers a line twice', () => {
    const { log, sent } = open({ faults: createFaults(1, 1) });
    log.write('s', { 'activity-type': 'CONNECTED' });
    expect(sent).toHaveLength(2);
    expect(sent[0]).toEqual(sent[1]);
  });

  it('does not open with a filter that it cannot follow', () => {
    expect(() => open({ pattern: '{ $.a = "CONN*" }' })).toThrow('{ $.a = "CONN*" }');
  });
});

describe('a filter pattern', () => {
  it.each(['', 'CONNECTED', '{ $.a = b }', '{ $.a.b = "c" }', '{ $.a != "b" }'])(
    '%j is not known',
    (pattern) => {
      expect(compileLinePattern(pattern)).toBeUndefined();
    },
  );

  it.each(['', 'CONNECTED', '[]', 'null', '"activity-type"', '{"activity-type":["CONNECTED"]}'])(
    'never lets through %j',
    (line) => {
      expect(compileLinePattern('{ $.activity-type = "CONNECTED" }')?.(line)).toBe(false);
    },
  );
});
