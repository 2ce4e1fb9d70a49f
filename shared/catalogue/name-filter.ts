import { foldName } from './identity.ts';

/** Whether a name has this part, compared without case and Unicode form; no filter where the part is blank. */
export const hasInName = (
  part: string | undefined,
): ((item: { readonly name: string }) => boolean) | undefined => {
  const wanted = foldName(part ?? '');
  if (wanted === '') return undefined;
  return ({ name }) => foldName(name).includes(wanted);
};
