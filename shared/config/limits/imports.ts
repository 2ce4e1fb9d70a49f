/** Import limits: the part of `limits` about files of people. */
import { peopleLimits } from './people.ts';

const undoDays = 28;

export const importLimits = {
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
    /** From one look at an import, or at an undo log, to the next. */
    pauseSeconds: 600,
    /**
     * The undo log and the restatements are searched for forgotten people this long after the forgetting: later than any
     * writer that was under way then, and than a function that stood still for as long as its calls are signed for.
     */
    undoCleanupSeconds: 3_600,
    /**
     * An access request looks for a person in so many pages of 1,000 objects of the undo log, and reads so many objects
     * whose range has the person, for this long.
     */
    formerPages: 60,
    formerObjects: 500,
    formerSeconds: 8,
    /** With less time than this left, the reconciliation of drops stops; its next call goes on. */
    dropsLastSeconds: 60,
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
    /** Values that a definition may list as nobody's identity, the characters of one, and the bytes of all as JSON. */
    notIdentities: 200,
    notIdentityCharacters: 320,
    notIdentitiesBytes: 100_000,
    /** Different e-mail addresses that one id may come with, unless its definition sets another number. */
    addressesPerId: 20,
    addressesPerIdMost: 1_000,
    /** Ids whose addresses a guard remembers, so that its memory does not grow with the file. */
    guardedIds: 50_000,
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
    undoDays,
    /**
     * A repeated value is kept for the undo of the job that brought it first: a record may come `forgottenDays` late, beneath
     * a job that may then be undone for `undoDays`. Three days more are for undos that wait for their turn.
     */
    restatementDays: peopleLimits.profiles.forgottenDays + undoDays + 3,
    /**
     * People of an undo who are counted together, and the registers in their log entries, which are in memory at once:
     * about 400 bytes each, so 400 MB.
     */
    undoPeople: 50_000,
    undoRegisters: 1_000_000,
    /**
     * Where an object of an undo log is lost: blocks of 256 profiles that are looked at, and people and registers found,
     * at once. 65,536 registers are 16 a person.
     */
    undoBlocks: 4_096,
    undoFound: 4_096,
    undoFoundRegisters: 65_536,
    /** One call of the function (15 minutes) takes new people for this long; the next call continues. */
    undoSeconds: 600,
    /** Emptied segments that one step of an undo removes before it counts them, and how many at the same time. */
    undoSegments: 100,
    undoSegmentsAtOnce: 4,
    batchIdempotencyDays: 14,
    /**
     * Request units of the table that one row of a file costs, with its share of the index, when the table does not
     * throttle. `npm run bench -- import` measures both figures with a file of new people.
     */
    writeUnitsPerRow: 3.1,
    readUnitsPerRow: 0.3,
    /**
     * Rows that one worker (one vCPU) stores in a second while the table answers in 5 to 10 ms: the lower end of an
     * estimate of 1,500 to 2,500, until a deployment is measured. Too many workers cost little, because they share the
     * table by rate control; too few leave it idle.
     */
    rowsPerWorkerSecond: 1_500,
  },
} as const;
