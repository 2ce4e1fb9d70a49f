/** Listed: values of a file that a suggested definition lists as nobody's identity. */
import type { Doubt } from '../doubt.ts';

/** Values to list, and what a person should know about the identities of the file. */
export interface Listed {
  readonly values: readonly string[];
  readonly doubts: readonly Doubt[];
}

/** What becomes of a listed value. */
export const leavesOut =
  'Leaves them out of the identities (`not_identities`). A row without another identity is refused.';
