import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { subscribedLines } from '../../shared/runtime/subscribed-lines.ts';

const callWith = (content: unknown) => ({
  awslogs: { data: gzipSync(JSON.stringify(content)).toString('base64') },
});

/** A call in the form of the CloudWatch Logs User Guide. */
const call = (logEvents: readonly unknown[]) =>
  callWith({
    owner: '111111111111',
    logGroup: '/aws/vendedlogs/transfer/tidemark-prod-sftp',
    logStream: 'demo.9ca9a0e1cec6ad9d',
    subscriptionFilters: ['tidemark-prod-recordSftpLogin'],
    messageType: 'DATA_MESSAGE',
    logEvents,
  });

describe('the lines that CloudWatch Logs sends', () => {
  it('have their text and their own time', () => {
    const id = '31953106606966983378809025079804211143289615424298221568';
    const line = { timestamp: 1_432_826_855_000, message: '{"activity-type":"CONNECTED"}' };
    expect(subscribedLines(call([{ id, ...line }]))).toEqual([line]);
  });

  it('are none when it asks whether the function can be reached', () => {
    const asked = {
      messageType: 'CONTROL_MESSAGE',
      logEvents: [{ id: '', timestamp: 1, message: 'CWL CONTROL MESSAGE: Checking health' }],
    };
    expect(subscribedLines(callWith(asked))).toEqual([]);
  });

  it.each([
    ['nothing', undefined],
    ['no data', {}],
    ['text that is not gzipped', { awslogs: { data: 'e30=' } }],
    ['another kind of message', callWith({ messageType: 'OTHER', logEvents: [] })],
    ['a line without a time', call([{ id: '1', message: '{}' }])],
    ['a line before 1970', call([{ id: '1', timestamp: -1, message: '{}' }])],
  ])('are refused in a call with %s', (_, given) => {
    expect(() => subscribedLines(given)).toThrow();
  });

  it('are refused in a call that unpacks to more than CloudWatch sends', () => {
    const message = 'x'.repeat(9 * 1_024 * 1_024);
    expect(() => subscribedLines(call([{ id: '1', timestamp: 1, message }]))).toThrow();
  });
});
