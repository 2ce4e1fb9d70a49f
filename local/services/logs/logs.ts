/**
 * CloudWatch Logs of the embedded cloud: FilterLogEvents over the output of the functions.
 *
 *     gateway.addService(logsService((name) => logs.read(name)));
 *
 * Each line is an event of one stream, without a time: the start empties the logs, so all lines are of this run, and
 * `startTime` leaves none of them out. Filter patterns are words in quotes, any of which must be in the line: `?"a" ?"b"`.
 */
import * as v from 'valibot';
import { arn } from '../../core/arn.ts';
import { inputAs, jsonBody, jsonResponse, targetOperation } from '../../core/json-protocol.ts';
import { ServiceError } from '../../core/service-error.ts';
import type { AwsRequest, AwsResponse, AwsService } from '../../core/types.ts';

/** Reads all output of a function, by its physical name. */
type Read = (functionName: string) => Promise<string>;

const Filter = v.object({
  logGroupName: v.string(),
  filterPattern: v.optional(v.string(), ''),
  startTime: v.optional(v.number()),
});
const Named = v.object({ logGroupName: v.string() });

/** The service for the gateway. */
export const logsService = (read: Read): AwsService => ({
  name: 'logs',
  permissions: (request) => {
    const named = v.safeParse(Named, jsonBody(request));
    const group = named.success ? named.output.logGroupName : '';
    const resource = arn('logs', `log-group:${group}:log-stream:`);
    return [{ action: `logs:${targetOperation(request)}`, resource }];
  },
  handle: (request) => filtered(request, read),
});

const filtered = async (request: AwsRequest, read: Read): Promise<AwsResponse> => {
  if (targetOperation(request) !== 'FilterLogEvents')
    throw new ServiceError('UnknownOperationException', 'Only FilterLogEvents exists here.');
  const { logGroupName, filterPattern } = inputAs(Filter, jsonBody(request), 'InvalidParameterException');
  const words = wordsOf(filterPattern);
  const lines = (await read(logGroupName.split('/').at(-1) ?? '')).split('\n');
  const events = lines
    .filter((line) => line !== '' && (words.length === 0 || words.some((word) => line.includes(word))))
    .map((message) => ({ message }));
  return jsonResponse({ events });
};

const wordsOf = (pattern: string): readonly string[] => {
  const words = [...pattern.matchAll(/\?"([^"]+)"/g)].map(([, word = '']) => word);
  if (words.map((word) => `?"${word}"`).join(' ') === pattern) return words;
  throw new ServiceError('InvalidParameterException', `This filter pattern is not supported: ${pattern}`);
};
