import type { Refusal } from '../../profiles/types.ts';
import type { Result } from '../../runtime/result.ts';

/** A record or row on its way, before its values are judged. */
export interface ParsedRow {
  /** Number of the record within its batch, or of the row within its file, from 1. */
  readonly row: number;
  /** Line of a file that the row starts on. */
  readonly line: number | null;
  /** The record as it would be sent, or why the row makes none. Made at the call: until then a row is only where it is. */
  readonly record: () => Result<unknown, Refusal>;
  /** The original text, for reports. `null`: it could not be read any more. */
  readonly original: () => string | null;
}
