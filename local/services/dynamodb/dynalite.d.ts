/** Types of dynalite's internal modules, which the engine calls in-process: storage, validation, actions. */

declare module 'dynalite/db/index.js' {
  /** A value in DynamoDB's JSON protocol, with exactly one type letter. */
  export interface AttributeValue {
    readonly S?: string;
    readonly N?: string;
    readonly B?: string;
    readonly BOOL?: boolean;
    readonly NULL?: boolean;
    readonly SS?: readonly string[];
    readonly NS?: readonly string[];
    readonly BS?: readonly string[];
    readonly L?: readonly AttributeValue[];
    readonly M?: Item;
  }

  /** An item or a key in the JSON protocol. */
  export type Item = Readonly<Record<string, AttributeValue>>;

  /** The part of a table description that dynalite's storage needs for keys and indexes. */
  export interface KeySchemaTable {
    readonly TableName: string;
    readonly KeySchema: readonly { readonly AttributeName: string; readonly KeyType: 'HASH' | 'RANGE' }[];
    readonly AttributeDefinitions: readonly {
      readonly AttributeName: string;
      readonly AttributeType: 'S' | 'N' | 'B';
    }[];
    readonly GlobalSecondaryIndexes?: readonly unknown[];
  }

  /** One write of a batch. Keys have the prefix of their table. */
  export type LevelWrite =
    | { readonly type: 'put'; readonly key: string; readonly value: Item }
    | { readonly type: 'del'; readonly key: string };

  export interface LevelIterator<T> {
    next(): Promise<T | undefined>;
    nextv(size: number): Promise<T[]>;
    /** Reads the rest and closes the iterator. */
    all(): Promise<T[]>;
    close(): Promise<void>;
  }

  export type Done = (error?: Error | null) => void;

  /** Reads the values of a range. With `valueEncoding`, a storage in files gives their JSON. A storage in memory gives items. */
  export interface Values {
    (range: { readonly valueEncoding: 'buffer' }): LevelIterator<Item | Buffer>;
    (range: object): LevelIterator<Item>;
  }

  /** dynalite calls these functions by their names at each use. Its own calls pass a callback. */
  export interface Level {
    open(options: { readonly writeBufferSize: number; readonly maxFileSize: number }): Promise<void>;
    close(): Promise<void>;
    getSync(key: string): Item | undefined;
    get: (key: string, done: (error: Error | null, value?: Item) => void) => void;
    put: (key: string, value: Item, done?: Done) => Promise<void> | undefined;
    del: (key: string, done?: Done) => Promise<void> | undefined;
    batch: (writes: readonly LevelWrite[], done?: Done) => Promise<void> | undefined;
    keys: (range: object) => LevelIterator<string>;
    values: Values;
  }

  /** Makes a function that releases locks and then calls another function with its arguments. */
  export type Release = <A extends unknown[]>(done: (...args: A) => void) => (...args: A) => void;

  export interface SubDb {
    lock: (key: string, entered: (release: Release) => void) => void;
    createValueStream(range: Readonly<Record<string, unknown>>): NodeJS.ReadableStream;
  }

  export type TableRead = (error: Error | null, table: KeySchemaTable) => void;

  export interface Store {
    readonly db: Level;
    readonly tableDb: { awsAccountId: string; awsRegion: string };
    readonly options: { readonly maxItemSize: number };
    getItemDb(table: string): SubDb;
    /** Reads the description of a table. `checkStatus` is optional. */
    getTable: (name: string, checkStatus: boolean | TableRead, done?: TableRead) => void;
  }

  /** dynalite's error: the body and status of the real service. */
  export interface Refusal extends Error {
    readonly statusCode: number;
    readonly body: { readonly __type: string; readonly message?: string };
  }

  /** What dynalite's actions give to `queryTable`. */
  export type PageGiven = [
    store: Store,
    table: KeySchemaTable,
    data: Readonly<Record<string, unknown>>,
    range: Readonly<Record<string, unknown>>,
    isLocal: boolean | undefined,
    fetchFromItemDb: boolean,
    startKeyNames: readonly string[],
    done: (error: unknown, page?: Record<string, unknown>) => void,
  ];

  interface Db {
    create(options: Readonly<Record<string, unknown>>): Store;
    createKey(key: Item, table: KeySchemaTable): string;
    validateKey(key: Item, table: KeySchemaTable): Refusal | null | undefined;
    validateItem(item: Item, table: KeySchemaTable): Refusal | null | undefined;
    /** The size of an item for the units; with the other arguments, its size for the limit of a page. */
    itemSize(item: Item, compress?: boolean, addMetaSize?: boolean, rangeKey?: string): number;
    /** dynalite's actions call this function by its name at each use. */
    queryTable: (...given: PageGiven) => void;
    mapPaths(paths: readonly unknown[], item: Item): Item;
    updateIndexes: (
      store: Store,
      table: KeySchemaTable,
      before: Item | undefined,
      after: Item | undefined,
      done: (error?: Error | null) => void,
    ) => void;
  }
  const db: Db;
  export default db;
}

declare module 'dynalite/validations/index.js' {
  import type { Store } from 'dynalite/db/index.js';

  interface Validations {
    checkTypes(data: unknown, types: unknown): Record<string, unknown>;
    checkValidations(data: Record<string, unknown>, types: unknown, custom: unknown, store: Store): void;
    /** Returns the error message. Also normalizes numbers. */
    validateAttributeValue(value: unknown): string | null | undefined;
  }
  const validations: Validations;
  export default validations;
}

declare module 'dynalite/validations/*' {
  const validation: { readonly types: unknown; readonly custom: unknown };
  export default validation;
}
