import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import * as v from 'valibot';
import { programPath } from '../../local/test/support/installed.ts';

/** The forms in which every screen is looked at. */
export const forms = [
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const;

/** How a page is shown. */
export interface Shown {
  readonly width?: 390 | 1280;
  readonly colorScheme?: 'light' | 'dark';
  readonly language?: string;
}

/** A page of a browser, and what must not happen in it. */
export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  /** Errors and warnings of the page so far, in words. */
  readonly complaints: readonly string[];
  /** The addresses that the page has called so far, without their queries. */
  readonly called: ReadonlySet<string>;
  /** What axe finds on the page as it is now: the rule and the elements. */
  readonly barriers: () => Promise<readonly string[]>;
}

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const found = v.object({
  violations: v.array(
    v.object({ id: v.string(), nodes: v.array(v.object({ target: v.array(v.unknown()) })) }),
  ),
});

let started: Promise<Browser> | undefined;

/** Debian's Chromium, one for a worker. It ends with the process, because it follows its pipe. */
const browser = (): Promise<Browser> =>
  (started ??= chromium.launch({
    executablePath: programPath('chromium') ?? 'chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  }));

/** Opens a page of a service, as a reader in Berlin sees it. */
export const openPage = async (
  baseURL: string,
  { width = 1280, colorScheme = 'light', language = 'en' }: Shown = {},
): Promise<WatchedPage> => {
  const context = await (
    await browser()
  ).newContext({
    baseURL,
    colorScheme,
    viewport: { width, height: 900 },
    locale: language,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const called = new Set<string>();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const { origin, pathname, protocol } = new URL(request.url());
    if (protocol.startsWith('http')) called.add(`${origin}${pathname}`);
  });
  return {
    page,
    complaints,
    called,
    barriers: async () => {
      await page.evaluate(axe);
      const { violations } = v.parse(found, await page.evaluate('axe.run()'));
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
      );
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
};
