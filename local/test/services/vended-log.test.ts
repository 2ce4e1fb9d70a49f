import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { createFaults, type Faults } from '../../core/faults.ts';
import { compileLinePattern } from '../../services/logs/line-pattern.ts';
import { openVendedLog } from '../../services/logs/vended-log.ts';

const GROUP = 'arn:aws:logs:us-east-1:000000000000:log-group:/aws/vendedlogs/transfer/sftp:*';

const Call = v.pipe(v.string(), v.parseJson(), v.object({ awslogs: v.object({ data: v.string() }) }));
const Content = v.object({
  messageType: v.literal('DATA_MESSAGE'),
  logEvents: v.array(v.object({ timestamp: v.number(), message: v.string() })),
});

/** The lines in the call of a function, as CloudWatch Logs packs them. */
const linesIn = (event: string) =>
  v.parse(
    Content,
    JSON.parse(gunzipSync(Buffer.from(v.parse(Call, event).awslogs.data, 'base64')).toString()),
  ).logEvents;

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
      sent.push([target, sender, linesIn(event)]);
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

  it('reads a value as JSON does, however it is written', () => {
    const matches = compileLinePattern('{ $.activity-type = "CONNECTED" }');
    expect(matches?.('{"activity-type":"\\u0043ONNECTED"}')).toBe(true);
  });

  it.each(['', 'CONNECTED', '[]', 'null', '"activity-type"', '{"activity-type":["CONNECTED"]}'])(
    'never lets through %j',
    (line) => {
      expect(compileLinePattern('{ $.activity-type = "CONNECTED" }')?.(line)).toBe(false);
    },
  );
});
