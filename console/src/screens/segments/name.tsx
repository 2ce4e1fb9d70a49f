/** How segments are called. Names are of users: they are shown as text, apart from the direction of what is around them. */
import type { Texts } from '../../texts/en.ts';
import type { Named } from './catalogue.ts';

/** The name of a segment as text. */
export const nameOf = ({ name, type }: Named, texts: Texts): string =>
  type === 'everyone' ? texts.segments.everyone : name;

/** The name of a segment. */
export const Name = ({ of, texts }: { readonly of: Named; readonly texts: Texts }) => (
  <bdi>{nameOf(of, texts)}</bdi>
);
