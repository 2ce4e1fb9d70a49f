/** The name of a segment. Names are of users: they are shown as text, apart from the direction of what is around them. */
import type { Texts } from '../../texts/en.ts';
import type { Named } from './catalogue.ts';
import { nameOf } from '../../segment-name.ts';

/** The name of a segment in the language of the reader. */
export const Name = ({ of, texts }: { readonly of: Named; readonly texts: Texts }) => (
  <bdi>{nameOf(of, texts)}</bdi>
);
