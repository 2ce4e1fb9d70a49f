/**
 * Operation limits: the part of `limits` about queues, the gateway, concurrency, workflows, events, alarms, the table,
 * schedules, and the deletion of a property.
 */
export const operationLimits = {
  queues: {
    /** SQS asks for at least five receives before a message counts as poison. */
    maxReceiveCount: 5,
    deadLetterDays: 14,
    /**
     * A message that meets a busy service at this receive or a later one is replaced by a copy. Two receives are left for
     * workers that die.
     */
    copyAtReceive: 3,
    /**
     * So long after its first copy a message that meets a busy service counts as failed: no service is busy for hours, so
     * the reason is one that does not pass by itself, such as work that waits for other work that does not end.
     */
    busySeconds: 21_600,
    /**
     * Seconds until a failed message comes back: between `least` and `most` from a busy service; from `least` to `longest`
     * after another failure, growing. A message of an ordered queue blocks its group meanwhile.
     */
    returnSeconds: {
      unordered: { least: 30, most: 120, longest: 1_800 },
      ordered: { least: 10, most: 60, longest: 60 },
    },
    /** Visibility is this many times the consumer's timeout, as SQS advises for Lambda. */
    visibilityFactor: 6,
    /** Longest redelivery of queued work; keys of side effects live longer. */
    retentionDays: 14,
  },
  tasks: {
    /** Tasks that one call looks at together. */
    atOnce: 8,
    /** A call begins looks for this long; then the next call is due. */
    takeSeconds: 50,
    /** A look that takes longer goes on when the task is due again, behind other tasks. */
    sliceSeconds: 20,
    /** The lists of release 0.2.0 are looked at this often: its functions may add to them until their deployment ends. */
    adoptMinutes: 10,
  },
  operator: {
    /** Ids of one page of a list of accounts or properties: the answer stays far below the 6 MB of Lambda. */
    listedIds: 100,
    /** Dead letters of each queue that a list of all queues looks at. */
    sampledLetters: 10,
    /** Dead letters of one queue that are shown. They are hidden from a redrive for the seconds that this takes. */
    shownLetters: 100,
    /** Entries of audit logs that one call reads, and its queries: most accounts have few entries. */
    logPage: { entries: 2_000, queries: 200 },
    /** Seconds after which a call that takes back rights of a user ends; the next one goes on. */
    endSeconds: 30,
  },
  gateway: {
    /** The burst of an account in most regions (API Gateway, "Quotas"); the gateway takes a higher number for this. */
    mostBurst: 5_000,
    /** Of each route without a token: unknown callers cannot use up the rest. */
    open: { requestsPerSecond: 100, burst: 200 },
    /** Of the token route: the capacity of its reserved concurrency, since deriving a key takes about a second. */
    signIn: { requestsPerSecond: 20, burst: 40 },
    /** The longest timeout of an HTTP API. */
    timeoutMilliseconds: 30_000,
  },
  /**
   * Executions reserved for a function, which are also its maximum: other functions cannot use them up. 100 of
   * an account's 1,000 must stay unreserved.
   */
  reservedConcurrency: {
    /** The requests that the gateway admits at once, and in the second that a key derivation takes. */
    signIn: 60,
  },
  workflows: {
    /** Longer than the service retries the notices of an export. */
    timeoutSeconds: 432_000,
    /**
     * The interval between two polls of an execution grows from the first to the second value. A poll is 9
     * events, and Step Functions ends an execution at 25,000.
     */
    pollSecondsMin: 1,
    pollSecondsMax: 600,
    /** A task outlasts its function by this, so that the function's own timeout is visible. */
    taskMarginSeconds: 10,
    /**
     * Retries of a step that Lambda refuses or loses: the most that Step Functions takes, so that a closed stage and an
     * account without executions only pause it. An alarm rings for these (`account-throttles`). An attempt is 3 events.
     */
    refusedRetries: 99_999_999,
    /**
     * Retries of a step that meets a busy service: a day at most, half of it on average, which a job survives more easily
     * than a failure that its client must repeat. Pauses grow from the second value to the longest poll interval.
     */
    busyRetries: 150,
    busyRetrySeconds: 3,
    /** Retries of any other failure, which may be a bug. */
    unexpectedRetries: 3,
    maxRetryDelaySeconds: 30,
  },
  alarms: {
    periodSeconds: 300,
    /** Responses of 500 in a period before the alarm rings: a single one may be a deployment. */
    apiErrors: 5,
    /** Errors of a function and errors in the logs are counted over this time: retries are minutes apart. */
    errorSeconds: 900,
    /** Failed invocations that need no action. A schedule tries three times, so a lasting fault is more than this. */
    functionErrors: 2,
    /** Error lines of all functions together: a few failed requests or messages succeed at their next try. */
    loggedErrors: 10,
    /** Age at which a message of a queue is late: consumers that work have done it several times over. */
    messageSeconds: 900,
    /** Time for which a message may be copied: far less than `queues.busySeconds`, so that somebody looks before it fails. */
    postponedSeconds: 3_600,
    /**
     * A step that waits for a busy service says so at least once in such a period: its function runs for 900 s, and a pause
     * lasts 600 s, at most. Steps that met a short failure do not say so for two hours.
     */
    postponedStepSeconds: 1_800,
    postponedStepPeriods: 4,
    /** A condition waits up to two minutes, and its people take minutes: ten million about three. */
    conditionSeconds: 3_600,
    /** Invocations that Lambda refused in a period: retries hide a few. */
    throttledCalls: 10,
    /** Refused logins in a period: more than people mistype, fewer than guessing takes. */
    refusedLogins: 50,
    /** Requests in a period that passed uncounted: a few in a short failure of the table need no action. */
    uncountedRequests: 50,
    /** Throttles in a period: retries hide a few, and a storm is noticeable. */
    tableThrottles: 100,
    /** Periods in sequence: imports slow down by throttles, and one that fits the table soon settles. */
    tableThrottlePeriods: 6,
    /** Shares of mails at which AWS reviews an account (Amazon SES, "Reputation metrics"). */
    mailBounces: 0.05,
    mailComplaints: 0.001,
  },
  events: {
    /** EventBridge's maximum: a failure of a day loses no upload. */
    retries: 185,
    maxAgeSeconds: 86_400,
  },
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
    /** A schedule of a client whose runs are silent when nothing changed. */
    quietEveryMinutes: 5,
    /** The next call of a schedule makes up for a late one. */
    retries: 3,
    maxAgeSeconds: 900,
    /** EventBridge Scheduler surely sends for a schedule that it has known for so long: it is precise to the minute. */
    knownSeconds: 300,
    /** From the begin of a look at a client's schedules to the next one, if this one fails. */
    pauseSeconds: 300,
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
