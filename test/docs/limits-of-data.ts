/** Rows of `docs/limits.md` about what comes in: requests, people and imports. */
import { characters, n, size, time, type Limits, type Row } from './limit-words.ts';

/** Requests, sign-in and the audit log. */
export const requests = ({ http, rates, gateway, auth, audit, work, imports }: Limits): readonly Row[] => [
  ['the body of a request', size(http.bodyBytes), 'too_large'],
  [
    'the JSON of a body',
    `${n(http.jsonDepth)} levels, ${n(http.jsonMembers)} members of an object`,
    'bad_request',
  ],
  ['a page', `${n(http.pageMax)} items, ${size(http.pageBytes)}`, 'a shorter page'],
  [
    'a page without `limit`',
    `${n(http.pageDefault)} people, segments, sizes or rows; ${n(http.listDefault)} others`,
  ],
  ['stored profiles behind a page', size(work.pageProfiles), 'a shorter page'],
  ['items examined for a filter', `${n(http.filteredItems)}; 100 import jobs`, 'a shorter page'],
  ['the time of a request', time(http.timeoutSeconds), 'unavailable'],
  ['an `Idempotency-Key`', characters(http.idempotencyKeyLength), 'bad_request'],
  [
    'its answer is kept',
    `${time(http.idempotencyHours * 3_600)}; of batches and retries ${n(imports.batchIdempotencyDays)} days`,
  ],
  [
    'requests of an account',
    `a setting; 200 a second, in windows of ${time(rates.windowSeconds)}`,
    'rate_limited',
  ],
  [
    'table units of one request',
    `${n(rates.unitsPerRequest)}; each further ${n(rates.unitsPerRequest)} are a request`,
    'rate_limited',
  ],
  [
    'token requests of all callers',
    `${n(gateway.signIn.requestsPerSecond)} a second, ${n(gateway.signIn.burst)} at once`,
    '429',
  ],
  [
    'requests without a token, a route',
    `${n(gateway.open.requestsPerSecond)} a second, ${n(gateway.open.burst)} at once`,
    '429',
  ],
  [
    'failed logins of an address',
    `${n(auth.failuresPerUser)} of a user, ${n(auth.failuresPerClient)} of a client id, ` +
      `${n(auth.failuresPerNetwork)} in all; ${time(auth.failureWindowSeconds)}`,
    'slow_down',
  ],
  ['a token', `lives ${time(auth.tokenSeconds)}`, 'unauthorized'],
  ['a key', `lives up to ${time(auth.keySeconds)}`, 'unauthorized'],
  ['tokens of a user', n(auth.tokensPerUser), 'the oldest ends'],
  ['keys of a user', n(auth.keysPerUser), 'invalid_request'],
  ['properties that a token names', n(auth.propertiesPerToken), 'invalid_request'],
  ['a password', `${n(auth.passwordMinLength)} to ${characters(auth.passwordMaxLength)}`],
  [
    'SSH keys of a user',
    `${n(auth.sshKeysPerUser)}; RSA of ${n(auth.rsaBits.least)} to ${n(auth.rsaBits.most)} bits`,
  ],
  ['the audit log', `${n(audit.retentionDays)} days, ${n(audit.namedIds)} ids in an entry`],
];

/** People: records, lookups, rules of a property, enrichers. */
export const people = ({ profiles, names, rules, enrichment, exports, work }: Limits): readonly Row[] => [
  ['a profile', size(profiles.itemBytes), 'profile_too_large'],
  ['a text of a field', characters(profiles.stringLength), 'too_long'],
  ['an e-mail address', characters(profiles.emailLength), 'not_an_email'],
  ['an age', '0 to 150', 'out_of_range'],
  ['identities of a profile', n(profiles.identities), 'too_many'],
  ['tags of a person', n(profiles.tags), 'too_many'],
  ['removed tags that a profile remembers', n(profiles.removedTags), 'too_many'],
  ['likes of a person', n(profiles.likes), 'too_many'],
  [
    'keys of `extra_data`',
    `${n(profiles.extraDataKeys)}, of ${characters(profiles.extraDataKeyLength)}`,
    'too_many',
  ],
  ['channels of consent', n(profiles.consentChannels), 'too_many'],
  [
    'statements of one source about a channel',
    `the newest ${n(profiles.consentStatements)} of each state are kept`,
  ],
  ['the place of a consent', characters(profiles.consentSourceLength), 'too_long'],
  ['the time of a consent', `${time(profiles.consentAheadSeconds)} ahead`, 'out_of_range'],
  ['a social token', size(profiles.socialTokenBytes), 'too_long'],
  [
    'new segments of one request',
    `${n(work.request.writes)} writes, ${n(work.request.newSegment)} for a new segment`,
    'too_many',
  ],
  ['a record that waits', time(profiles.forgottenDays * 86_400), 'too_old'],
  ['people that a search by name shows', n(names.people), '`complete` is false'],
  [
    'profiles that a search by name reads',
    `${n(names.profilesRead)}; ${n(names.profilesReadByFirstName)} with a first name`,
    '`complete` is false',
  ],
  ['pointers that a look-up by telephone reads', n(profiles.peopleOfPhone)],
  ['an access request in the answer', `${size(profiles.accessAnswerBytes)}; a larger one is a file`],
  ['the address of such a file', time(profiles.accessFileSeconds)],
  [
    'exports that it looks through',
    `the newest ${n(exports.disclosureExports)}, ${n(exports.disclosureJobs)} jobs, ${time(exports.disclosureSeconds)}`,
  ],
  [
    'jobs of an export that it names',
    `${n(exports.disclosedJobs)} of a revision, ${n(exports.namedJobs)} in all`,
  ],
  [
    'the rule that forgets people',
    `after ${n(rules.profileMonths.least)} to ${n(rules.profileMonths.most)} months`,
  ],
  ['the rule that deletes files', `after ${n(rules.fileDays.least)} to ${n(rules.fileDays.most)} days`],
  ['enrichers of a property', n(enrichment.enrichers)],
  ['an answer of an enricher', `${n(enrichment.valuesPerAnswer)} values, ${size(enrichment.answerBytes)}`],
  ['the time of an enricher', time(enrichment.timeoutSeconds)],
  ['the name of an enricher', characters(enrichment.nameLength)],
];

