/** Subscribed lines: the lines of a log group that CloudWatch Logs sends to a function. */
import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';

/** A line of a log group, with its own time (epoch milliseconds). */
const line = v.object({ timestamp: v.pipe(v.number(), v.safeInteger(), v.minValue(0)), message: v.string() });
export type LogLine = Readonly<v.InferOutput<typeof line>>;

/**
 * The call of a function: base64 of gzipped JSON. A control message only asks whether the function can be reached.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/SubscriptionFilters.html
 */
const delivery = v.object({ awslogs: v.object({ data: v.string() }) });
const content = v.variant('messageType', [
  v.object({ messageType: v.literal('DATA_MESSAGE'), logEvents: v.array(line) }),
  v.object({ messageType: v.literal('CONTROL_MESSAGE') }),
]);

/** A call holds lines of one batch of PutLogEvents, which has at most 1 MB; names and ids come on top of it. */
const MOST_BYTES = 8 * 1_024 * 1_024;

/**
 * The lines in a call of CloudWatch Logs. It delivers at least once, so a line may come again. Throws when the call has
 * another form, or is larger than CloudWatch makes it.
 */
export const subscribedLines = (call: unknown): readonly LogLine[] => {
  const { data } = v.parse(delivery, call).awslogs;
  const text = gunzipSync(Buffer.from(data, 'base64'), { maxOutputLength: MOST_BYTES }).toString();
  const read = v.parse(content, JSON.parse(text));
  return read.messageType === 'DATA_MESSAGE' ? read.logEvents : [];
};
