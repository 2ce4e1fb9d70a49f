/** Addresses in the console: the part after `#`. The server and its log never see it. */

/** The screens of the console. */
export const screens = ['home', 'import', 'people', 'segments'] as const;

/** The name of a screen. */
export type Screen = (typeof screens)[number];

/** A place: a screen, the ids or words after it, and what the reader chose there. */
export interface Route {
  readonly screen: Screen;
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

const isScreen = (word: string | undefined): word is Screen => screens.some((screen) => screen === word);

/** The text, decoded; as it is if it is no encoded text. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Reads the hash of an address: `#/segments/1001000000017?tab=people`. An unknown screen is home. */
export const routeOf = (hash: string): Route => {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [first, ...parts] = path.split('/').map(decoded);
  return isScreen(first)
    ? { screen: first, parts: parts.filter((part) => part !== ''), query: new URLSearchParams(query) }
    : { screen: 'home', parts: [], query: new URLSearchParams() };
};

/**
 * The link to a place. Put ids and names of fields into it, and never an e-mail address or a name of a person: browsers keep
 * addresses.
 */
export const linkTo = (
  screen: Screen,
  parts: readonly (string | number)[] = [],
  query: Readonly<Record<string, string>> = {},
): string => {
  const path = [screen, ...parts.map((part) => encodeURIComponent(part))].join('/');
  const chosen = new URLSearchParams(query).toString();
  return `#/${path}${chosen === '' ? '' : `?${chosen}`}`;
};
