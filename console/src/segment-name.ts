/** How segments are called in the language of the reader. The API has names for machines for some of them. */
import type { Texts } from './texts/en.ts';
import { wordFor } from './words.ts';

/** Characters of the name of a segment, an export or a timeline at most. */
export const NAME_CHARACTERS = 255;

/** A place with its country in words: Austin, TX, United States. */
const placeOf = (name: string, texts: Texts): string =>
  name.replace(/(?<=^|, )[A-Z]{2}$/, (code) => texts.segments.country(code));

/** A statement in words: E-mail: given. */
const statementOf = (name: string, texts: Texts): string => {
  const at = name.lastIndexOf(': ');
  const state = wordFor(texts, 'consent', name.slice(at + 2));
  return `${wordFor(texts, 'channel', name.slice(0, at))}: ${state.toLocaleLowerCase()}`;
};

/** A fact in words: Age: 35-44. What the service has no word for stays as it is. */
const factOf = (name: string, texts: Texts): string => {
  const at = name.indexOf(': ');
  const field = name.slice(0, at).toLowerCase().replaceAll(' ', '_');
  const word = wordFor(texts, 'field', field);
  const value = name.slice(at + 2);
  const yesOrNo = { Yes: texts.words.yes, No: texts.words.no };
  return word === field ? name : `${word}: ${value === 'Yes' || value === 'No' ? yesOrNo[value] : value}`;
};

/** The name of a segment as text. */
export const nameOf = (
  { name, type }: { readonly name: string; readonly type: string },
  texts: Texts,
): string => {
  if (type === 'everyone') return texts.segments.everyone;
  if (type === 'location') return placeOf(name, texts);
  if (type === 'demographic') return factOf(name, texts);
  return type === 'consent' ? statementOf(name, texts) : name;
};
