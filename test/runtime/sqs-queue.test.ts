import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { queue, redelivery, requestsOf } from '../../shared/runtime/sqs-queue.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import * as v from 'valibot';
import { listening, type Listening } from '../support/listening.ts';
import { stubAws } from './aws-environment.ts';

const single = v.looseObject({ QueueUrl: v.string(), MessageBody: v.optional(v.string()) });

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const body = v.object({ Entries: v.array(v.object({ Id: v.string(), MessageBody: v.string() })) });

let server: Listening;
let url = '';
let received: string[][] = [];

/** Calls for one message. */
let calls: (readonly [target: string, input: unknown])[] = [];

/** Traces that the calls passed on. */
let traces: unknown[] = [];

/** Answers 400 with this error to the next call. */
let refusal: string | undefined;

/** Ids of the entries that the next answers report as failed. */
let failures: { ids: readonly string[]; sender: boolean }[] = [];

beforeAll(async () => {
  const answering = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    request.on('end', () => {
      traces.push(request.headers['x-amzn-trace-id']);
      if (refusal !== undefined) {
        response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
        response.end(JSON.stringify({ __type: `com.amazonaws.sqs#${refusal}` }));
        refusal = undefined;
        return;
      }
      const input: unknown = JSON.parse(Buffer.concat(chunks).toString());
      const call = v.safeParse(body, input);
      if (!call.success) {
        const about = v.parse(single, input);
        calls.push([String(request.headers['x-amz-target']), about]);
        response.setHeader('content-type', 'application/x-amz-json-1.0');
        // The SDK compares the digest of a message that it has sent.
        response.end(JSON.stringify({ MD5OfMessageBody: md5(about.MessageBody ?? '') }));
        return;
      }
      const { Entries } = call.output;
      const failing = failures.shift() ?? { ids: [], sender: false };
      received.push(Entries.map(({ MessageBody }) => MessageBody));
      response.setHeader('content-type', 'application/x-amz-json-1.0');
      response.end(
        JSON.stringify({
          Successful: Entries.filter(({ Id }) => !failing.ids.includes(Id)).map(({ Id, MessageBody }) => ({
            Id,
            MessageId: Id,
            MD5OfMessageBody: md5(MessageBody),
          })),
          Failed: failing.ids.map((Id) => ({ Id, SenderFault: failing.sender, Code: 'X' })),
        }),
      );
    });
  });
  server = await listening(answering);
  url = server.url;
  stubAws(url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  received = [];
  calls = [];
  traces = [];
  failures = [];
});

const send = (bodies: readonly string[]) =>
  queue(`${url}/1/q`, () => Promise.resolve()).send(bodies.map((text) => ({ body: text })));

describe('messages', () => {
  it('are cut into batches of ten, and of 256,000 bytes', () => {
    const sizes = (count: number, bytes: number) =>
      requestsOf(Array.from({ length: count }, () => ({ body: 'é'.repeat(bytes / 2) }))).map(
        ({ length }) => length,
      );
    expect(sizes(25, 2)).toEqual([10, 10, 5]);
    expect(sizes(5, 100_000)).toEqual([2, 2, 1]);
    expect(sizes(2, 255_000)).toEqual([1, 1]);
    expect(sizes(0, 2)).toEqual([]);
  });

  it('that SQS could not take are sent again, and only those', async () => {
    failures = [
      { ids: ['1', '2'], sender: false },
      { ids: ['0'], sender: false },
    ];
    await send(['a', 'b', 'c']);
    expect(received).toEqual([['a', 'b', 'c'], ['b', 'c'], ['b']]);
  });

  it('that SQS refuses are an error at once', async () => {
    failures = [{ ids: ['0'], sender: true }];
    await expect(send(['a'])).rejects.toThrow('refused with X');
    expect(received).toHaveLength(1);
  });

  it.each(['KmsThrottled', 'OverLimit'])(
    'wait while SQS says %s, which the SDK does not know as a throttle',
    async (name) => {
      refusal = name;
      await send(['a']);
      expect([received, traces.length]).toEqual([[['a']], 2]);
    },
  );

  it('pass the trace of their invocation on, by which Lambda finds loops', async () => {
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'tidemark');
    for (const trace of ['Root=1-2;Parent=3;Sampled=0', 'Root=1-4']) {
      vi.stubEnv('_X_AMZN_TRACE_ID', trace);
      await send(['a']);
    }
    expect(traces).toEqual(['Root=1-2;Parent=3;Sampled=0', 'Root=1-4']);
  });

  it('that never go through end', async () => {
    failures = Array.from({ length: 20 }, () => ({ ids: ['0'], sender: false }));
    await expect(send(['a'])).rejects.toThrow('could not be sent');
    expect(received.length).toBeLessThan(20);
  });
});

describe('a message that is not done', () => {
  it('gets a new visibility timeout', async () => {
    await redelivery(`${url}/1/q`).giveBack('receipt', 75);
    expect(calls).toEqual([
      [
        'AmazonSQS.ChangeMessageVisibility',
        { QueueUrl: `${url}/1/q`, ReceiptHandle: 'receipt', VisibilityTimeout: 75 },
      ],
    ]);
  });

  it('is copied with its group and the time of its first copy, and in an ordered queue with a new deduplication id', async () => {
    const ids = { ...systemIds, uuid: () => 'fresh' };
    const copy = { body: '{}', group: 'property-7', firstCopied: 17 };
    await redelivery(`${url}/1/q`, ids).sendCopy(copy);
    await redelivery(`${url}/1/q.fifo`, ids).sendCopy(copy);
    const MessageAttributes = { firstCopied: { DataType: 'Number', StringValue: '17' } };
    const sent = { MessageBody: '{}', MessageAttributes, MessageGroupId: 'property-7' };
    expect(calls).toEqual([
      ['AmazonSQS.SendMessage', { QueueUrl: `${url}/1/q`, ...sent }],
      ['AmazonSQS.SendMessage', { QueueUrl: `${url}/1/q.fifo`, ...sent, MessageDeduplicationId: 'fresh' }],
    ]);
  });
});
