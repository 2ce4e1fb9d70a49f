/** SQS event: the event of a batch of messages, and the failed messages in the response of the function. */
import * as v from 'valibot';
import { REGION } from '../../core/arn.ts';
import type { ReceivedMessage } from '../sqs/sqs.ts';
import type { Outcome } from './outcome.ts';

/** Lambda's SQS event of a batch, as JSON. */
export const sqsEventOf = (messages: readonly ReceivedMessage[], queueArn: string): string =>
  JSON.stringify({ Records: messages.map((message) => recordOf(message, queueArn)) });

const recordOf = (message: ReceivedMessage, queueArn: string): object => ({
  messageId: message.messageId,
  receiptHandle: message.receiptHandle,
  body: message.body,
  attributes: message.attributes,
  messageAttributes: Object.fromEntries(
    Object.entries(message.messageAttributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
      name,
      { stringValue: StringValue, binaryValue: BinaryValue, dataType: DataType },
    ]),
  ),
  md5OfBody: message.md5OfBody,
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn,
  awsRegion: REGION,
});

const Failures = v.object({
  batchItemFailures: v.nullish(v.array(v.object({ itemIdentifier: v.string() })), []),
});

/**
 * Ids of the messages to deliver again. `reportsFailures` says whether the function reports the failed messages of a
 * batch; otherwise a batch fails or succeeds as a whole. A malformed response, or a response with an unknown id, fails the whole batch.
 */
export const failedOf = (
  outcome: Outcome | undefined,
  messages: readonly ReceivedMessage[],
  reportsFailures: boolean,
): ReadonlySet<string> => {
  const all = new Set(messages.map(({ messageId }) => messageId));
  if (!outcome?.ok) return all;
  if (!reportsFailures) return new Set();
  const answer: unknown = JSON.parse(outcome.payload);
  if (answer === null || answer === '') return new Set();
  const parsed = v.safeParse(Failures, answer);
  if (!parsed.success) return all;
  const failed = parsed.output.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((id) => all.has(id)) ? new Set(failed) : all;
};
