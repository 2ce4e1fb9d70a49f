/**
 * Work limits: the part of `limits` about work that a definition multiplies. Each such work is bounded by the size of the
 * input and by a number, and `WorkBudget` counts it.
 */
export const workLimits = {
  work: {
    /**
     * What the field maps of a definition may make of one row, in characters: `each` for each character of its cells, and
     * `least` besides. A field map costs the characters of its sources, those that each of its transformations reads, and
     * those that it writes into the record. 500 maps of two transformations of 20 characters cost 80,000. A row that uses
     * the budget up takes some milliseconds.
     */
    row: {
      least: 100_000,
      /** A cell that one field map reads costs 15 times its characters at most: its source, ten steps, and the record. */
      each: 20,
      /** A transformation costs this in addition, for the call. */
      step: 20,
      /** A look into the plans of telephone numbers takes as long as the transformation of so many characters. */
      phone: 500,
      /** A character of the record: it is checked, stored, indexed and logged for an undo. */
      written: 4,
    },
    /**
     * Characters of the cells of one row of an export, or of its members in JSON. A profile has 380,000 bytes, which
     * quotes and line breaks double. Together with `columnsOfField` it bounds the memory of a step and the size of a file.
     */
    exportRow: 2_000_000,
    /** Columns of a custom format that may show the same field. */
    columnsOfField: 10,
    /**
     * Calls of the table, each of which reads 1 MB at most, that one request makes for a page of a list. Definitions have up
     * to 380 KB, and a page a thousand items; an answer has 4.5 MB.
     */
    listCalls: 12,
    /**
     * Segments of the record of one request: it may make so many `writes` of the table for them. A new segment takes
     * `newSegment` (its claim, its name, itself, its directory and its members), a known one a single write. 2,000 new
     * segments take half a second of a processor, and 10,000 of the 4,000 writes that a new table serves in a second.
     */
    request: { writes: 10_000, newSegment: 5 },
    /**
     * Characters of the stored profiles that one request reads for a page, which shows a small part of each. 1,000 profiles
     * of 32 KB are a whole page; of the largest profiles, which take up to 5 ms each, it has 84.
     */
    pageProfiles: 32_000_000,
    /**
     * What the rules of a preview may cost, in characters of the values that they compare (`RuleSet.costOf`); each rule asks
     * three things of a value. 49 rules over 4,096 people with 20 characters each cost 18 million. Over people with a text of
     * 370,000 characters in one field, 49 rules read 27, in a second of a processor. With `pageProfiles` a preview ends after
     * some five seconds, also where the texts are of characters that nobody sees, which are the slowest to read.
     */
    previewValues: 1_500_000_000,
  },
} as const;
