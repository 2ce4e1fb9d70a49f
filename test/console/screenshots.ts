/**
 * `npm run screenshots`: pictures of every screen of the console in four forms (wide and narrow, light and dark), with the
 * sample of visitors, in `.build/screenshots`. Those in `docs/images` are made anew.
 */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { forms, openPage, type Shown } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { openSftpServer } from '../support/sftp-server.ts';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { fillIn, ofNewcomers, ofStrangers, views, type Content } from './screens.ts';

const ROOT = join(import.meta.dirname, '../..');
const OUT = join(ROOT, '.build/screenshots');
const IMAGES = join(ROOT, 'docs/images');

/** How high the window of a reader is, in pixels. */
const HEIGHT = 900;

/** The pictures in the documents: the name of each and its form. */
const shownInDocuments = ['home-1280-light', 'import-mend-1280-light', 'segment-new-1280-light'];

/** Resolves when a screen has loaded what it shows: no call is under way, and none begins for a second. */
const quiet = async (page: Page): Promise<void> => {
  let under = 0;
  let last = performance.now();
  const changed = (by: number) => () => {
    under += by;
    last = performance.now();
  };
  const [began, ended] = [changed(1), changed(-1)];
  page.on('request', began).on('requestfinished', ended).on('requestfailed', ended);
  await until('a screen has loaded', () => (under <= 0 && performance.now() - last > 1_000) || undefined);
  page.off('request', began).off('requestfinished', ended).off('requestfailed', ended);
};

type Form = Required<Pick<Shown, 'width' | 'colorScheme'>>;

/** Takes a picture of a whole page. The window is as high as the page, so that what stays at an edge is there. */
const picture = async (page: Page, name: string, { width, colorScheme }: Form): Promise<void> => {
  await page.mouse.move(0, 0);
  await quiet(page);
  const height = Math.max(HEIGHT, Number(await page.evaluate('document.documentElement.scrollHeight')));
  await page.setViewportSize({ width, height });
  await quiet(page);
  const file = `${name}-${width}-${colorScheme}.png`;
  await page.screenshot({ path: join(OUT, file), fullPage: true });
  await page.setViewportSize({ width, height: HEIGHT });
  process.stdout.write(`${file}\n`);
};

/** A page and the name of each of its pictures, with what to do before it. */
const takeAll = async (
  page: Page,
  form: Form,
  views: Readonly<Record<string, (page: Page) => Promise<unknown>>>,
): Promise<void> => {
  for (const [name, show] of Object.entries(views)) {
    await show(page);
    await picture(page, name, form);
  }
};

const pictures = async (service: TestService, content: Content, form: Form): Promise<void> => {
  await using stranger = await openPage(service.cloud.endpoints.base_url, form);
  await takeAll(stranger.page, form, ofStrangers(content));
  await using newcomer = await openConsole(service, form, service.cloud.endpoints.other);
  await takeAll(newcomer.page, form, ofNewcomers);
  await using opened = await openConsole(service, form);
  await takeAll(opened.page, form, views(content));
  for (const complaint of opened.complaints) process.stderr.write(`${complaint}\n`);
};

await using service = await startService({ context: { momentIntervalSeconds: '1' } });
await using server = await openSftpServer();
server.mischief.isReadOnly = true;
const content = await fillIn(service, server);
await mkdir(OUT, { recursive: true });
await mkdir(IMAGES, { recursive: true });
for (const form of forms) await pictures(service, content, form);
for (const name of shownInDocuments)
  await copyFile(join(OUT, `${name}.png`), join(IMAGES, `console-${name}.png`));
process.exit(0);
