/** Storage limits: the part of `limits` about the table, the schedules, and the deletion of a property. */
export const storageLimits = {
  table: {
    /**
     * Units that a new on-demand table serves in a second (DynamoDB Developer Guide, "Pre-warming a table for on-demand
     * capacity mode").
     */
    newTableReadUnits: 12_000,
    newTableWriteUnits: 4_000,
    /** A read on which a client waits is given up when the table has throttled its request for this long. */
    throttledReadMilliseconds: 2_000,
    /** Ids allocated for a request are kept for this long: longer than any message or `Idempotency-Key` lives. */
    requestKeyDays: 16,
    /** Days back to which a table can be restored: the most of DynamoDB's point-in-time recovery, and its default. */
    restorableDays: 35,
  },
  schedules: {
    /** Lists of minutes are the longest field that a schedule can need. */
    cronFieldLength: 200,
    /** EventBridge Scheduler takes 50 characters; the longest name has 32. */
    timezoneLength: 50,
    /** A schedule of a client runs at most this often. */
    everyMinutes: 15,
    /** The next call of a schedule makes up for a late one. */
    retries: 3,
    maxAgeSeconds: 900,
    /** A client's schedule that cannot send is retried for a day: EventBridge Scheduler's maximum. */
    sent: { retries: 185, maxAgeSeconds: 86_400 },
  },
  deletion: {
    /**
     * Longer than any work on a property continues after its deletion began: a signed upload address works for
     * an hour, a function runs for 15 minutes, and the API caches reads for 25 seconds.
     */
    quietSeconds: 3_900,
    /** A deleting function has ended by then, so another one may continue. */
    callSeconds: 900,
    /** Pages of 1 MB that one call reads of the table: some minutes if all of them belong to the property. */
    pagesPerCall: 100,
    /** Batches of up to 1,000 objects that one call removes. */
    objectBatchesPerCall: 200,
  },
  storage: {
    /** Longer than any import or export takes to write an object. */
    abortUploadsAfterDays: 2,
  },
} as const;