/** Imports: files, definitions, jobs. */
export const files = ({ imports: most, work }: Limits): readonly Row[] => [
  ['a file', size(most.uploadBytes), 'out_of_range'],
  ['a file in one PUT', `${size(most.onePutBytes)}; beyond it in parts of ${n(most.partBytes)} bytes`],
  ['an upload address', time(most.uploadSeconds)],
  [
    'a compressed file',
    `expands ${n(most.expansionRatio)}-fold, to ${size(most.expandedBytes)}`,
    'expands_too_far',
  ],
  ['the header', size(most.headerBytes), 'header_too_large'],
  ['columns', n(most.columns), 'too_many_columns'],
  ['a row', size(most.rowBytes), 'row_too_large'],
  ['a cell', characters(most.cellCharacters), 'cell_too_large'],
  [
    'the columns of a field',
    `${characters(most.mappedCharacters)}, but for lists and \`source\``,
    'too_long',
  ],
  [
    'the work of a row',
    `${n(work.row.least)}, and ${n(work.row.each)} for each of its characters`,
    'too_long',
  ],
  [
    'field maps of a definition',
    `${n(most.fieldMaps)}, each with ${n(most.sourcesPerField)} sources and ${n(most.transformationsPerField)} transformations`,
    'too_long',
  ],
  ['entries of a `map`', n(most.mappedValues), 'too_long'],
  ['a text in a transformation', characters(most.optionCharacters), 'too_long'],
  ['a separator of a list', characters(most.splitCharacters), 'too_long'],
  ['`mapping_fields`', size(most.mappingBytes), 'too_long'],
  [
    '`not_identities`',
    `${n(most.notIdentities)} texts of ${characters(most.notIdentityCharacters)}, ${size(most.notIdentitiesBytes)}`,
    'too_long',
  ],
  ['names of imports, jobs, columns, files', characters(most.nameLength), 'too_long'],
  [
    '`max_new_segments`',
    `${n(most.newSegments)} by default, up to ${n(most.newSegmentsMost)}`,
    'too_many_new_segments',
  ],
  ['`max_refused_share`', `judged from ${n(most.judgedRowsLeast)} rows on`, 'too_many_refused'],
  [
    '`max_addresses_per_id`',
    `${n(most.addressesPerId)} by default, up to ${n(most.addressesPerIdMost)}; ${n(most.guardedIds)} ids at once`,
    'shared_id',
  ],
  ['a batch', `${n(most.recordsPerBatch)} records`, 'too_long'],
  ['a retry', `${n(most.rowsPerRetry)} rows`, 'too_long'],
  ['a dry run', `${n(most.dryRunRows)} rows`, 'too_many_rows'],
  ['a dry run of batches', `${n(most.dryRunBatches)} batches`, 'dry_run_full'],
  [
    'an inspection',
    `${size(most.inspectedBytes)}, ${n(most.inspectedRows)} rows; it shows ${n(most.shownRows)}`,
  ],
  ['reasons that a job shows', n(most.shownReasons), 'other'],
  ['the text of a row in a list', characters(most.reportedCharacters), 'the rest is cut off'],
  ['a page of refused rows', n(most.reportedPerPage)],
  ['the list of refused rows beside a file', size(most.resultFileBytes), 'the list ends'],
  ['an undo', `${n(most.undoDays)} days after the first row of the job`, 'too_old'],
  ['files, lists of rows, dry runs', `are kept ${n(most.retentionDays)} days`, 'rows_gone'],
];
