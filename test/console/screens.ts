/** The screens of which `npm run screenshots` takes pictures, and what they show. */
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { type Tidemark, TidemarkProblem } from '../../client/src/index.ts';
import { makeVisitors } from '../../cli/visitors.ts';
import { keys } from '../../shared/table/keys.ts';
import { fieldMap } from '../support/field-map.ts';
import { putItem } from '../support/items.ts';
import { defineExport } from '../support/running.ts';
import type { openSftpServer } from '../support/sftp-server.ts';
import type { TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** A job of an import. */
interface Job {
  readonly importId: number;
  readonly jobId: number;
}

/**
 * What the screens show: an import with refused rows, one that is complete and one that is undone, a list that failed, one
 * that comes every Monday, one whose address is not confirmed, a timeline, and a person in a segment with a long definition.
 */
export interface Content {
  readonly refused: Job;
  readonly complete: Job;
  readonly undone: Job;
  readonly jazz: number;
  readonly deep: number;
  readonly person: string;
  /** The page on which a stranger confirms an address. */
  readonly confirmation: string;
  /** The HTML of the mail that announces a list. */
  readonly mail: string;
  /** Makes a person to be forgotten, and returns their UUID. */
  readonly makePerson: () => Promise<string>;
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

/** A list that a server refuses, one that comes every Monday, and two of now, one to an address that nobody has confirmed. */
const send = async (service: TestService, server: SftpServer): Promise<void> => {
  const everyMonday = { hour: '6', day_of_week: 'mon', timezone: 'Europe/Berlin' };
  const usual = { segment: [{ type: 'tag', name: 'Jazz' }], field_set: 'email', schedule: null };
  const destination_credentials = { domain: `127.0.0.1:${server.port}`, client_id: 'hall' };
  await defineExport(service, { ...usual, name: 'Friends, weekly', destination_credentials });
  const notification_email = service.userEmail;
  await defineExport(service, { ...usual, name: 'Jazz, Mondays', schedule: everyMonday, notification_email });
  await defineExport(service, { ...usual, name: 'Jazz, November', notification_email });
  await defineExport(service, { ...usual, name: 'Jazz, box office', notification_email: BOX_OFFICE });
};

/** An address that asks for its confirmation. */
const BOX_OFFICE = 'box.office@example.org';

const mails = v.array(v.object({ to: v.array(v.string()), text: v.string(), html: v.string() }));

/** The newest mail to an address. */
const mailTo = ({ cloud }: TestService, address: string) =>
  until(`a mail to ${address}`, async () => {
    const inbox = v.parse(mails, await (await fetch(cloud.endpoints.inbox_url)).json());
    return inbox.findLast(({ to }) => to.includes(address));
  });

/** The first address of a text. */
const linkIn = (text: string): string => /https?:\/\/\S+/u.exec(text)?.[0] ?? '';

/** An import of the sample, whose rows are refused in part. */
const importVisitors = async (api: Tidemark): Promise<Job> => {
  const file = new Blob([makeVisitors()]);
  const content = Buffer.from(await file.slice(0, 60_000).arrayBuffer()).toString('base64');
  const { definition } = (await api.inspectImport({ body: { content } })).suggestion;
  if (!definition) throw new Error('The service suggests no definition for the sample.');
  const { id: importId } = await api.createImport({ body: { ...definition, name: 'visitors' } });
  const { jobId } = await api.uploadFile({ importId, file, fileName: 'visitors.csv' });
  await api.waitForImport({ importId, jobId });
  return { importId, jobId };
};

/** A complete import of two people. */
const importTwo = async (api: Tidemark, name: string): Promise<Job> => {
  const mapping_fields = { required_fields: ['email'], field_maps: [fieldMap('email', 'email')] };
  const { id: importId } = await api.createImport({ body: { name, mapping_fields } });
  const file = new Blob(['email\r\nmaren@example.org\r\nnoah@example.org\r\n']);
  const { jobId } = await api.uploadFile({ importId, file, fileName: `${name}.csv` });
  await api.waitForImport({ importId, jobId });
  return { importId, jobId };
};

const undo = async (api: Tidemark, { importId, jobId }: Job): Promise<void> => {
  const path = { import_id: importId, job_id: jobId };
  await api.undoImportJob({ path });
  await api.waitForImport({ importId, jobId });
};

/** A segment whose definition is five levels deep. */
const defineDeep = async (api: Tidemark): Promise<number> => {
  const named = (type: 'tag' | 'location' | 'demographic', name: string) => ({ named: { type, name } });
  const inner = await api.createSegment({
    body: {
      name: 'Families of Munich',
      definition: { all: [named('location', 'München, DE'), named('demographic', 'Has children: Yes')] },
    },
  });
  const { id } = await api.createSegment({
    body: {
      name: 'Spring letter',
      definition: {
        all: [
          { any: [inner.id, named('tag', 'Jazz')] },
          { not: { all: [named('location', 'Berlin, DE'), { not: named('tag', 'Jazz') }] } },
        ],
      },
    },
  });
  return id;
};

/** Fills the property of a service. */
export const fillIn = async (service: TestService, server: SftpServer): Promise<Content> => {
  const api = service.client.tidemark.forProperty(service.property);
  await putItem(service, keys.rules(service.property), {
    ...{ profile_months: null, file_days: null, special_categories: true },
    ...{ names_since: 1, names_ready: 1 },
  });
  const refused = await importVisitors(api);
  const complete = await importTwo(api, 'newsletter');
  const undone = await importTwo(api, 'wrong list');
  await undo(api, undone);
  const [jazz] = await api.findSegments({ query: { name: 'Jazz', type: 'tag' } });
  if (!jazz) throw new Error('The sample has no tag "Jazz".');
  await track(api, jazz.id);
  await send(service, server);
  await service.cloud.invoke('measureSizes', {});
  const { profile } = await api.getProfile({ query: { unique_id: 'K-00042' } });
  return {
    refused,
    complete,
    undone,
    jazz: jazz.id,
    deep: await defineDeep(api),
    person: profile.profile_uuid ?? '',
    confirmation: linkIn((await mailTo(service, BOX_OFFICE)).text),
    mail: (await mailTo(service, service.userEmail)).html,
    makePerson: async () => {
      const body = { email: 'gone@example.org', first_name: 'Maren', city: 'Bremen' };
      return (await api.createProfile({ body })).profile_uuid;
    },
  };
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

type View = (page: Page) => Promise<unknown>;

const to =
  (hash: string): View =>
  (page) =>
    page.goto(`/console${hash}`);

const toJob = ({ importId, jobId }: Job): View => to(`#/import/${importId}/${jobId}`);

/** What a stranger sees, who has no account. */
export const ofStrangers = ({ confirmation, mail }: Content) =>
  ({
    'sign-in': (page) => page.goto('/console'),
    try: (page) => page.goto('/docs/try'),
    confirm: (page) => page.goto(confirmation),
    // On a page of its own: the policy of a page of the service would take the styles out of it.
    mail: async (page) => {
      await page.goto('about:blank');
      await page.setContent(mail);
    },
  }) satisfies Readonly<Record<string, View>>;

/** What the reader of an empty property sees. */
export const ofNewcomers = {
  'empty-home': to('#/home'),
  'empty-import': to('#/import'),
  'empty-people': to('#/people'),
  'empty-segments': to('#/segments'),
} satisfies Readonly<Record<string, View>>;

/** What to do before each picture. The page stays on a screen until the next one. */
export const views = ({ refused, complete, undone, jazz, deep, person, makePerson }: Content) => {
  return {
    home: to('#/home'),
    attempts: (page: Page) => page.getByRole('button', { name: 'See attempts' }).first().click(),
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
    'import-mend': toJob(refused),
    undo: (page: Page) => press(page, 'Undo the import'),
    'import-complete': toJob(complete),
    'import-undone': toJob(undone),
    people: to('#/people'),
    'people-named': async (page: Page) => {
      await page.getByRole('searchbox').first().fill('Müller, Köln');
      await page.keyboard.press('Enter');
      await page.getByRole('table').waitFor();
    },
    person: to(`#/people/${person}`),
    why: (page: Page) => page.getByRole('link', { name: /^Why/ }).first().click(),
    'why-deep': to(`#/people/${person}/${deep}`),
    forget: async (page: Page) => {
      await to(`#/people/${person}`)(page);
      await press(page, 'Forget …');
    },
    forgotten: async (page: Page) => {
      await to(`#/people/${await makePerson()}`)(page);
      await press(page, 'Forget …');
      await press(page, 'Forget 1 person');
      await page.getByText('It names nobody.').waitFor();
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
  } satisfies Readonly<Record<string, View>>;
};
