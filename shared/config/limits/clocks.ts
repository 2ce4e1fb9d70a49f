/** Clock limits: how far clocks and sent writes may lag. Several areas of `limits` are computed from them. */

/** The largest difference between the clocks of two functions, in seconds. Every margin for clocks contains it. */
export const clockSkewSeconds = 5;

/**
 * How long a sent write may still be carried out after its sender has died. The journal allows for more, because its
 * margin is on both sides of the end of an entry.
 */
export const lateWriteSeconds = 55;
