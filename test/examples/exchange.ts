import * as v from 'valibot';

const texts = v.record(v.string(), v.string());

/** What a request has besides its operation. */
const sentSchema = v.strictObject({
  path: v.optional(v.record(v.string(), v.union([v.string(), v.number()]))),
  query: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.array(v.string())]))),
  headers: v.optional(texts),
  body: v.optional(v.unknown()),
});
export type Sent = Readonly<v.InferOutput<typeof sentSchema>>;

/** A request and its answer, as a file in `docs/examples` has them. A body is JSON, or text. */
export const exchangeSchema = v.strictObject({
  request: sentSchema,
  answer: v.strictObject({
    status: v.number(),
    headers: v.optional(texts),
    body: v.optional(v.unknown()),
  }),
});
export type Exchange = Readonly<v.InferOutput<typeof exchangeSchema>>;
