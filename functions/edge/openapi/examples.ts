/** Examples: one recorded exchange of each operation, from `docs/examples`, as the document shows it. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { isObject } from '../../../shared/http/json.ts';
import { objectFrom, type Json } from './json.ts';

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

/** The examples by operation. */
export type Examples = ReadonlyMap<string, Exchange>;

const ENDING = '.json';

/** The folder with a file for each operation, named after the operation. */
export const examplesFolder = join(import.meta.dirname, '../../../docs/examples');

/** The path of the file of an operation's example. */
export const exampleFile = (operation: string): string => join(examplesFolder, `${operation}${ENDING}`);

/** Reads all examples. Throws for a file of another form. */
export const readExamples = (): Examples =>
  new Map(
    readdirSync(examplesFolder)
      .toSorted()
      .map((file) => {
        const exchange: unknown = JSON.parse(readFileSync(join(examplesFolder, file), 'utf8'));
        return [basename(file, ENDING), v.parse(exchangeSchema, exchange)] as const;
      }),
  );

/**
 * An operation with its example. The bodies stand where OpenAPI has them. It has no place for the values of one
 * request's path, query and headers, so these stand in `x-example`.
 */
export const withExample = (operation: Json, example: Exchange | undefined): Json => {
  if (!example) return operation;
  const { request, answer } = example;
  const { body, ...rest } = request;
  return {
    ...changed(
      changed(operation, 'requestBody', (holder) => exampled(holder, JSON_TYPE, body)),
      'responses',
      (responses) =>
        changed(responses, String(answer.status), (holder) =>
          exampled(holder, mediaTypeOf(answer.headers), answer.body),
        ),
    ),
    ...(Object.keys(rest).length > 0 ? { 'x-example': rest } : {}),
  };
};

const JSON_TYPE = 'application/json';

const mediaTypeOf = (headers: Readonly<Record<string, string>> = {}): string =>
  headers['content-type']?.split(';')[0] ?? JSON_TYPE;

/** A body or a response with an example of its content. */
const exampled = (holder: unknown, type: string, example: unknown): unknown =>
  example === undefined
    ? holder
    : changed(holder, 'content', (content) =>
        changed(content, type, (media) => ({ ...(isObject(media) ? media : {}), example })),
      );

/** An object with one member changed, if it has the member. */
const changed = (holder: unknown, name: string, change: (member: unknown) => unknown): Json =>
  isObject(holder)
    ? objectFrom(Object.entries(holder).map(([key, member]) => [key, key === name ? change(member) : member]))
    : {};
