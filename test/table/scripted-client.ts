import * as v from 'valibot';
import { dynamoDb, type DynamoDb, RetriesOfFailures } from '../../shared/table/dynamo-calls.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { appendOnlyTable, dynamoTable, type DynamoTableDeps } from '../../shared/table/dynamo-table.ts';
import type { AppendOnlyTable, Table } from '../../shared/table/table.ts';

/** A call as DynamoDB received it. */
export interface SentCall {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** DynamoDB's answer to a call: a body, a refusal of the whole request with further members, or a lost answer. */
export type ScriptedAnswer = Readonly<Record<string, unknown>> | { readonly exception: string } | 'lost';

/** The nonce that the table gives to every write here. */
export const NONCE = 'mine';
const TABLE = 'tidemark';

/** The client sends a call again once. */
const MAX_ATTEMPTS = 2;

class LostAnswer extends Error {
  override readonly name = 'TimeoutError';
}

/** A table over the real client; DynamoDB gives these answers, one to each call. */
export const scriptedTable = (
  ...answers: readonly ScriptedAnswer[]
): { readonly table: Table; readonly appendOnly: AppendOnlyTable; readonly sent: readonly SentCall[] } => {
  const sent: SentCall[] = [];
  const left = [...answers];
  const deps = answeringTable((call) => {
    sent.push(call);
    const answer = left.shift();
    if (!answer) throw new Error(`no answer is left for ${call.operation}`);
    return answer;
  });
  return { table: dynamoTable(deps), appendOnly: appendOnlyTable(deps), sent };
};

/** Ports of a table over the real client, whose calls `answer` answers. */
export const answeringTable = (
  answer: (call: SentCall) => ScriptedAnswer,
  more: Partial<DynamoTableDeps> = {},
): DynamoTableDeps => ({
  client: clientTo(answer),
  tableName: TABLE,
  ids: { ...systemIds, nonce: () => NONCE },
  pause: () => Promise.resolve(),
  ...more,
});

/** The answer of a BatchGetItem that found these items. */
export const found = (...items: readonly object[]): ScriptedAnswer => ({ Responses: { [TABLE]: items } });

const atOnce = { computeNextBackoffDelay: () => 0, setDelayBase: () => undefined };

const clientTo = (answer: (call: SentCall) => ScriptedAnswer): DynamoDb => {
  return dynamoDb({
    region: 'eu-west-1',
    endpoint: 'http://dynamodb.test',
    credentials: { accessKeyId: 'AKIAtest', secretAccessKey: 'secret' },
    signer: { sign: (request) => Promise.resolve(request) },
    retries: new RetriesOfFailures({ maxAttempts: MAX_ATTEMPTS, backoff: atOnce }),
    handler: {
      handle: ({ headers, body }: { headers: Readonly<Record<string, string>>; body?: unknown }) => {
        const target = headers['x-amz-target'] ?? '';
        const text = Buffer.from(v.parse(v.instance(Uint8Array), body)).toString();
        const input = v.parse(v.record(v.string(), v.unknown()), JSON.parse(text));
        const told = answer({ operation: target.split('.')[1] ?? '', input });
        if (told === 'lost') return Promise.reject(new LostAnswer('socket hang up'));
        const isRefused = 'exception' in told;
        const response = {
          statusCode: isRefused ? 400 : 200,
          headers: { 'content-type': 'application/x-amz-json-1.0' },
          body: Buffer.from(JSON.stringify(isRefused ? { ...told, __type: told.exception } : told)),
        };
        return Promise.resolve({ response });
      },
    },
  });
};
