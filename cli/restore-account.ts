/** Restore account: the calls of AWS that a restore makes itself. Deployments and operator commands are ports of their own. */

/** Facts of a table that a restore compares. */
export interface TableFacts {
  readonly status: string;
  /** The key that encrypts the table, if it is a key of ours. */
  readonly keyArn: string | undefined;
  readonly refusesDeletion: boolean;
  /** Warm throughput, in request units per second. */
  readonly readUnits: number;
  readonly writeUnits: number;
  /** The time to which the table was restored, if it was. */
  readonly restoredTo: Date | undefined;
}

/** The times to which a table can be restored. */
export interface RestoreWindow {
  readonly earliest: Date;
  readonly latest: Date;
}

/** A schedule of a client. */
export interface ClientSchedule {
  readonly name: string;
  readonly created: Date;
}

/** The calls of a restore. Each may be repeated, and throws the errors of AWS. */
export interface RestoreAccount {
  /** `undefined` when there is no such table, or none with point-in-time recovery. */
  window(table: string): Promise<RestoreWindow | undefined>;
  /** `undefined` when there is no such table. */
  table(name: string): Promise<TableFacts | undefined>;
  /** Begins to make the table `target` with the items that `source` had at a time. */
  restore(source: string, target: string, to: Date): Promise<void>;
  /** Turns on point-in-time recovery. False while DynamoDB is not ready for that. */
  keepBackups(table: string): Promise<boolean>;
  /** Turns on the expiry of items by `ttl`. */
  expireItems(table: string): Promise<void>;
  refuseDeletion(table: string): Promise<void>;
  warm(table: string, units: { readonly readUnits: number; readonly writeUnits: number }): Promise<void>;
  schedules(group: string): Promise<readonly ClientSchedule[]>;
  deleteSchedule(group: string, name: string): Promise<void>;
}
