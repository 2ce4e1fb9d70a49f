/** Request limits: the part of `limits` about requests, logins, the audit log and rate limits. */
export const requestLimits = {
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
    /**
     * Request units that each request of an account may consume: a lookup takes 2, a new person 17. Further units count as
     * further requests, so that an account with 200 requests a second gets 4,000 units, a third of what a new table reads.
     */
    unitsPerRequest: 20,
    /** Windows that such requests are charged to, from the current one: an account waits a minute at most. */
    chargedWindows: 6,
    /** Entries that a partition of an audit log takes in a second. */
    entriesPerPartition: 1_000,
    /** The most that a stage gives each account: the entries of the four partitions that its audit log has at least. */
    mostOfStage: 4_000,
    /** The most that an operator gives one account. Its audit log has more partitions then; readers read all sixteen. */
    mostRequestsPerSecond: 16_000,
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
    /** People or segments that an entry names: the most that one answer shows beside a page of people. */
    namedIds: 100,
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
    /** When a user was shut out for so long, no request of the user is under way: a cached token, and the longest request. */
    quietSeconds: 60,
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
    /** A key has a name, and may live longer than the token of a sign-in. */
    keySeconds: 365 * 86_400,
    /** One more key is refused: the program that has the oldest one would stop without a word. */
    keysPerUser: 20,
    /** Properties that one token may name. */
    propertiesPerToken: 100,
    scrypt: { N: 2 ** 17, r: 8, p: 1 },
    /** The cheapest hash that a login accepts. The seeded accounts of the local stage have it: their passwords are public. */
    leastScrypt: { N: 2 ** 15, r: 8, p: 1 },
    /** Transfer Family's limit for a user; the user's item holds all of them. */
    sshKeysPerUser: 10,
    /** Characters of a public key with its comment: RSA of 4,096 bits has 740. */
    sshKeyLength: 2_000,
    /** Below 2,048 bits a key is no protection; above 4,096 Transfer Family refuses it. */
    rsaBits: { least: 2_048, most: 4_096 },
  },
} as const;
