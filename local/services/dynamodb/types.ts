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
  readonly sortKey?: KeyAttribute;
  readonly indexes?: readonly IndexDefinition[];
}

/**
 * A global secondary index. Without `nonKeyAttributes` it projects all attributes; with an empty list, only the keys.
 */
export interface IndexDefinition {
  readonly name: string;
  readonly partitionKey: KeyAttribute;
  readonly sortKey?: KeyAttribute;
  readonly nonKeyAttributes?: readonly string[];
}
