/** Rows of `docs/limits.md` about what comes of the data: segments, timelines, exports and deliveries. */
import { characters, n, size, time, type Limits, type Row } from './limit-words.ts';

/** Segments, conditions and timelines. */
export const segments = ({ segments: most, conditions, timelines, sizes }: Limits): readonly Row[] => [
  ['segments of a property', `${n(most.perProperty)}; moments do not count`, 'segment_limit'],
  ['segments of consent beyond them', n(most.consentReserve), 'segment_limit'],
  ['custom segments', n(most.customPerProperty), 'segment_limit'],
  [
    'parts of a definition',
    `${n(most.definitionNodes)}; ${n(most.expandedNodes)} when expanded`,
    'too_many_nodes',
  ],
  [
    'levels of a definition',
    `${n(most.definitionDepth)}; ${n(most.expandedDepth)} when expanded`,
    'too_deep',
  ],
  ['queries of a count', `${n(most.countQueries)}, one for each segment and 262,144 people`, 'too_expensive'],
  ['queries of a page of a combination', n(most.walkQueries), 'a shorter page'],
  [
    'segments that a request names by name',
    `${n(most.refNames)}, of ${characters(most.refNameLength)}`,
    'too_many_names',
  ],
  ['a name of one, a collection, a timeline', characters(most.nameLength), 'too_long'],
  ['segments of a collection', n(most.perCollection), 'too_long'],
  ['people in a preview', n(most.previewProfiles)],
  ['people whom a preview with rules reads', n(most.peopleDrawn), 'an estimate'],
  ['values that explain a condition', n(most.evidencePerCondition)],
  ['conditions of a property', n(most.conditionsPerProperty), 'segment_limit'],
  ['a condition', size(conditions.bytes), 'too_long'],
  ['values of `in`', n(conditions.values), 'too_long'],
  ['a text of `contains`', characters(conditions.searchedCharacters), 'too_long'],
  ['digits of a number with a fraction', n(conditions.fractionDigits)],
  ['days of a window', n(conditions.windowDays), 'out_of_range'],
  ['days of an anniversary', n(conditions.anniversaryDays), 'out_of_range'],
  ['segment sizes', `every ${n(sizes.bucketMinutes)} minutes; every hour if that is expensive`],
  ['moments of a timeline', `${time(timelines.momentIntervalSeconds)} apart`, 'moment_too_early'],
  ['moments of a timeline in a list', `the newest ${n(timelines.momentsPerTimelineInList)}`],
  ['comments of a timeline', characters(timelines.commentsLength), 'too_long'],
  ['moments of a chart', `the newest ${n(timelines.chartMoments)}`],
  [
    'a chart',
    `${n(timelines.chartWidth.least)} to ${n(timelines.chartWidth.most)} pixels wide, ` +
      `${n(timelines.chartHeight.least)} to ${n(timelines.chartHeight.most)} high`,
    'out_of_range',
  ],
  [
    'a link to a chart',
    `1 to ${n(timelines.chartLinkDays.most)} days, ${n(timelines.chartLinkDays.default)} by default`,
    'link_closed',
  ],
  ['views of a linked chart', `${n(timelines.chartViewsPerMinute)} a minute`, 'rate_limited'],
];

