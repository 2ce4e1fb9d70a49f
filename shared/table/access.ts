/** IAM actions behind the operations of the table, for the access lists of the manifest. */
export const tableActions = {
  /** `get`, `getMany`. */
  read: ['dynamodb:BatchGetItem'],
  query: ['dynamodb:Query'],
  /** Only for a `TableScan`. */
  scan: ['dynamodb:Scan'],
  insert: ['dynamodb:PartiQLInsert'],
  update: ['dynamodb:PartiQLUpdate'],
  delete: ['dynamodb:PartiQLDelete'],
  put: ['dynamodb:PutItem'],
  increment: ['dynamodb:UpdateItem'],
} as const;
