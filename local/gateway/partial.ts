/** Partial batches: removes some members of a batch call and reports them as unprocessed, as an injected fault. */
import * as v from 'valibot';
import type { AwsRequest, AwsResponse } from '../core/types.ts';
import { jsonBody } from '../core/json-protocol.ts';

/**
 * A shortened batch call: the request to forward, and a function that adds the removed members to the answer as
 * unprocessed.
 */
export interface PartialBatch {
  readonly request: AwsRequest;
  complete(response: AwsResponse): AwsResponse;
}

const Body = v.record(v.string(), v.unknown());
type Body = v.InferOutput<typeof Body>;
type Split = (
  body: Body,
  dropped: () => boolean,
) => { readonly body: Body; merge(answer: Body): Body } | undefined;

/**
 * Removes members of a batch, chosen by `random`. Returns undefined for calls without a batch, and for batches that are
 * too small to lose one member and keep one.
 */
export const partialBatch = (
  operation: string,
  request: AwsRequest,
  random: number,
): PartialBatch | undefined => {
  const split = SPLITS[operation]?.(v.parse(Body, jsonBody(request)), chooser(random));
  if (!split) return undefined;
  return {
    request: { ...request, body: Buffer.from(JSON.stringify(split.body)) },
    complete: (response) => {
      if (response.status !== 200 || typeof response.body !== 'string') return response;
      return { ...response, body: JSON.stringify(split.merge(v.parse(Body, JSON.parse(response.body)))) };
    },
  };
};

/** Chooses each member with probability one half, by a small generator with the seed `random`. */
const chooser = (random: number): (() => boolean) => {
  let state = Math.floor(random * 2 ** 31);
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state >= 2 ** 30;
  };
};

/** Splits a list into kept and removed members, at least one each; undefined when the list is too short. */
const parts = <T>(list: readonly T[], dropped: () => boolean) => {
  if (list.length < 2) return undefined;
  const drop = list.map(dropped);
  if (!drop.includes(true)) drop[list.length - 1] = true;
  if (!drop.includes(false)) drop[0] = false;
  return {
    drop,
    kept: list.filter((_, index) => !drop[index]),
    left: list.filter((_, index) => drop[index]),
  };
};

const Statements = v.looseObject({ Statements: v.array(v.unknown()) });
const Outcomes = v.looseObject({ Responses: v.array(v.unknown()) });
const THROTTLED = { Error: { Code: 'ThrottlingError', Message: 'Rate exceeded' } };

const splitStatements: Split = (body, dropped) => {
  const statements = v.parse(Statements, body).Statements;
  const split = parts(statements, dropped);
  if (!split) return undefined;
  return {
    body: { ...body, Statements: split.kept },
    merge: (answer) => {
      const outcomes = v.parse(Outcomes, answer).Responses.values();
      return { ...answer, Responses: split.drop.map((left) => (left ? THROTTLED : outcomes.next().value)) };
    },
  };
};

const Entries = v.looseObject({ Entries: v.array(v.looseObject({ Id: v.string() })) });
const Failures = v.looseObject({ Failed: v.optional(v.array(v.unknown()), []) });

const splitEntries: Split = (body, dropped) => {
  const split = parts(v.parse(Entries, body).Entries, dropped);
  if (!split) return undefined;
  const failed = split.left.map(({ Id }) => ({
    Id,
    Code: 'InternalError',
    SenderFault: false,
    Message: 'Try again',
  }));
  return {
    body: { ...body, Entries: split.kept },
    merge: (answer) => ({ ...answer, Failed: [...v.parse(Failures, answer).Failed, ...failed] }),
  };
};

const GetBatch = v.looseObject({
  RequestItems: v.record(v.string(), v.looseObject({ Keys: v.array(v.unknown()) })),
});
const LateKeys = v.object({
  UnprocessedKeys: v.optional(v.record(v.string(), v.object({ Keys: v.array(v.unknown()) })), {}),
});
const WriteBatch = v.looseObject({ RequestItems: v.record(v.string(), v.array(v.unknown())) });

const splitGets: Split = (body, dropped) => {
  const [table, request] = Object.entries(v.parse(GetBatch, body).RequestItems)[0] ?? [];
  const split = table !== undefined && request ? parts(request.Keys, dropped) : undefined;
  if (table === undefined || !request || !split) return undefined;
  const items = v.parse(GetBatch, body).RequestItems;
  return {
    body: { ...body, RequestItems: { ...items, [table]: { ...request, Keys: split.kept } } },
    merge: (answer) => {
      const late = v.parse(LateKeys, answer).UnprocessedKeys[table]?.Keys ?? [];
      return { ...answer, UnprocessedKeys: { [table]: { ...request, Keys: [...split.left, ...late] } } };
    },
  };
};

const splitWrites: Split = (body, dropped) => {
  const items = v.parse(WriteBatch, body).RequestItems;
  const [table, writes] = Object.entries(items)[0] ?? [];
  const split = table !== undefined && writes ? parts(writes, dropped) : undefined;
  if (table === undefined || !split) return undefined;
  return {
    body: { ...body, RequestItems: { ...items, [table]: split.kept } },
    merge: (answer) => ({ ...answer, UnprocessedItems: { [table]: split.left } }),
  };
};

const SPLITS: Readonly<Record<string, Split>> = {
  BatchExecuteStatement: splitStatements,
  BatchGetItem: splitGets,
  BatchWriteItem: splitWrites,
  SendMessageBatch: splitEntries,
  DeleteMessageBatch: splitEntries,
  ChangeMessageVisibilityBatch: splitEntries,
};
