/** Export limits: the part of `limits` about exports, their destinations and their encryption. */
import { clockSkewSeconds } from './clocks.ts';

export const exportLimits = {
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
    /** Work is looked after when it began this long ago: its starter has ended. */
    taskSeconds: 120,
    /** From one look at a job to the next. */
    pauseSeconds: 300,
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
    /** Opens of one file in a UTC day: everyone who has its location may open it, and AWS charges for every byte. */
    opensPerDay: 100,
    /** Bytes of the files that are opened in a UTC day and property: $90 at the price of AWS for the first 10 TB. */
    downloadBytesPerDay: 1e12,
    /** A job that never ends keeps its turn for this long: longer than an export of 100 million profiles. */
    slotHours: 6,
    locationDays: 7,
    retentionDays: 30,
    /**
     * Who had a person is looked up within a request: in the newest exports, deleted ones too, in as many of the newest
     * live exports, and in the frozen members of so many of their newest jobs, for this long.
     */
    disclosureExports: 200,
    disclosureJobs: 1_000,
    disclosureSeconds: 10,
    /** Jobs of one revision of an export that are named: all have the same receivers. */
    disclosedJobs: 10,
    /** Jobs that one answer names: with the longest addresses, which have 8 KB, they fit an answer. */
    namedJobs: 300,
    webhookTimeoutSeconds: 30,
    /**
     * Changes in one call, and the bytes of their lines: with its other members, a call has less than 256 KB. A change of
     * more bytes has a call of its own.
     */
    changesPerCall: 500,
    changesBytes: 240_000,
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
    /**
     * Bytes of a part of an upload to the bucket of a client. Files beyond 10,000 such parts, S3's limit, have larger
     * parts. Some parts are in memory at once.
     */
    objectPartBytes: 8_388_608,
    objectPartsAtOnce: 4,
    /** An attempt at a bucket must end its last calls within this time after its own. */
    objectLastSeconds: 45,
    /** An unfinished upload to the bucket of a client is remembered for this long: longer than a delivery lasts. */
    objectUploadDays: 8,
    /** Longest test of a bucket, below the 29 s of its request with the other tests. */
    testBucketSeconds: 8,
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
    /** Characters of an armoured key: 64,000 bytes, with a photograph of its owner, become this many. */
    keyLength: 96_000,
    keyBytes: 64_000,
    /** Keys, names, photographs and signatures of a key. They are split and filtered, which costs no arithmetic. */
    keyPackets: 2_000,
    /**
     * Signatures of a key that are verified (`minimalKey`). Each may be verified several times, for 15 ms on the slowest
     * curve.
     */
    keySignatures: 30,
    /** Beyond these sizes OpenSSL refuses, and slow arithmetic in JavaScript takes over. */
    rsaBits: 8_192,
    rsaExponentBits: 64,
  },
} as const;
