/** Limits of conditions: the rules over values by which clients define segments. */
export const conditionLimits = {
  conditions: {
    /** Values of one `in`. */
    values: 100,
    /** Bytes of the canonical form of a condition: a property has many, and each process keeps all of a property. */
    bytes: 1_500,
    /**
     * Characters of a text that is looked for inside values: of 600 characters and more, V8 may take milliseconds for one
     * value of 370,000.
     */
    searchedCharacters: 250,
    /** Digits of a text that is a number with a fraction, from the first that is not 0: a double holds 15 of any. */
    fractionDigits: 15,
    /** Days of a window: ten years. */
    windowDays: 3_650,
    /** Days of a window around an anniversary: every day of a year. */
    anniversaryDays: 366,
    /** Values of a field of which a process keeps the conditions that they meet, and the most characters of one. */
    knownValues: 1_000,
    knownCharacters: 64,
  },
} as const;
