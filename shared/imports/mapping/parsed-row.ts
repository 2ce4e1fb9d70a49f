import type { MappedRow } from './row-map.ts';
import type { RowRefusal } from './field-map.ts';
import type { Result } from '../../runtime/result.ts';

/** A record or row of a batch before its validation. */
export interface ParsedRow {
  /** Number of the record within its batch, or of the row within its file, from 1. */
  readonly row: number;
  /** Line of the file on which the row starts; `null` for a record. */
  readonly line: number | null;
  /** Parses the row: the record in the form that the API accepts, or the reason for its refusal. Lazy, to save memory. */
  readonly record: () => Result<MappedRow, RowRefusal>;
  /** The original text, for reports; `null` when the text can no longer be read. */
  readonly original: () => string | null;
}
