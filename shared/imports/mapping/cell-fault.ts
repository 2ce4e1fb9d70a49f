/** Why a mapping cannot read a cell: a stable code, and the predicate of a sentence whose subject is the cell. */
export interface CellFault {
  readonly code:
    | 'not_a_date'
    | 'not_a_number'
    | 'not_a_list'
    | 'not_a_phone_number'
    | 'not_a_country'
    | 'unmapped_value'
    | 'too_long'
    | 'not_allowed'
    | 'out_of_range';
  /** For example `is not a day of the calendar`. It never contains the text of the cell. */
  readonly predicate: string;
}

/** The text that a transformation makes of a cell, or the reason why it cannot read the cell. */
export type Transformed = string | CellFault;
