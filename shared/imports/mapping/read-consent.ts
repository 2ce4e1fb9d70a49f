import { consentStates } from '../../profiles/consent.ts';
import { readYesOrNo } from '../../profiles/text-rules.ts';
import type { Transformed } from './cell-fault.ts';

/** Reads what a person said about a channel: a state of consent, or a word for yes (`given`) or no (`withdrawn`). */
export const readConsent = (text: string): Transformed => {
  const word = text.trim().toLowerCase();
  if (word === '') return '';
  const state = consentStates.find((one) => one === word);
  if (state) return state;
  const answer = readYesOrNo(word);
  if (answer === undefined) return unknownWord;
  return answer === 'Yes' ? 'given' : 'withdrawn';
};

const unknownWord = {
  code: 'not_allowed',
  predicate: 'is not given, withdrawn, yes or no; map other words with the transformation map',
} as const;
