/** English texts about refused and warned rows. The API's own sentence says what is wrong with one row. */

/** The texts of a language. */
export interface RowTexts {
  /** Whether the sentences of the API are in this language. */
  readonly isOfApi: boolean;
  /** What a code of rows means, as the title of all rows with it. */
  readonly codes: Readonly<Record<string, string>>;
  /** A sentence of the API in the words of this page; `undefined` for one that stays as it is. */
  readonly said: (sentence: string) => string | undefined;
}

const codes: RowTexts['codes'] = {
  required: 'Empty, and the import needs it',
  not_an_email: 'Not an e-mail address',
  not_a_date: 'No date',
  not_a_phone_number: 'No telephone number',
  unmapped_value: 'A word that this import does not know',
  not_allowed: 'A word that is not allowed here',
  out_of_range: 'Too large, too small, or in the future',
  wrong_type: 'Not a value of this kind',
  bad_characters: 'Damaged letters',
  identity_missing: 'Nothing says whose row it is',
  too_many_cells: 'More cells than the header has',
  dropped_cell: 'Cells that cannot be read; left out',
  not_an_identity: 'A placeholder such as “unknown” is no identity; left out',
  looks_like_no_identity: 'Stored, but it looks like a placeholder',
  identity_conflict: 'It belongs to another person; left out',
  forgotten: 'The person was forgotten; nothing is stored',
  restricted: 'The person objects to every use; stored, and used nowhere',
};

export const en: RowTexts = { isOfApi: true, codes, said: () => undefined };
