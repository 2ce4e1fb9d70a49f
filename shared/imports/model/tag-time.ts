/** The time of the tags of a file: epoch milliseconds as `YYYY-MM-DD HH:MM:SS` (UTC). */
export const tagTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
