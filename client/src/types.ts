/** The types of an operation's input and answer, from the types that are generated from the API document. */
import type { operationTable } from './generated/operation-table.ts';
import type { components, operations } from './generated/schema.ts';

/**
 * The name of an operation: its `operationId` in the API document.
 * @public
 */
export type OperationName = keyof operations;

type Parameters<Name extends OperationName> = operations[Name]['parameters'];

/** An id in a path may be text as well, because the service writes ids of exports as text. */
type PathValue<Value> = Value extends number ? number | string : Value;

/** The parameters of a path. The client fills in `property_id` when it knows the property. */
type PathOf<Path> = {
  readonly [Key in Exclude<keyof Path, 'property_id'>]: PathValue<Path[Key]>;
} & ('property_id' extends keyof Path ? { readonly property_id?: number | undefined } : unknown);

/** A parameter that is `undefined` is left out. */
type QueryOf<Shape> = { readonly [Key in keyof Shape]: Shape[Key] | undefined };

/** A member that must be given if one of its own members must be given; no member at all for `undefined`. */
type Member<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : object extends Value
    ? { readonly [Key in Name]?: Value }
    : { readonly [Key in Name]: Value };

type PathMember<Name extends OperationName> =
  Parameters<Name> extends { readonly path: infer Path } ? Member<'path', PathOf<Path>> : unknown;

/** An operation that can answer JSON and text answers JSON here; `response` reads its text. */
type JsonFormat<Name extends OperationName, Shape> =
  HasText<Name> extends true ? Omit<Shape, 'format'> & { readonly format?: 'json' | undefined } : Shape;

type HasText<Name extends OperationName> =
  Content<Name> extends { readonly 'application/json': unknown; readonly 'text/csv': unknown } ? true : false;

type Query<Name extends OperationName> = QueryOf<NonNullable<Parameters<Name>['query']>>;

type QueryMember<Name extends OperationName, Shape> = [NonNullable<Parameters<Name>['query']>] extends [never]
  ? unknown
  : Member<'query', Shape>;

type Bodies<Name extends OperationName> = [NonNullable<operations[Name]['requestBody']>] extends [never]
  ? never
  : NonNullable<operations[Name]['requestBody']> extends { readonly content: infer Found }
    ? Found
    : never;

/** A body as JSON, or in another media type that the operation takes. */
type BodyMember<Name extends OperationName> = [Bodies<Name>] extends [never]
  ? unknown
  : {
      readonly [Type in keyof Bodies<Name>]: Type extends 'application/json'
        ? { readonly body: Bodies<Name>[Type]; readonly contentType?: Type }
        : { readonly body: string | Uint8Array | Blob; readonly contentType: Type };
    }[keyof Bodies<Name>];

/** What every call takes: further headers, and a signal that ends it. */
export interface CallOptions {
  /** Further headers. A POST gets an `Idempotency-Key` of its own unless you give one. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The input of an operation whose answer is read as text or bytes: any `format`.
 * @public
 */
export type RawInput<Name extends OperationName> = CallOptions &
  PathMember<Name> &
  QueryMember<Name, Query<Name>> &
  BodyMember<Name>;

/**
 * The input of an operation: its path, query and body.
 * @public
 */
export type Input<Name extends OperationName> = CallOptions &
  PathMember<Name> &
  QueryMember<Name, JsonFormat<Name, Query<Name>>> &
  BodyMember<Name>;

/** The media types of a successful answer, with the type of each. */
type Content<Name extends OperationName> =
  Responses<Name> extends { readonly content: infer Found } ? Found : never;

type Responses<Name extends OperationName> =
  operations[Name]['responses'][keyof operations[Name]['responses']];

/**
 * The answer of an operation: its JSON, or its text if it has no JSON. `undefined` for an answer without content.
 * @public
 */
export type Answer<Name extends OperationName> = [Content<Name>] extends [never]
  ? undefined
  : Content<Name> extends { readonly 'application/json': infer Json }
    ? Json
    : Content<Name>[keyof Content<Name>];

/** The body of an error (RFC 9457). */
export type Problem = components['schemas']['Problem'];

/** What a token may do. */
export type Permission = components['schemas']['Permission'];

/** What the client sends for any operation, whatever the type of its input. */
export interface Call extends CallOptions {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly contentType?: string;
}

type Table = typeof operationTable;

/**
 * The name of an operation that answers a list in pages.
 * @public
 */
export type ListName = {
  [Name in OperationName]: Table[Name] extends { readonly items: string | null } ? Name : never;
}[OperationName];

type Element<List> = List extends readonly (infer Found)[] ? Found : never;

/**
 * One item of a list. A list of two kinds of items gives its whole pages.
 * @public
 */
export type Item<Name extends ListName> = Table[Name] extends { readonly items: infer Key }
  ? Key extends ''
    ? Element<Answer<Name>>
    : Key extends keyof Answer<Name>
      ? Element<Answer<Name>[Key]>
      : Answer<Name>
  : never;

/** An operation as the generated table lists it. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  /** Whether the operation needs a token. */
  readonly token: boolean;
  /** Whether the operation takes an `Idempotency-Key`. */
  readonly keyed: boolean;
  /** How the client reads a successful answer. */
  readonly answer: 'json' | 'text' | 'none';
  /** The member of a page that has the items: empty if the page is the list, `null` if it has several lists. */
  readonly items?: string | null;
  /** How a DELETE that answers only the id at the end of its path writes this id. */
  readonly deletes?: 'string' | 'number';
}
