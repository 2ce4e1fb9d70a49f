/**
 * Every limit, timeout, batch size and retention of the service, each with its why. Enforced at the edge, read by
 * the stacks, the functions and the documents. Plain numbers only, so that every bundle can carry this file.
 */
export const limits = {
  /** By how much the clocks of two functions may differ. */
  clockSkewSeconds: 5,
  http: {
    /** Escaping may double a body inside a Lambda event, whose limit is 6 MB. */
    bodyBytes: 2_900_000,
    /** A page of profiles ends here, below Lambda's 6 MB for an answer. */
    pageBytes: 4_500_000,
    pageDefault: 1000,
    pageMax: 1000,
    /** Items of a list that one request looks through for those that its filter keeps. */
    filteredItems: 1_000,
    /** Nesting of a JSON body; the deepest schema (custom segments) needs 40. */
    jsonDepth: 64,
    /** Members of one JSON object: engines handle huge ones slowly, and no schema has a thousandth of it. */
    jsonMembers: 10_000,
    /** API Gateway ends a request after 30 s; a function must have answered before. */
    timeoutSeconds: 29,
    idempotencyHours: 24,
    idempotencyKeyLength: 255,
    /** A keyed request that died is taken over after this. No call of a request goes out after its 29 s (see `Deadline`). */
    idempotencyClaimSeconds: 60,
  },
  rates: {
    /** Requests of an account are counted in windows of this; a client that is refused waits for the next one. */
    windowSeconds: 10,
    /** A counter is kept longer than clocks differ. */
    keptSeconds: 3_600,
    /** A request waits so long for the count at most. */
    waitMilliseconds: 2_000,
  },
  audit: {
    /** A request waits so long for its entry at most. */
    waitMilliseconds: 2_000,
    /** The entry of a login under a name of nobody is removed after this. */
    nobodySeconds: 3_600,
    /** Longer than a year, so that a yearly look sees all of it. */
    retentionDays: 400,
    /** Forgettings are noted longer than the 35 days for which a table can be restored. */
    forgettingDays: 45,
    /** A forgetting is noted so long before its end at most: no request runs for so long. */
    forgettingMarginSeconds: 600,
    /** Forgettings that one call of a replay looks at. */
    forgettingsPerCall: 100,
  },
  auth: {
    tokenSeconds: 2_592_000,
    /** A revoked token is refused within 30 s; the rest is for the clock and the read. */
    tokenCacheSeconds: 25,
    failuresPerUser: 10,
    failuresPerClient: 100,
    /** Of all client ids together: each failure costs a key derivation, whatever client id it names. */
    failuresPerNetwork: 1_000,
    failureWindowSeconds: 900,
    /** Failures are counted in slices of this, so that the window slides. */
    failureSliceSeconds: 60,
    /** What NIST SP 800-63B-4 (3.1.1.2) asks of a password that is the only factor. */
    passwordMinLength: 15,
    passwordMaxLength: 1_024,
    /** A token more ends the oldest of its user. */
    tokensPerUser: 100,
    scrypt: { N: 2 ** 17, r: 8, p: 1 },
    /** What Transfer Family takes of a user; all of them are in the user's item. */
    sshKeysPerUser: 10,
    /** Characters of a public key with its comment: RSA of 4,096 bits has 740. */
    sshKeyLength: 2_000,
    /** Below 2,048 a key is no protection, above 4,096 Transfer Family refuses it. */
    rsaBits: { least: 2_048, most: 4_096 },
  },
  profiles: {
    stringLength: 1_024,
    /** Characters of an e-mail address: 64 before the @, 255 behind it (RFC 5321). */
    emailLength: 320,
    extraDataKeys: 200,
    extraDataKeyLength: 255,
    tags: 500,
    likes: 5_000,
    itemBytes: 380_000,
    /**
     * Identities of one profile. Far more than a person has; a constant in a column of ids would make one profile of a whole file,
     * and forgetting a profile lists its identities in one item.
     */
    identities: 1_000,
    socialTokenBytes: 4_096,
    /** For so long a forgotten identity is known as one; a record that was accepted earlier is refused. */
    forgottenDays: 14,
    /** Ordinals a function reserves at once for profiles created one by one; what it does not use is a gap. */
    ordinalsPerReservation: 16,
  },
  segments: {
    perProperty: 100_000,
    /** Current custom segments of a property: the tree of a profile asks each of them. */
    customPerProperty: 1_000,
    definitionDepth: 16,
    definitionNodes: 50,
    /** A definition with the custom segments that it names written out: evaluating it is bounded. */
    expandedDepth: 32,
    expandedNodes: 1_000,
    /** Characters of the names of custom segments, collections and timelines. */
    nameLength: 255,
    /** Queries that count a segment, one for each segment in it and each 262,144 profiles: some four seconds. */
    countQueries: 5_000,
    /** Queries of a walk over members. A page makes up to three walks, and ends where one of them does. */
    walkQueries: 2_000,
    /** Segments of a collection; it stays one item. */
    perCollection: 1_000,
    /** Profiles that a preview shows. */
    previewProfiles: 10,
    /** Values that explain one condition of a membership: further ones say nothing new. */
    evidencePerCondition: 10,
    /** All values that explain a membership, as JSON; besides them an answer may name 1,000 long segments. */
    evidenceBytes: 1_000_000,
    /** Journal entries are split below this, under DynamoDB's 400 KB. */
    journalEntryBytes: 200_000,
    /**
     * A look of the drainer brings so many chunks up to date, then leaves what is left to the next look: about ten seconds'
     * work. What a look leaves is written anew, so that smaller looks would cost more.
     */
    chunksPerLook: 50_000,
    /** Life of a journal entry; profile writes go out until the margin before its end. */
    journalSeconds: 120,
    /**
     * Clocks may differ, and a write that was sent may still be carried out when its sender has died: an entry is retired
     * only this long after its end.
     */
    journalMarginSeconds: 60,
  },
  sizes: {
    /** A process notes once in such a time that it changes a segment in a group, and the sizes are measured as often. */
    bucketMinutes: 15,
    /** A note may precede the last change that it speaks of by a bucket, and by the longest run of a function. */
    marginMinutes: 35,
    /** Lists that stay readable, so that a walk over one sees one: about an hour's. */
    lists: 4,
    /** A list is written anew after this even when nothing changes, and its items end by themselves. */
    renewHours: 24,
    retentionDays: 7,
    /** Entries of one item of a list: 30 KB at most. */
    perItem: 2_000,
    /** With less time than this left the job stops and goes on at its next call. */
    lastSeconds: 120,
  },
  audits: {
    /** Chunks of ordinals that one call compares: 32,768 profiles, some seconds of a function. */
    chunksPerCall: 8,
    /** Looks at what differs while others write there. */
    looks: 5,
    /** Segments that the answer of a call tells of, and profiles that it names of each. */
    segmentsTold: 100,
    samples: 5,
  },
  birthdays: {
    /** Minutes after midnight UTC at which the job begins: by then what was derived the day before is in the journal. */
    settleMinutes: 5,
    /** Days that the job may be behind. Who changes a birthday leaves every band of the old one that was due since. */
    behindDays: 31,
    /** With less time than this left the job stops and goes on at its next call. */
    lastSeconds: 60,
  },
  brands: {
    /** Pages of a catalogue: two versions of it are in the memory of each process that meets a like, of 512 MB. */
    pages: 100_000,
    /** Pages of earlier catalogues that are remembered besides, because they must not share an id with what they left. */
    departedPages: 100_000,
    /** Characters of a brand, and of a category path; they become names of segments. */
    nameLength: 255,
    /** Categories of a path, outermost first: so many segments come from one like. */
    categoryLevels: 8,
    /** Brands or categories with one name (ignoring case), which the lookup by name reads at once. */
    sameName: 100,
    /** The file that an operator loads. */
    fileBytes: 50_000_000,
    /** Faults of a file that are named. */
    faults: 20,
    /** A part on its way in, as JSON: an item of the table, and far below what a function is invoked with. */
    partBytes: 300_000,
    /** Parts that were never committed go by themselves. */
    stagedHours: 24,
    /** Every process knows of a new version within this; what it costs is one read. */
    refreshSeconds: 5,
    /** A version is put in place property by property for this long in one call, then in the next. */
    advanceSeconds: 600,
    /** Members whose memberships are worked out anew between two looks at the time. */
    backfillStep: 4_096,
  },
  imports: {
    recordsPerBatch: 10_000,
    rowsPerChunk: 4_096,
    /** Bytes of file in one chunk, so that a worker's memory is bounded whatever the rows look like. */
    chunkBytes: 4_000_000,
    columns: 2_000,
    cellBytes: 1_000_000,
    rowBytes: 2_000_000,
    /** Characters of a field before it is transformed: ten times what one holds at the end. Lists may fill a cell. */
    mappedCharacters: 10_240,
    /** Bytes of the header line; it is kept with the job. */
    headerBytes: 100_000,
    /** Characters of the names of definitions, jobs, batches, columns and files. */
    nameLength: 255,
    fieldMaps: 500,
    sourcesPerField: 10,
    transformationsPerField: 10,
    /** All of `mapping_fields` as JSON: a definition is one item of the table. */
    mappingBytes: 200_000,
    /** Characters of a refused or warned row that are reported; what is longer is cut. */
    reportedCharacters: 100_000,
    /** Addresses of its parts fit one answer; S3 itself takes 50 times more. */
    uploadBytes: 100_000_000_000,
    /** What is larger is uploaded in parts, as S3 advises: a part that fails is sent again, not the whole. */
    onePutBytes: 100_000_000,
    partBytes: 67_108_864,
    /** A signed address dies with the session of the role that signed it, which may be an hour from its end. */
    uploadSeconds: 3_600,
    /** A compressed file may grow by this factor, and to this size. */
    expansionRatio: 200,
    expandedBytes: 20_000_000_000,
    /**
     * Rows that are judged and stored together, a few such slices at once: one is worked out while the requests of the
     * others are under way. What a slice costs besides its rows (numbers, a journal entry) is some ten requests.
     */
    rowsPerSlice: 500,
    slicesAtOnce: 4,
    /** A file is cut for this long in one call of the function (of its 15 minutes), then in another. */
    splitSeconds: 600,
    /** A job that gets batches is put among the watched ones at most once in this time. */
    watchHours: 12,
    /** A batch that nobody has begun for so long is queued again: few queues are longer, and twice does no harm. */
    requeueSeconds: 7_200,
    /** A batch begun so long ago has used up its five deliveries, each hidden for six times its worker's five minutes. */
    parkSeconds: 10_800,
    /** With less time than this left the repair stops; its next call begins elsewhere in its list. */
    repairLastSeconds: 60,
    /** Batches under work that a cancelled job remembers to finish: a hundred times the workers, and far below its item's 400 KB. */
    finishingBatches: 5_000,
    /** Refused rows sent again at once: which ones they are stands in the batch's item, under DynamoDB's 400 KB. */
    rowsPerRetry: 5_000,
    /**
     * A batch of a file that lies in more chunks of a group than this is not indexed at once: a batch of new people is in a
     * few of the 64, one of known people in any order is in all of them, and would write each for a handful of changes.
     * Those wait until all batches of the file are stored, or for the sweep.
     */
    chunksDrainedAtOnce: 16,
    jobsPerPage: 100,
    reportedPerPage: 1_000,
    /** One request writes the file of a whole list for this long; another one goes on. API Gateway ends a request after 30 s. */
    reportFileSeconds: 15,
    retentionDays: 30,
    batchIdempotencyDays: 14,
  },
  exports: {
    shards: 1_000,
    profilesPerShard: 10_000,
    columns: 1_000,
    /** What one function assembles within its 15 minutes, with room: 55,000 rows a second. */
    profiles: 50_000_000,
    columnNameLength: 255,
    /** Segments (or collections, or types) one export may name; the definition stays one item. */
    targets: 1_000,
    /** Segments that one export reads, collections and definitions written out: a window of all of them is in memory. */
    planNodes: 10_000,
    /** A definition as JSON, resolved: it stays one item of the table. */
    definitionBytes: 350_000,
    /** Work begun so long ago is looked after: whoever began it has ended. */
    outboxTaskSeconds: 120,
    /** The copy of a definition that a job works by: as long as its file, and as long as the job may have taken before. */
    jobDefinitionDays: 36,
    /** A step that was cut off may still write for its 15 minutes; then what no job names is removed. */
    leftoverSeconds: 1_200,
    /** Members of a delta are kept for the next one: longer than yearly runs are apart. */
    baseDays: 400,
    /** A delta tells again what was stored so long before its base: clocks differ, and writes take time. */
    deltaOverlapSeconds: 900,
    urlLength: 2_048,
    /** A host name or address with its port. */
    hostLength: 261,
    /** Items of a list when the client names no limit. */
    listDefault: 100,
    /** A pre-signed address is used at once, by following a redirect. */
    downloadSeconds: 300,
    /** Inline maps of Step Functions run at most 40 at once. */
    partsAtOnce: 40,
    locationDays: 7,
    retentionDays: 30,
    webhookTimeoutSeconds: 30,
    /** Mails of a property in a UTC day: what a mistake or a thief can cost the sender's good name. */
    mailsPerDay: 500,
    /** Confirmation mails of a property in a UTC day: they go to addresses that nobody has vouched for. */
    confirmationsPerDay: 20,
    /** The link of a confirmation mail works for so long; an address is asked again after the second. */
    confirmationHours: 72,
    askAgainHours: 24,
    /** An attempt at a mail, its reads and its note; the next one may come after that. */
    emailSeconds: 60,
    /** An attempt at pushing a file, below the 15 minutes of its function; a longer file takes several. */
    pushSeconds: 780,
    /** Share of that time in which an attempt may read back what an earlier one left: two thirds stay for writing. */
    pushReadBackShare: 1 / 3,
    /** What was left is compared by pieces of so many bytes: first the end, so many pieces, then pieces from all over it. */
    pushPieceBytes: 1_000_000,
    pushEndPieces: 16,
    /** A delivery whose function keeps failing is tried again after this. */
    troubleSeconds: 3_600,
    webhookRetryHours: 72,
    /** Attempts of a delivery that are kept: three days make nine. They are in the delivery's item, 3 KB in all. */
    attemptsKept: 25,
  },
  pgp: {
    /** Characters of a key with its armour: what 16,000 bytes become. */
    keyLength: 24_000,
    keyBytes: 16_000,
    /** Keys, names and signatures of a key. Each signature may be verified several times, for 15 ms on the slowest curve. */
    keyPackets: 20,
    /** Beyond these OpenSSL refuses, and slow arithmetic in JavaScript takes over. */
    rsaBits: 8_192,
    rsaExponentBits: 64,
  },
  enrichment: {
    /** Enrichers of a property. Each of them is asked about every record, and all of them are one item. */
    enrichers: 10,
    /** Characters of a name: with what stands before it, it is the origin of values, which has 64. */
    nameLength: 50,
    /** Whoever queues what enrichers are to be asked knows of a change within 30 s; the rest is for the read. */
    cacheSeconds: 25,
    /** From resolving the enricher's name to the end of its answer. */
    timeoutSeconds: 10,
    answerBytes: 262_144,
    /** Entries of one answer: each of the tiers, several times. */
    valuesPerAnswer: 20,
  },
  table: {
    /** The ids that a cause has given are remembered for so long: longer than any message or `Idempotency-Key` may live. */
    requestKeyDays: 16,
  },
  timelines: {
    momentIntervalSeconds: 3_600,
    momentsPerTimelineInList: 100,
    /** Characters of the comments on a first moment, which stand in the list of timelines. */
    commentsLength: 4_000,
    /** Items of a list when the client names no limit. */
    listDefault: 100,
    /** Who makes a moment says so this often; who is not heard of for the lease is taken to be dead, and taken over. */
    leaseSeconds: 3,
    leaseRenewalSeconds: 1,
    /** Groups of the tracked segment that are copied at once. */
    groupsAtOnce: 8,
    /** What was left of a moment that did not come is removed after this: nothing that makes one runs for so long. */
    abandonedSeconds: 900,
    /** Moments that one call clears up after; the next call goes on. */
    abandonedPerCall: 100,
    /**
     * For so long after somebody was forgotten who was in a moment it is counted afresh at each read, then once more and for
     * good: by then the bit is gone, whoever was cut off on the way.
     */
    recountSeconds: 900,
    /** Groups that one answer reads to count afresh; a page ends where it would need more. */
    recountGroups: 2_000,
    /** A scheduled moment that is made up to so late counts as made in time: an hourly one comes each hour. */
    lateSeconds: 900,
    /** Scheduled moments that are made at once, and for how long one call goes on; the next one does the rest. */
    scheduledAtOnce: 4,
    scheduledSeconds: 240,
    /** Points of a chart: about as many as it is wide. */
    chartMoments: 1_000,
  },
  queues: {
    /** SQS asks for at least five receives before a message counts as poison. */
    maxReceiveCount: 5,
    deadLetterDays: 14,
    /** Visibility is this many times the consumer's timeout, as SQS advises for Lambda. */
    visibilityFactor: 6,
    /** Longest redelivery of queued work; keys of side effects outlive it. */
    retentionDays: 14,
  },
  gateway: {
    /** Of all clients together; clients over it get the gateway's own 429. */
    requestsPerSecond: 2_000,
    burst: 4_000,
    /** Of each route that answers without a token: callers whom nobody knows cannot use up the rest. */
    open: { requestsPerSecond: 100, burst: 200 },
    /** Of the token route: what its reserved concurrency can answer, since deriving a key takes about a second. */
    signIn: { requestsPerSecond: 20, burst: 40 },
    /** The longest an HTTP API waits. */
    timeoutMilliseconds: 30_000,
  },
  /**
   * Executions kept free for a function, which are also its most: what else runs cannot use them up. 100 of an account's
   * 1,000 must stay unreserved.
   */
  reservedConcurrency: {
    /** Callers whom the gateway lets through at once, and in the second that a key derivation takes. */
    signIn: 60,
    /**
     * Of each read of one person: at 50 ms, 50 executions answer 1,000 requests a second. Only reads that are quick whatever
     * is asked have a reservation. It is shared by all tenants, so one tenant could fill it with slow requests.
     */
    read: 50,
  },
  workflows: {
    /** Longer than the notices of an export are tried for. */
    timeoutSeconds: 432_000,
    /**
     * Pauses between two looks at what an execution waits for grow from the first to the second. A look is 9 events, and
     * Step Functions ends an execution at 25,000.
     */
    pollSecondsMin: 1,
    pollSecondsMax: 600,
    /** A task outlasts its function by this, so that the function's own time-out is what is seen. */
    taskMarginSeconds: 10,
    /** Of trouble that passes by itself: throttling, an AWS service that fails, contention. */
    transientRetries: 8,
    /** Of anything else, which may be a bug. */
    unexpectedRetries: 3,
    maxRetryDelaySeconds: 30,
    /**
     * Of trouble that passes by itself, in a step whose failure ends the job. Pauses grow to the longest one between two
     * looks: three hours at most, half of that on average. A try is 3 events.
     */
    patientRetries: 24,
    patientRetrySeconds: 3,
  },
  schedules: {
    /** Lists of minutes are the longest field a schedule can need. */
    cronFieldLength: 200,
    /** A schedule of a client runs at most this often. */
    everyMinutes: 15,
    /** The next call of a schedule makes up for a late one. */
    retries: 3,
    maxAgeSeconds: 900,
    /** A client's schedule that cannot send is tried for a day: EventBridge Scheduler's own most. */
    sent: { retries: 185, maxAgeSeconds: 86_400 },
  },
  alarms: {
    periodSeconds: 300,
    /** Answers of 500 in a period before somebody is woken: a lone one may be a deployment. */
    apiErrors: 5,
    /** Refused logins in a period: more than people mistype, fewer than guessing takes. */
    refusedLogins: 50,
    /** Requests in a period that passed uncounted: a few in a short failure of the table need nobody. */
    uncountedRequests: 50,
    /** Retries hide a few; a storm is felt. */
    tableThrottles: 100,
  },
  events: {
    /** EventBridge's own most: a day of trouble loses no upload. */
    retries: 185,
    maxAgeSeconds: 86_400,
  },
  deletion: {
    /**
     * Longer than anything that works on a property goes on after its deletion began: a signed address of an upload opens for
     * an hour, a function runs for 15 minutes, and the API trusts what it read for 25 seconds.
     */
    quietSeconds: 3_900,
    /** A function that deletes has ended by then, so another one may go on. */
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
