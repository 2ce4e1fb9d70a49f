import { foldName } from './identity.ts';

/** A filter for names that contain this text, ignoring case and Unicode form; undefined when the text is blank. */
export const hasInName = (
  part: string | undefined,
): ((item: { readonly name: string }) => boolean) | undefined => {
  const wanted = foldName(part ?? '');
  if (wanted === '') return undefined;
  return ({ name }) => foldName(name).includes(wanted);
};
