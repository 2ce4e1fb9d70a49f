/** Segment limits: the part of `limits` about segments, their sizes, their audits and timelines. */
import { clockSkewSeconds, lateWriteSeconds } from './clocks.ts';

export const segmentLimits = {
  segments: {
    perProperty: 100_000,
    /** Segments of consent that a property may have beyond `perProperty`: an export relies on them to leave people out. */
    consentReserve: 1_000,
    /** Groups of members that one reader or copier has under way. */
    groupsAtOnce: 8,
    /** How long a process keeps the segments that it has read. It may show a deleted value segment for this time. */
    cacheSeconds: 60,
    /**
     * How long a deleted value segment keeps its identity, for memberships that were announced under its id. Messages
     * are parked for 14 days at most.
     */
    deletedDays: 30,
    /** Current custom segments of a property: the tree of a profile evaluates each of them. */
    customPerProperty: 1_000,
    /** Conditions of a property: each writer of a profile evaluates all of them. */
    conditionsPerProperty: 200,
    /**
     * Blocks of people that wait for the drainer while conditions are prepared. An import that ends meanwhile waits for them:
     * some seconds each.
     */
    fillBlocksOpen: 8,
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
    /**
     * People whom a preview with rules reads: with as many, the bounds of an estimate are 1.6 % of the population from it at
     * most. A read unit each, and half a second of a processor.
     */
    peopleDrawn: 4_096,
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
     * Profile writes leave at most this long after their writer has looked at what decides segments, because a new fact
     * waits for them (`propagationMs`). A round of a batch needs a second or two for them: 500 rows, 2.7 write units each.
     * A call may hang twice meanwhile, for 10 s each; or a table may serve a process, with its four slices, 200 units a
     * second. A round that takes longer is repeated, and finds the claims and profiles that it has written.
     */
    lookSeconds: 30,
    /**
     * The longest run of whoever indexes what others have announced: about 20 passes of the drainer. A group whose drainer
     * fails waits six times as long. What indexers write is removed when those that knew it cannot be at work any more.
     */
    indexerSeconds: 300,
    /**
     * An entry is retired only this long after its end: clocks may differ, and a sent write may still be
     * executed after its sender has died.
     */
    journalMarginSeconds: clockSkewSeconds + lateWriteSeconds,
  },
  sizes: {
    /**
     * A process records a change of a segment in a group once per this period, and the sizes are measured as often unless that
     * is expensive.
     */
    bucketMinutes: 15,
    /** A recorded change may precede the last change that it covers by one bucket and by the longest run of a function. */
    marginMinutes: 35,
    /** Read units of a measurement that comes every quarter of an hour: a dollar a month. */
    cheapUnits: 3_000,
    /**
     * Read units of a measurement that comes at the end of each import: a quarter of what the 12 steps of a workflow cost, at
     * 25 dollars a million, where a million units cost 0.25 (on demand, https://aws.amazon.com/step-functions/pricing).
     */
    freeUnits: 300,
    /** A property whose measurement costs more is measured once in this time. */
    restMinutes: 60,
    /** An import or an undo takes this long at its end for the sizes that it has changed; then the scheduled job goes on. */
    soonSeconds: 20,
    /** Properties that are measured at once. */
    propertiesAtOnce: 4,
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
  timelines: {
    momentIntervalSeconds: 3_600,
    momentsPerTimelineInList: 100,
    /** Characters of the comments on a first moment, which the list of timelines contains. */
    commentsLength: 4_000,
    /** The remains of an uncommitted moment are removed after this time: no maker runs that long. */
    abandonedSeconds: 900,
    /**
     * For this long after a member of a moment was forgotten, each read recounts the moment, then once more for
     * good: by then every writer has removed the bit, even after a crash.
     */
    recountSeconds: 900,
    /** Groups that one response reads to recount; a page ends where it would need more. */
    recountGroups: 2_000,
    /** A scheduled moment that is at most this late counts as punctual: an hourly moment follows each hour. */
    lateSeconds: 900,
    /** Points of a chart: about as many as it is wide. */
    chartMoments: 1_000,
    /** Pixels of a chart: from a phone to a large screen. */
    chartWidth: { least: 320, default: 960, most: 2_000 },
    chartHeight: { least: 280, default: 440, most: 1_200 },
    /** Whole days for which a link to a chart opens it. */
    chartLinkDays: { default: 30, most: 365 },
    /** Views of one chart by its links: a page that many people read, but no flood. Each view counts its moments. */
    chartViewsPerMinute: 300,
    /** A browser or proxy shows a copy of a linked chart for this long, also after the link was withdrawn. */
    chartCacheSeconds: 60,
  },
} as const;
