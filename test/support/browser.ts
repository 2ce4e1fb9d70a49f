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

/** A page of a browser, and what must not happen in it. Its end fails if it called an address that it may not call. */
export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  /** Errors and warnings of the page so far, in words. */
  readonly complaints: readonly string[];
  /** The addresses that the page has called so far. */
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

/** Opens a page of a service, as a reader in Berlin sees it. It may call the service, and addresses that begin as `others` do. */
export const openPage = async (
  baseURL: string,
  { width = 1280, colorScheme = 'light', language = 'en' }: Shown = {},
  others: readonly string[] = [],
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
    if (request.url().startsWith('http')) called.add(request.url());
  });
  const allowed = [new URL('/', baseURL).href, ...others];
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
    [Symbol.asyncDispose]: async () => {
      await context.close();
      const strange = [...called].filter((address) => !allowed.some((own) => address.startsWith(own)));
      if (strange.length > 0) throw new Error(`The page called other addresses: ${strange.join(', ')}`);
    },
  };
};
