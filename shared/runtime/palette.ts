/** Palette: the colours of everything that the service draws for people (pages, charts, mails), light and dark. */
const palette = {
  page: ['#f5f7f7', '#0f1516'],
  surface: ['#ffffff', '#171f20'],
  sunken: ['#eaf0f0', '#222d2e'],
  line: ['#dce3e3', '#2c3839'],
  edge: ['#7b888a', '#74868a'],
  text: ['#142022', '#e6eded'],
  muted: ['#546264', '#9dafb1'],
  accent: ['#0b626b', '#6cc6cf'],
  'accent-strong': ['#084c53', '#95dbe2'],
  'accent-soft': ['#dfeff0', '#17363a'],
  'on-accent': ['#ffffff', '#06262a'],
  warn: ['#835200', '#e9b95c'],
  bad: ['#ad2a2a', '#f39a92'],
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>;

/** The name of a colour. */
type Colour = keyof typeof palette;

/** Reads the colours of one form, for what knows no custom properties of CSS. */
export type Paint = (name: Colour) => string;
export const light: Paint = (name) => palette[name][0];
export const dark: Paint = (name) => palette[name][1];

const declared = (at: 0 | 1): string =>
  Object.entries(palette)
    .map(([name, forms]) => `--${name}:${forms[at]}`)
    .join(';');

/** Custom properties of CSS for all colours in the light (`--text`), and those that replace them in the dark. */
export const palettes = { light: declared(0), dark: declared(1) } as const;

/** The fonts of the reader's system. */
export const FONT =
  '-apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",Arial,sans-serif';
