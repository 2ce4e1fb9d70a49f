/**
 * Limits: the limits, timeouts, batch sizes and retention times of the service, with the reason where it is not obvious.
 * Constants of one protocol or algorithm stand beside their code. Numbers and plain objects only, so that every bundle can
 * include this file.
 */
import { operationLimits } from './operation-limits.ts';

/** The largest difference between the clocks of two functions, in seconds. Every margin for clocks contains it. */
const clockSkewSeconds = 5;

/** How long a sent write may still be carried out after its sender has died. */
const lateWriteSeconds = 55;

/** All limits. */
export const limits = {
  clockSkewSeconds,
  http: {
    /** Escaping may double a body inside a Lambda event, whose limit is 6 MB. */
    bodyBytes: 2_900_000,
    /** A page ends at this size in the answer of a function, whose limit is 6 MB (`bytesInAnswer`). */
    pageBytes: 4_500_000,
    /** Profiles, segments or sizes of a page when the client names no limit. */
    pageDefault: 1000,
    /** Items of a page of any other list when the client names no limit. */
    listDefault: 100,
    pageMax: 1000,
    /** Items of a list that one request reads to find the items that match its filter. */
    filteredItems: 1_000,
    /** Nesting of a JSON body; the deepest schema (custom segments) needs 40. */
    jsonDepth: 64,
    /** Members of one JSON object: engines handle huge objects slowly, and no schema has a thousandth of this. */
    jsonMembers: 10_000,
    /** API Gateway ends a request after 30 s; a function must respond earlier. */
    timeoutSeconds: 29,
    idempotencyHours: 24,
    idempotencyKeyLength: 255,
    /**
     * Another attempt takes over a dead keyed request after this time. No call of a request goes out after its
     * 29 s (see `Deadline`).
     */
    idempotencyClaimSeconds: 60,
  },
  rates: {
    /** Requests of an account are counted in windows of this length; a refused client waits for the next window. */
    windowSeconds: 10,
    /** A counter is kept longer than clocks differ. */
    keptSeconds: 3_600,
    /** Longest wait of a request for the count. */
    waitMilliseconds: 2_000,
  },
  audit: {
    /** Longest wait of a request for its entry. */
    waitMilliseconds: 2_000,
    /** The entry of a login under an unknown name expires after this time. */
    nobodySeconds: 3_600,
    /** Longer than a year, so that a yearly review sees a whole year. */
    retentionDays: 400,
    /** Forgettings are logged longer than the 35 days for which a table can be restored. */
    forgettingDays: 45,
    /** Longest time between the log entry of a forgetting and its end: no request runs longer. */
    forgettingMarginSeconds: 600,
    /** Forgettings that one call of a replay examines. */
    forgettingsPerCall: 100,
  },
  auth: {
    tokenSeconds: 2_592_000,
    /** A revoked token is refused within 30 s; the difference is for the clock and the read. */
    tokenCacheSeconds: 25,
    failuresPerUser: 10,
    failuresPerClient: 100,
    /** Of all client ids together: each failure costs a key derivation, whatever client id it names. */
    failuresPerNetwork: 1_000,
    failureWindowSeconds: 900,
    /** Failures are counted in slices of this length, so that the window slides. */
    failureSliceSeconds: 60,
    /** NIST SP 800-63B-4 (3.1.1.2) requires this length of a password that is the only factor. */
    passwordMinLength: 15,
    passwordMaxLength: 1_024,
    /** One more token revokes the oldest of its user. */
    tokensPerUser: 100,
    scrypt: { N: 2 ** 17, r: 8, p: 1 },
    /** Transfer Family's limit for a user; the user's item holds all of them. */
    sshKeysPerUser: 10,
    /** Characters of a public key with its comment: RSA of 4,096 bits has 740. */
    sshKeyLength: 2_000,
    /** Below 2,048 bits a key is no protection; above 4,096 Transfer Family refuses it. */
    rsaBits: { least: 2_048, most: 4_096 },
  },
  profiles: {
    stringLength: 1_024,
    /** Characters of an e-mail address: 64 before the @, 255 behind it (RFC 5321). */
    emailLength: 320,
    extraDataKeys: 200,
    /** The file of an access request is the answer itself up to this size; a larger file has an address for this time. */
    accessAnswerBytes: 1_000_000,
    accessFileSeconds: 300,
    /** Pointers of one phone number that a lookup looks at. */
    peopleOfPhone: 100,
    extraDataKeyLength: 255,
    tags: 500,
    /** Removals of single tags that a profile remembers; `tags: null` ends them. */
    removedTags: 1_000,
    likes: 5_000,
    itemBytes: 380_000,
    /**
     * Identities of one profile: far more than a person has. A constant value in a column of ids would merge a
     * whole file into one profile, and forgetting a profile lists its identities in one item.
     */
    identities: 1_000,
    socialTokenBytes: 4_096,
    /** How long the service remembers a forgotten identity; a record that was accepted earlier is refused. */
    forgottenDays: 14,
    /** Ordinals that a function reserves at once for profiles created one by one; unused ordinals are gaps. */
    ordinalsPerReservation: 16,
  },
  segments: {
    perProperty: 100_000,
    /** How long a process relies on what it has read of segments: so long it may show a deleted value segment. */
    cacheSeconds: 60,
    /**
     * How long a deleted value segment keeps its identity, for memberships that were announced under its id. Messages
     * are parked for 14 days at most.
     */
    deletedDays: 30,
    /** Current custom segments of a property: the tree of a profile evaluates each of them. */
    customPerProperty: 1_000,
    definitionDepth: 16,
    definitionNodes: 50,
    /** Depth of a definition with its custom segments expanded, so that evaluating it is bounded. */
    expandedDepth: 32,
    expandedNodes: 1_000,
    /** Characters of the names of custom segments, collections and timelines. */
    nameLength: 255,
    /** Different names by which one request names segments: one query for each. */
    refNames: 100,
    /** Characters of the name of any segment: tags are the longest. */
    refNameLength: 1_024,
    /** Queries that count a segment, one for each segment in it and each 262,144 profiles: about four seconds. */
    countQueries: 5_000,
    /** Queries of a walk over members. A page makes up to three walks, and ends where one of them does. */
    walkQueries: 2_000,
    /** Segments of a collection; it stays one item. */
    perCollection: 1_000,
    /** Profiles in a preview. */
    previewProfiles: 10,
    /** Values that explain one condition of a membership: more values say nothing new. */
    evidencePerCondition: 10,
    /** All values that explain a membership, as JSON; in addition a response may name 1,000 long segments. */
    evidenceBytes: 1_000_000,
    /** Journal entries are split below this size, under DynamoDB's 400 KB. */
    journalEntryBytes: 200_000,
    /**
     * Chunks that one pass of the drainer updates, about ten seconds of work; the next pass does the rest. A
     * pass rewrites the journal entries that it does not finish, so smaller passes would cost more.
     */
    chunksPerPass: 50_000,
    /** The same for one pass over the entries of waiting requests: a fifth of a second of writes. */
    chunksPerRequestPass: 2_000,
    /** Lifetime of a journal entry; profile writes go out until the margin before its end. */
    journalSeconds: 120,
    /**
     * An entry is retired only this long after its end: clocks may differ, and a sent write may still be
     * executed after its sender has died.
     */
    journalMarginSeconds: clockSkewSeconds + lateWriteSeconds,
  },
  sizes: {
    /** A process records a change of a segment in a group once per this period, and the sizes are measured as often. */
    bucketMinutes: 15,
    /** A recorded change may precede the last change that it covers by one bucket and by the longest run of a function. */
    marginMinutes: 35,
    /**
     * Lists that stay readable, so that a walk over a list reads one version: about an hour's, and the lists of the
     * minutes in which a property is new.
     */
    lists: 20,
    /** A list is rewritten after this time even without changes, because its items expire. */
    renewHours: 24,
    retentionDays: 7,
    /** Entries of one item of a list: 30 KB at most. */
    perItem: 2_000,
    /** With less time than this left, the job stops and continues at its next call. */
    lastSeconds: 120,
  },
  audits: {
    /** Chunks of ordinals that one call compares: 32,768 profiles, some seconds of a function. */
    chunksPerCall: 8,
    /** Repeated comparisons of a difference while other writers change it. */
    looks: 5,
    /** Segments in the answer of a call, and profiles named for each segment. */
    segmentsReported: 100,
    samples: 5,
  },
  birthdays: {
    /** Start of the job in minutes after midnight UTC: by then the changes of the day before are in the journal. */
    settleMinutes: 5,
    /**
     * Days that the job may be behind. A changed birthday removes every band of the old birthday that was due
     * since then.
     */
    behindDays: 31,
    /** With less time than this left the job stops and goes on at its next call. */
    lastSeconds: 60,
  },
  brands: {
    /** Pages of a catalogue: two versions of it fit the 512 MB of memory of each process that reads a like. */
    pages: 100_000,
    /** Pages of earlier catalogues that are kept in addition, because a new page must not reuse their ids. */
    departedPages: 100_000,
    /** Characters of a brand, and of a category path; they become names of segments. */
    nameLength: 255,
    /** Categories of a path, outermost first: one like yields this many segments. */
    categoryLevels: 8,
    /** Brands or categories with one name (ignoring case), which the lookup by name reads at once. */
    sameName: 100,
    /** The catalogue file that an operator loads. */
    fileBytes: 50_000_000,
    /** Faults of a file that the answer names. */
    faults: 20,
    /** A staged part, as JSON: one item of the table, and far below the payload limit of a function. */
    partBytes: 300_000,
    /** Parts that were never committed expire. */
    stagedHours: 24,
    /** Every process knows of a new version within this time; the refresh costs one read. */
    refreshSeconds: 5,
    /** One call applies a version property by property for this long; the next call continues. */
    advanceSeconds: 600,
    /** Members whose memberships are recomputed between two checks of the time. */
    backfillStep: 4_096,
  },
  imports: {
    recordsPerBatch: 10_000,
    rowsPerChunk: 4_096,
    /** Bytes of a file in one chunk, so that a worker's memory is bounded whatever the rows contain. */
    chunkBytes: 4_000_000,
    columns: 2_000,
    cellCharacters: 1_000_000,
    rowBytes: 2_000_000,
    /** Characters of a field before transformations: ten times the final limit. Lists may fill a cell. */
    mappedCharacters: 10_240,
    /** Bytes of the header line, which is stored with the job. */
    headerBytes: 100_000,
    /** Characters of the names of definitions, jobs, batches, columns and files. */
    nameLength: 255,
    fieldMaps: 500,
    sourcesPerField: 10,
    transformationsPerField: 10,
    /** Characters of a text in the options of a transformation, as many as a field of a profile may have. */
    optionCharacters: 1_024,
    /** Characters of the separator of the values of a list. */
    splitCharacters: 10,
    /**
     * A list column is suspicious if it has this many cells, and if a larger share of them contains a usual separator at
     * which the column is not split.
     */
    suspiciousCells: 20,
    suspiciousShare: 0.2,
    /** Entries of one transformation `map`. */
    mappedValues: 1_000,
    /** `mapping_fields` as JSON: a definition is one item of the table. */
    mappingBytes: 200_000,
    /** Characters of a refused or warned row in the report; a longer row is truncated. */
    reportedCharacters: 100_000,
    /** The addresses of all parts fit one response; S3 itself accepts 50 times more. */
    uploadBytes: 100_000_000_000,
    /** Larger files are uploaded in parts, as S3 advises: a failed part is sent again, not the whole file. */
    onePutBytes: 100_000_000,
    partBytes: 67_108_864,
    /** A signed address expires with the session of the role that signed it, which may end within an hour. */
    uploadSeconds: 3_600,
    /** A compressed file may grow by this factor, and to this size. */
    expansionRatio: 200,
    expandedBytes: 20_000_000_000,
    /**
     * Rows that are validated and stored together. A few slices run at once: one is computed while the requests
     * of the others are under way. Besides its rows a slice costs about ten requests (ordinals, a journal
     * entry).
     */
    rowsPerSlice: 500,
    slicesAtOnce: 4,
    /** Bytes of a file that an inspection looks at: as many as the largest header. */
    inspectedBytes: 100_000,
    /** Rows of these bytes whose values decide about suggestions, and rows that the answer shows. */
    inspectedRows: 500,
    shownRows: 20,
    /**
     * One call of the function (15 minutes) reads a file of unknown encoding for this long; the next call continues. An
     * expansion before that counts as part of this time.
     */
    proofSeconds: 600,
    /** One call of the function (15 minutes) splits a file for this long; the next call continues. */
    splitSeconds: 600,
    /** A job that receives batches is added to the watched jobs at most once in this time. */
    watchHours: 12,
    /**
     * A batch that no worker has started for this long is queued again: few queues are longer, and a duplicate
     * does no harm.
     */
    requeueSeconds: 7_200,
    /**
     * A batch that a worker last began this long ago has lost its message: a message comes back sooner, even if
     * the worker died (six times its five minutes).
     */
    parkSeconds: 10_800,
    /** With less time than this left, the repair stops; its next call starts elsewhere in its list. */
    repairLastSeconds: 60,
    /**
     * Running batches that a cancelled job remembers to finish: a hundred times the workers, and far below its
     * item's 400 KB.
     */
    finishingBatches: 5_000,
    /** New segments that a job may make, unless its definition sets another number. */
    newSegments: 200,
    /** The largest number that a definition may set: the item of a job's guard stores eight bytes for each. */
    newSegmentsMost: 10_000,
    /** With fewer judged rows, the share of refused rows stops no job. */
    judgedRowsLeast: 100,
    /** Rows and batches of a dry run, whose result is added up in the memory of one worker. */
    dryRunRows: 1_000_000,
    dryRunBatches: 250,
    /** Refused rows that are sent again at once: the batch's item lists them, under DynamoDB's 400 KB. */
    rowsPerRetry: 5_000,
    /**
     * A batch of a file that touches more chunks of a group than this is not indexed at once. A batch of new
     * people touches a few of the 64 chunks. A batch of known people in random order touches all of them, and
     * would write each chunk for a handful of changes. Such batches wait until all batches of the file are
     * stored, or for the sweep.
     */
    chunksDrainedAtOnce: 16,
    reportedPerPage: 1_000,
    /** The end of a job that is not announced so long after it was due has lost its workflow. */
    announceSeconds: 3_600,
    /** Lease of an attempt to write the result files beside a file from SFTP. */
    resultFilesSeconds: 240,
    /** The list of refused rows beside a file from SFTP ends after so many bytes. */
    resultFileBytes: 200_000_000,
    /** Most reasons of refused or warned rows that a job shows: those with the most rows. */
    shownReasons: 50,
    /**
     * The reconciliation of SFTP looks at files of at least this age: the event of a younger file, or of an
     * interrupted upload, may still be on its way.
     */
    dropSettleSeconds: 900,
    /**
     * It looks again at files that are this much older than its last pass. S3 gives a file the time at which its
     * upload began, and an upload of 100 GB takes hours.
     */
    dropOverlapSeconds: 86_400,
    /**
     * One request writes the file of a whole list for this long; another one continues. API Gateway ends a
     * request after 30 s.
     */
    reportFileSeconds: 15,
    retentionDays: 30,
    /** A job can be undone for this long after its first row. Its undo log expires as uploads do, a little later. */
    undoDays: 28,
    /** People of an undo whose log entries are in memory at once, about 100 MB, and who are counted together. */
    undoPeople: 50_000,
    /** One call of the function (15 minutes) takes new people for this long; the next call continues. */
    undoSeconds: 600,
    batchIdempotencyDays: 14,
    /**
     * Request units of the table that one row of a file costs, with its share of the index, when the table does not
     * throttle. `bench/import.ts` measures both figures with the sample file of 10,000 rows, most of them new people.
     */
    writeUnitsPerRow: 2.7,
    readUnitsPerRow: 2.6,
    /**
     * Rows that one worker (one vCPU) stores in a second while the table answers in 5 to 10 ms: the lower end of an
     * estimate of 1,500 to 2,500, until a deployment is measured. Too many workers cost little, because they share the
     * table by rate control; too few leave it idle.
     */
    rowsPerWorkerSecond: 1_500,
  },
  exports: {
    shards: 1_000,
    profilesPerShard: 10_000,
    columns: 1_000,
    /** A shard then has 500,000 profiles, some minutes of a function that reads and prints 5,000 a second. */
    profiles: 500_000_000,
    /** One call of the function (15 minutes) assembles a file for this long, and ends its part; the next call continues. */
    assembleSeconds: 600,
    columnNameLength: 255,
    nameLength: 200,
    /** File systems take 255 bytes. While a push grows, its name has 22 more. */
    templateLength: 255,
    fileNameBytes: 200,
    directoryBytes: 500,
    /** Segments (or collections, or types) that one export may name; the definition stays one item. */
    targets: 1_000,
    /** Segments that one export reads, with collections and definitions expanded: a window of all of them is in memory. */
    planNodes: 10_000,
    /** A definition as JSON, resolved: it stays one item of the table. */
    definitionBytes: 350_000,
    /** The repair job handles work that started this long ago: its starter has ended. */
    outboxTaskSeconds: 120,
    /** The copy of a definition that a job uses is kept as long as its file, plus the longest run of the job. */
    jobDefinitionDays: 36,
    /** An interrupted step may still write for its 15 minutes; after that, objects that no job names are removed. */
    leftoverSeconds: 1_200,
    /** Members of a delta are kept for the next delta: longer than the interval of yearly runs. */
    baseDays: 400,
    /**
     * A delta repeats changes that were stored this long before its base: 15 minutes in all, which are the clock skew
     * and 895 s for writes that were under way.
     */
    deltaOverlapSeconds: clockSkewSeconds + 895,
    urlLength: 2_048,
    /** A host name or address with its port. */
    hostLength: 261,
    /** A pre-signed address is used at once, by following a redirect. */
    downloadSeconds: 300,
    /**
     * Export jobs of all properties that run at once, and the parts that each of them writes at once, of the 1,000
     * functions that an account runs at once. Inline maps of Step Functions run at most 40 iterations at once.
     */
    concurrency: { jobs: 8, parts: 40 },
    /** The same in a new account, which runs ten functions at once. */
    smallConcurrency: { jobs: 2, parts: 2 },
    /** The same on one machine, which runs as many functions as it has memory for. */
    localConcurrency: { jobs: 40, parts: 40 },
    /** A job that never ends keeps its turn for this long: longer than an export of 100 million profiles. */
    slotHours: 6,
    locationDays: 7,
    retentionDays: 30,
    webhookTimeoutSeconds: 30,
    /** Mails of a property in a UTC day: bounds the damage of a mistake or a thief to the sender's reputation. */
    mailsPerDay: 500,
    /** Confirmation mails of a property in a UTC day: they go to unconfirmed addresses. */
    confirmationsPerDay: 20,
    /** Hours for which the link of a confirmation mail works. */
    confirmationHours: 72,
    /** Hours until the service may send a confirmation mail to the same address again. */
    askAgainHours: 24,
    /** One attempt at a mail with its reads and writes; the next attempt may start after this time. */
    emailSeconds: 60,
    /** One attempt at pushing a file, below the 15 minutes of its function; a longer file takes several attempts. */
    pushSeconds: 780,
    /** Largest private key or password of a client in bytes. KMS encrypts at most 4,096 bytes (AWS KMS API, `Encrypt`). */
    secretBytes: 4_000,
    /** Tests of destinations in a minute and a property, so that nobody guesses passwords with them. */
    testsPerMinute: 10,
    /** Longest webhook call of a test, below the 29 s of its request. */
    testWebhookSeconds: 10,
    /** Share of that time in which an attempt may read back an earlier partial file: two thirds remain for writing. */
    pushReadBackShare: 1 / 3,
    /**
     * A partial file is compared in pieces of this many bytes: first this many pieces at the end, then pieces
     * from all over it.
     */
    pushPieceBytes: 1_000_000,
    pushEndPieces: 16,
    /** A delivery whose function keeps failing is retried after this time. */
    troubleSeconds: 3_600,
    webhookRetryHours: 72,
    /** Attempts of a delivery that are kept: three days make nine. The delivery's item holds them, 3 KB in all. */
    attemptsKept: 25,
  },
  pgp: {
    /** Characters of an armoured key: 16,000 bytes become this many. */
    keyLength: 24_000,
    keyBytes: 16_000,
    /**
     * Keys, names and signatures of a key. Each signature may be verified several times, for 15 ms on the slowest
     * curve.
     */
    keyPackets: 20,
    /** Beyond these sizes OpenSSL refuses, and slow arithmetic in JavaScript takes over. */
    rsaBits: 8_192,
    rsaExponentBits: 64,
  },
  enrichment: {
    /** Enrichers of a property. A record may raise a question to each of them, and one item holds all of them. */
    enrichers: 10,
    /** Characters of a name: with its prefix it is the origin of values, which has 64. */
    nameLength: 50,
    /** The service queues questions for a changed enricher within 30 s; the difference is for the read. */
    cacheSeconds: 25,
    /** From resolving the enricher's name to the end of its response. */
    timeoutSeconds: 10,
    answerBytes: 262_144,
    /** Entries of one response: each of the tiers, several times. */
    valuesPerAnswer: 20,
  },
  table: {
    /**
     * Write units that a new on-demand table serves in a second (DynamoDB Developer Guide, "Pre-warming a table for
     * on-demand capacity mode").
     */
    newTableWriteUnits: 4_000,
    /** Ids allocated for a request are kept for this long: longer than any message or `Idempotency-Key` lives. */
    requestKeyDays: 16,
  },
  timelines: {
    momentIntervalSeconds: 3_600,
    momentsPerTimelineInList: 100,
    /** Characters of the comments on a first moment, which the list of timelines contains. */
    commentsLength: 4_000,
    /** Another maker takes over a lease that was not renewed for this long. */
    leaseSeconds: 3,
    /** The maker of a moment renews its lease before a group that it copies, but at most once in this time. */
    leaseRenewalSeconds: 1,
    /** Groups of the tracked segment that are copied at once. */
    groupsAtOnce: 8,
    /** The remains of an uncommitted moment are removed after this time: no maker runs that long. */
    abandonedSeconds: 900,
    /** Abandoned moments that one call removes; the next call continues. */
    abandonedPerCall: 100,
    /**
     * For this long after a member of a moment was forgotten, each read recounts the moment, then once more for
     * good: by then every writer has removed the bit, even after a crash.
     */
    recountSeconds: 900,
    /** Groups that one response reads to recount; a page ends where it would need more. */
    recountGroups: 2_000,
    /** A scheduled moment that is at most this late counts as punctual: an hourly moment follows each hour. */
    lateSeconds: 900,
    /** Scheduled moments that are made at once, and the duration of one call; the next call does the rest. */
    scheduledAtOnce: 4,
    scheduledSeconds: 240,
    /** Points of a chart: about as many as it is wide. */
    chartMoments: 1_000,
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
  ...operationLimits,
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
