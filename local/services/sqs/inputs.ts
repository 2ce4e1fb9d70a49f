import * as v from 'valibot';
import { inputAs } from '../../core/json-protocol.ts';
import { ServiceError } from '../../core/service-error.ts';
import { AttributeShape } from './messages.ts';

/** Inputs of the operations, as far as the service uses them. */
export const Entry = v.object({
  Id: v.optional(v.string(), ''),
  MessageBody: v.optional(v.string(), ''),
  MessageAttributes: v.optional(v.record(v.string(), AttributeShape), {}),
  DelaySeconds: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(900))),
  MessageGroupId: v.optional(v.string()),
  MessageDeduplicationId: v.optional(v.string()),
});
export type Entry = v.InferOutput<typeof Entry>;
export const Url = { QueueUrl: v.string() };
const Seconds = v.pipe(v.number(), v.minValue(0), v.maxValue(43_200));
export const Receipt = v.object({ Id: v.optional(v.string(), ''), ReceiptHandle: v.string() });
export const Visibility = v.object({ ...Receipt.entries, VisibilityTimeout: Seconds });
export const Receive = v.object({
  ...Url,
  MaxNumberOfMessages: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(10)), 1),
  VisibilityTimeout: v.optional(Seconds),
  WaitTimeSeconds: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(20)), 0),
});

export const MoveTask = v.object({ SourceArn: v.string(), DestinationArn: v.optional(v.string()) });

const RECEIPT = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Checks that a receipt handle has the form of this service's handles. It may have expired. Throws
 * ReceiptHandleIsInvalid.
 */
export const receiptOf = (handle: string): string => {
  if (RECEIPT.test(handle)) return handle;
  throw new ServiceError(
    'ReceiptHandleIsInvalid',
    `The input receipt handle "${handle}" is not a valid receipt handle.`,
  );
};

/** The input of an action. Throws the error of SQS. */
export const parseInput = <T>(schema: v.GenericSchema<unknown, T>, input: unknown): T =>
  inputAs(schema, input, 'InvalidParameterValue');

/** Name of the queue in a URL or an ARN. */
export const queueName = (location: string): string => location.split(/[/:]/).at(-1) ?? '';
