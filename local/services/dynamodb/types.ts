export type { AttributeValue, Item, KeySchemaTable } from 'dynalite/db/index.js';

/** Type of a key attribute. */
type KeyType = 'S' | 'N' | 'B';

/** Name and type of one key attribute. */
export interface KeyAttribute {
  readonly name: string;
  readonly type: KeyType;
}

/** A table to create; `indexes` are global secondary indexes. */
export interface TableDefinition {
  readonly name: string;
  readonly partitionKey: KeyAttribute;
  readonly sortKey?: KeyAttribute | undefined;
  readonly indexes?: readonly IndexDefinition[];
  /** The attribute with the time at which an item expires. */
  readonly timeToLive?: string | undefined;
  readonly deletionProtection?: boolean | undefined;
  readonly keyArn?: string | undefined;
  /** Keeps the changes of the items, from now on, so that a restore can reach each moment. */
  readonly pointInTimeRecovery?: boolean | undefined;
}

/**
 * A global secondary index. Without `nonKeyAttributes` it projects all attributes; with an empty list, only the keys.
 */
export interface IndexDefinition {
  readonly name: string;
  readonly partitionKey: KeyAttribute;
  readonly sortKey?: KeyAttribute | undefined;
  readonly nonKeyAttributes?: readonly string[];
}
