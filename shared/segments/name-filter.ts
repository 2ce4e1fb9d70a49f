import { foldName } from './identity.ts';

/** Whether a name has this part, compared without case and Unicode form; every name has a blank part. */
export const hasInName = (part: string | undefined): ((item: { readonly name: string }) => boolean) => {
  const wanted = foldName(part ?? '');
  return ({ name }) => foldName(name).includes(wanted);
};
