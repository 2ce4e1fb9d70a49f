/** What the tab keeps of a screen, so that a reload loses nothing. It ends with a sign-out, and when another user signs in. */

const PREFIX = 'tidemark.kept.';

/** Keeps a value of a property under a name. `undefined` removes it. */
export const keep = (property: number, name: string, value: unknown): void => {
  const key = `${PREFIX}${property}.${name}`;
  if (value === undefined) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(value));
};

/** What was kept; `undefined` if nothing was. */
export const kept = (property: number, name: string): unknown => {
  const text = sessionStorage.getItem(`${PREFIX}${property}.${name}`);
  return text === null ? undefined : JSON.parse(text);
};

/** Forgets everything that is kept. */
export const forgetKept = (): void => {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
};
