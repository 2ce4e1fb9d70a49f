/**
 * `npm run screenshots`: pictures of every screen of the console in four forms (wide and narrow, light and dark), with the
 * sample of visitors, in `.build/screenshots`. Those in `docs/images` are made anew.
 */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type Tidemark, TidemarkProblem } from '../../client/src/index.ts';
import { makeVisitors } from '../../cli/visitors.ts';
import { forms, openPage, type Shown } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { defineExport } from '../support/running.ts';
import { openSftpServer } from '../support/sftp-server.ts';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const ROOT = join(import.meta.dirname, '../..');
const OUT = join(ROOT, '.build/screenshots');
const IMAGES = join(ROOT, 'docs/images');

/** How high the window of a reader is, in pixels. */
const HEIGHT = 900;

/** The pictures in the documents: the name of each and its form. */
const shownInDocuments = ['home-1280-light', 'import-mend-1280-light', 'segment-new-1280-light'];

/** What the screens show: an import with refused rows, a list that failed, one that comes every Monday, a timeline. */
interface Content {
  readonly importId: number;
  readonly jobId: number;
  readonly jazz: number;
  readonly person: string;
}

type SftpServer = Awaited<ReturnType<typeof openSftpServer>>;

/** Moments of a timeline, between which people come. */
const track = async (api: Tidemark, segment: number): Promise<void> => {
  const schedule = { hour: '3', timezone: 'Europe/Berlin' };
  const timeline = await api.createTimeline({
    body: { name: 'Jazz, by night', reference_tile: segment, schedule },
  });
  for (const [week, count] of [9, 14, 4, 21, 12, 17].entries()) {
    for (let index = 0; index < count; index += 1) {
      const tags = [{ tag: ['Jazz'], datetime: '2026-11-02T09:00:00Z' }];
      await api.createProfile({ body: { email: `new.${week}.${index}@example.org`, tags } });
    }
    await until('the next moment', async () => {
      try {
        return await api.createMoment({ path: { timeline_id: timeline.id } });
      } catch (error) {
        // It came too early.
        if (error instanceof TidemarkProblem && error.status === 429) return undefined;
        throw error;
      }
    });
  }
};

/** A list that a server refuses, and one that comes every Monday. */
const send = async (service: TestService, server: SftpServer): Promise<void> => {
  const everyMonday = { hour: '6', day_of_week: 'mon', timezone: 'Europe/Berlin' };
  const usual = { segment: [{ type: 'tag', name: 'Jazz' }], field_set: 'email' };
  const destination_credentials = { domain: `127.0.0.1:${server.port}`, client_id: 'hall' };
  await defineExport(service, { ...usual, name: 'Friends, weekly', schedule: null, destination_credentials });
  const notification_email = service.userEmail;
  await defineExport(service, { ...usual, name: 'Jazz, Mondays', schedule: everyMonday, notification_email });
};

const fillIn = async (service: TestService, server: SftpServer): Promise<Content> => {
  const api = service.client.tidemark.forProperty(service.property);
  const file = new Blob([makeVisitors()]);
  const content = Buffer.from(await file.slice(0, 60_000).arrayBuffer()).toString('base64');
  const { definition } = (await api.inspectImport({ body: { content } })).suggestion;
  if (!definition) throw new Error('The service suggests no definition for the sample.');
  const { id: importId } = await api.createImport({ body: { ...definition, name: 'visitors' } });
  const { jobId } = await api.uploadFile({ importId, file, fileName: 'visitors.csv' });
  await api.waitForImport({ importId, jobId });
  const [jazz] = await api.findSegments({ query: { name: 'Jazz', type: 'tag' } });
  if (!jazz) throw new Error('The sample has no tag "Jazz".');
  await track(api, jazz.id);
  await send(service, server);
  await service.cloud.invoke('measureSizes', {});
  const { profile } = await api.getProfile({ query: { unique_id: 'K-00042' } });
  return { importId, jobId, jazz: jazz.id, person: profile.profile_uuid ?? '' };
};

/** Adds a rule to the builder: what it is about and how it compares, as the lists say, and the value. */
const addRule = async (
  page: Page,
  number: number,
  chosen: readonly string[],
  value: string,
): Promise<void> => {
  if (number > 1) await page.getByRole('button', { name: 'Rule', exact: true }).first().click();
  const [what, how] = chosen;
  if (what !== undefined) await page.getByLabel(`Rule ${number}: what`).selectOption(what);
  if (how !== undefined) await page.getByLabel(`Rule ${number}: how`).selectOption(how);
  await page.getByLabel(`Rule ${number}: value`).fill(value);
};

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** What to do before each picture. The page stays on a screen until the next one. */
const views = ({ importId, jobId, jazz, person }: Content) => {
  const to = (hash: string) => (page: Page) => page.goto(`/console${hash}`);
  return {
    home: to('#/home'),
    import: to('#/import'),
    'import-columns': async (page: Page) => {
      const buffer = Buffer.from(makeVisitors());
      const file = { name: 'visitors 2026-12.csv', mimeType: 'text/csv', buffer };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByRole('heading', { name: 'Columns', exact: true }).waitFor();
    },
    'import-tried': async (page: Page) => {
      await press(page, 'Try every row');
      await page.getByText('Tried on every row; nothing is stored yet').waitFor({ timeout: 60_000 });
    },
    'import-mend': to(`#/import/${importId}/${jobId}`),
    people: to('#/people'),
    person: to(`#/people/${person}`),
    why: (page: Page) => page.getByRole('link', { name: /^Why/ }).first().click(),
    forget: async (page: Page) => {
      await to(`#/people/${person}`)(page);
      await press(page, 'Forget …');
    },
    segments: to('#/segments'),
    segment: to(`#/segments/${jazz}`),
    download: (page: Page) => press(page, 'Download'),
    weekly: async (page: Page) => {
      await page.keyboard.press('Escape');
      await press(page, 'Send every week');
    },
    'segment-people': to(`#/segments/${jazz}/people`),
    'segment-new': async (page: Page) => {
      await to('#/segments/new')(page);
      await addRule(page, 1, [], 'Jazz');
      await addRule(page, 2, ['field:age', 'lt'], '65');
      await addRule(page, 3, ['own:Letzter Besuch', 'older_than_days'], '90');
    },
  } satisfies Readonly<Record<string, (page: Page) => Promise<unknown>>>;
};

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

const pictures = async (service: TestService, content: Content, form: Form): Promise<void> => {
  await using stranger = await openPage(service.cloud.endpoints.base_url, form);
  await stranger.page.goto('/console');
  await picture(stranger.page, 'sign-in', form);
  await using opened = await openConsole(service, form);
  for (const [name, show] of Object.entries(views(content))) {
    await show(opened.page);
    await picture(opened.page, name, form);
  }
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
