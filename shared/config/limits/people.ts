/** People limits: the part of `limits` about profiles and where their values come from: brands, birthdays, enrichment. */
export const peopleLimits = {
  profiles: {
    stringLength: 1_024,
    /** Characters of an e-mail address: 64 before the @, 255 behind it (RFC 5321). */
    emailLength: 320,
    extraDataKeys: 200,
    /** The file of an access request is the answer itself up to this size; a larger file has an address for this time. */
    accessAnswerBytes: 1_000_000,
    accessFileSeconds: 300,
    /** The bucket deletes such a file after this time: it has everything about one person, and is read once. */
    accessFileDays: 1,
    /** Pointers of one phone number that a lookup looks at. */
    peopleOfPhone: 100,
    extraDataKeyLength: 255,
    tags: 500,
    /** Removals of single tags that a profile remembers; `tags: null` ends them. */
    removedTags: 1_000,
    /** Channels of consent of a record, and of a profile. */
    consentChannels: 50,
    /** The latest statements that a profile keeps of those that one source made about a channel in one tier, of each state. */
    consentStatements: 5,
    /** Characters of the place where a consent was given or withdrawn. */
    consentSourceLength: 255,
    /** How far the clock of a client may be fast when it dates a consent. The consent counts from its acceptance. */
    consentAheadSeconds: 300,
    likes: 5_000,
    itemBytes: 380_000,
    /**
     * Bytes of an encoded state from which it is deflated, where the stage does so: with its keys, nonce, time and trace the
     * item would cost a second write unit.
     */
    deflateFrom: 900,
    /**
     * Identities of one profile: far more than a person has. A constant value in a column of ids would merge a
     * whole file into one profile, and forgetting a profile lists its identities in one item.
     */
    identities: 1_000,
    socialTokenBytes: 4_096,
    /** How long the service remembers a forgotten identity; a record that was accepted earlier is refused. */
    forgottenDays: 14,
    /** An attempt at a forgetting has ended after this time: longer than the functions that forget people may run. */
    forgettingSeconds: 360,
    /** A record that says nothing new is written all the same where the profile was last stored so long ago. */
    renewedDays: 30,
    /** Ordinals that a function reserves at once for profiles created one by one; unused ordinals are gaps. */
    ordinalsPerReservation: 16,
  },
  /** A search by name: what one request reads and shows. */
  names: {
    people: 50,
    /**
     * Pointers of one range of a name in one shard, and profiles that are read then. A search has up to 16 such ranges, so it
     * takes some 50 read units for its pointers at most, and those of 200 profiles. The pointers know no first name, so a
     * search with one reads more profiles: nearly all to which its pointers may lead.
     */
    pointersPerShard: 100,
    profilesRead: 200,
    profilesReadByFirstName: 1_000,
  },
  rules: {
    /** Months without renewal after which a property may have profiles forgotten: two at least, see `renewDays`. */
    profileMonths: { least: 2, most: 120 },
    /**
     * Days for which a property may have files and reports kept. A location opens for 7 days (`locationDays`), so no location
     * states a time at which its file is gone. What a job needs for longer stays by itself (`deleteOldFiles`). Only a file from
     * SFTP that has no job yet is judged by its age alone, and the reconciliation finds it long before.
     */
    fileDays: { least: 7, most: 29 },
    /** Every process knows of changed rules within this time; the refresh costs one read. */
    refreshSeconds: 25,
    /**
     * From a change of rules to the pass over all people: longer than a process may remember the earlier rules (`refreshSeconds`)
     * and any function that read them may run (15 minutes).
     */
    settleSeconds: 1_200,
    /** From a restore to the first pass: time for an operator to set again the rules that the restore took back. */
    restoredSeconds: 86_400,
    /** From one look at a pass or an erasure to the next: longer than a look. People wait for erasures. */
    pauseSeconds: 120,
    /** From the end of a pass over the people of a property to the begin of the next. */
    peopleRoundDays: 7,
    /** The same for files: they go on the day they are due. */
    fileRoundDays: 1,
    /** People who are forgotten together, and whose forgetting one item announces. */
    peopleAtOnce: 64,
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
    /** Memberships that a load announces in one entry of the journal: 75 KB, in some tenths of a second. */
    announcedAtOnce: 50_000,
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
} as const;