/** Exports: definitions, files, jobs. */
export const files = ({ exports: most, schedules, work }: Limits): readonly Row[] => [
  ['people of an export', n(most.profiles), 'too_large'],
  ['segments of an export', n(most.planNodes), 'too_many_segments'],
  ['collections, and types, of an export', n(most.targets), 'too_long'],
  ['a definition', size(most.definitionBytes), 'too_large'],
  ['columns', n(most.columns), 'too_long'],
  ['the name of a column', characters(most.columnNameLength), 'too_long'],
  ['columns of the same field', n(work.columnsOfField), 'too_many'],
  ['a row', characters(work.exportRow), 'row_too_large'],
  ['the name of an export', characters(most.nameLength), 'too_long'],
  ['a template of `file_name` or `directory`', characters(most.templateLength), 'too_long'],
  ['a file name, with its variables', size(most.fileNameBytes), 'too_long'],
  ['a directory, with its variables', size(most.directoryBytes), 'too_long'],
  ['a schedule', `every ${n(schedules.everyMinutes)} minutes`, 'too_frequent'],
  [
    'a schedule with `skip_empty` or `changes`',
    `every ${n(schedules.quietEveryMinutes)} minutes`,
    'too_frequent',
  ],
  ['a field of a schedule', characters(schedules.cronFieldLength), 'too_long'],
  ['jobs of a definition', 'one runs, one waits'],
  ['members of a delta', `are kept ${n(most.baseDays)} days`, '`delta_from` is null'],
  ['a location', `opens for ${n(most.locationDays)} days`, 'location_closed'],
  ['openings of a file', `${n(most.opensPerDay)} in a UTC day`, 'rate_limited'],
  ['files that a property opens', `${size(most.downloadBytesPerDay)} in a UTC day`, 'rate_limited'],
  ['a file', `is kept ${n(most.retentionDays)} days`],
];

/** Deliveries of exports and imports: SFTP, buckets, webhooks, mail, encryption. */
export const deliveries = ({ exports: most, pgp }: Limits): readonly Row[] => [
  ['a delivery', `is tried for ${n(most.webhookRetryHours)} hours`, '`exhausted`'],
  ['attempts in the log', `the newest ${n(most.attemptsKept)}`],
  ['a replay', `within ${n(most.jobDefinitionDays)} days from the beginning of the job`],
  ['an attempt by SFTP or at a bucket', `${time(most.pushSeconds)}; the next one goes on`],
  ['a host, a user name', characters(most.hostLength), 'too_long'],
  ['a password, a private key', size(most.secretBytes), 'too_long'],
  ['tests of destinations', `${n(most.testsPerMinute)} a minute`, 'too_many_tests'],
  ['the address of a webhook', characters(most.urlLength), 'too_long'],
  ['the answer of a webhook', `within ${time(most.webhookTimeoutSeconds)}`],
  ['a call with changes', `${n(most.changesPerCall)} changes, whose lines have ${size(most.changesBytes)}`],
  ['mails about jobs', `${n(most.mailsPerDay)} in a UTC day`, 'they wait'],
  ['mails that ask an address', `${n(most.confirmationsPerDay)} in a UTC day`, 'they wait'],
  [
    'the link of such a mail',
    `works for ${n(most.confirmationHours)} hours; the next one comes after ${n(most.askAgainHours)}`,
    'link_closed',
  ],
  ['a PGP key', `${size(pgp.keyBytes)}, ${characters(pgp.keyLength)} of armour`, 'too_long'],
  [
    'parts and signatures of a PGP key',
    `${n(pgp.keyPackets)} parts, ${n(pgp.keySignatures)} signatures of its own`,
    'key_too_large',
  ],
  ['RSA of a PGP key', `2,048 to ${n(pgp.rsaBits)} bits`, 'key_too_weak'],
];

/** What operators meet: rates of accounts, the brand catalogue, backups. */
export const operators = ({ rates, brands, auth, table, queues }: Limits): readonly Row[] => [
  ['requests of accounts that a stage sets', `${n(rates.mostOfStage)} a second`],
  ['requests of one account', `${n(rates.mostRequestsPerSecond)} a second`],
  [
    'pages of the brand catalogue',
    `${n(brands.pages)}; ${n(brands.departedPages)} that left it are remembered`,
  ],
  ['the file of the catalogue', size(brands.fileBytes)],
  [
    'a brand, a path of categories',
    `${characters(brands.nameLength)}, ${n(brands.categoryLevels)} categories`,
  ],
  ['a public SSH key', characters(auth.sshKeyLength)],
  ['a table can be restored', `to a moment of the last ${n(table.restorableDays)} days`],
  ['messages that failed', `are parked for ${n(queues.deadLetterDays)} days`],
];
