/** A value on DynamoDB's JSON wire: exactly one of the type letters is set. */
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

/** An item, or its key, as on the wire. */
export type Item = Readonly<Record<string, AttributeValue>>;

/** Type of a key attribute. */
export type KeyType = 'S' | 'N' | 'B';

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

/** A global secondary index; without `nonKeyAttributes` it projects all, with an empty list the keys only. */
export interface IndexDefinition {
  readonly name: string;
  readonly partitionKey: KeyAttribute;
  readonly sortKey?: KeyAttribute;
  readonly nonKeyAttributes?: readonly string[];
}

/** What dynalite's storage needs to know of a table to make keys and indexes. */
export interface KeySchemaTable {
  readonly TableName: string;
  readonly KeySchema: readonly { readonly AttributeName: string; readonly KeyType: 'HASH' | 'RANGE' }[];
  readonly AttributeDefinitions: readonly { readonly AttributeName: string; readonly AttributeType: KeyType }[];
  readonly GlobalSecondaryIndexes?: readonly unknown[];
}
