/** Colours of the terminal. */
import { styleText } from 'node:util';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Paints a text in a style, or returns it as it is. */
export type Paint = (style: Style, text: string) => string;

/** The variables of the environment that decide about colours. */
export type ColourSettings = Readonly<Record<string, string | undefined>>;

/**
 * Whether a stream gets colours: a terminal does, a pipe and a file do not. `NO_COLOR` (https://no-color.org) switches
 * colours off, `FORCE_COLOR` switches them on.
 */
export const hasColours = (
  stream: { readonly isTTY?: boolean | undefined },
  env: ColourSettings,
): boolean => {
  const { NO_COLOR: off = '', FORCE_COLOR: on, TERM: term } = env;
  if (off !== '') return false;
  if (on !== undefined && on !== '') return on !== '0' && on !== 'false';
  return stream.isTTY === true && term !== 'dumb';
};

/** The paint of a stream with or without colours. */
export const paintWith =
  (colours: boolean): Paint =>
  (style, text) =>
    colours ? styleText(style, text, { validateStream: false }) : text;
