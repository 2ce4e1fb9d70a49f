import * as v from 'valibot';
import { expect, it } from 'vitest';
import { describeWith } from '../../local/test/support/installed.ts';
import { openConsole } from '../support/console.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { downloaded, hostile, openSegment, segmentOf, storePeople, storeUnder65 } from './segments-cast.ts';

let service: Service;
shared.beforeAll(async ({ service: own }) => {
  service = own;
  await storePeople(own);
});

describeWith('chromium', 'the files of segments', () => {
  it('are downloaded as files, with consent or without', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await openSegment(opened, 'Jazz');
    await page.getByRole('button', { name: 'Download' }).click();
    const consent = page.getByRole('combobox', { name: 'Only people with consent' });
    await page.getByRole('button', { name: 'Download 4 people' }).waitFor();
    await page.getByText('E-mail address: missing for 1').waitFor();
    await consent.selectOption('Everyone, with or without consent: 6 people');
    const all = await downloaded(opened, 'Download 6 people');
    expect(all.map((row) => row['E-mail address']).filter(Boolean)).toHaveLength(5);
    expect(all).toHaveLength(6);
    await page.getByText('6 rows').waitFor();
    await page.getByRole('contentinfo').or(page.locator('dialog footer')).getByText('Close').click();
    await page.getByRole('button', { name: 'Download' }).click();
    const given = await downloaded(opened, 'Download 4 people');
    expect(given.map((row) => row['First name']).sort()).toEqual([hostile, 'Ada', 'Bea', 'Dan']);
    expect(opened.complaints).toEqual([]);
  });

  it('have the ages, tags and consents of the table, and agree with the segment', async () => {
    const under65 = await storeUnder65(service);
    await using opened = await openConsole(service);
    const { page } = opened;
    const includes: (string | null)[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith(`/segments/${under65}/profiles`)) includes.push(searchParams.get('include'));
    });
    await page.goto(`/console#/segments/${under65}/people`);
    await page.locator('summary', { hasText: 'Columns' }).click();
    for (const column of ['Age', 'Tags', 'Consent: E-mail'])
      await page.getByRole('checkbox', { name: column }).check();
    const rows = page.getByRole('region', { name: 'Table of the people' }).locator('tbody tr');
    await expect
      .poll(async () => (await rows.locator('td:last-child').allInnerTexts()).sort())
      .toEqual(['Given', 'Withdrawn', '–']);
    expect([...new Set(includes)]).toEqual([
      null,
      'current_age',
      'current_age,tags',
      'current_age,tags,consent',
    ]);
    const headers = await page.getByRole('columnheader').allInnerTexts();
    const table = (await rows.allInnerTexts()).map((row) => row.split('\t'));
    const at = (name: string): number => headers.indexOf(name);
    const inTable = table.map((row) => [row[at('E-mail address')], row[at('Age')], row[at('Tags')]]);
    await page.getByRole('button', { name: 'Download these columns' }).click();
    await page
      .getByRole('combobox', { name: 'Only people with consent' })
      .selectOption('Everyone, with or without consent: 3 people');
    await page.getByText('E-mail address: known for everyone').waitFor();
    const file = await downloaded(opened, 'Download 3 people');
    expect(
      file.map((row) => [row['E-mail address'], row['Age'], row['Tags']?.replaceAll(';', ', ')]),
    ).toEqual(inTable);
    expect(file.map((row) => row['Consent: E-mail']).sort()).toEqual(['', 'given', 'withdrawn']);
    const ages = file.map((row) => Number(row['Age']));
    expect(ages.every((age) => age > 0 && age < 65)).toBe(true);
    expect(ages).toContain(39);
    expect(opened.complaints).toEqual([]);
  });

  it('are downloaded again as another run of the same export', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await openSegment(opened, 'Jazz');
    const made = async (): Promise<number> => {
      await page.getByRole('button', { name: 'Download' }).click();
      expect(await downloaded(opened, 'Download 4 people')).toHaveLength(4);
      await page.keyboard.press('Escape');
      const listed = v.object({ exports: v.array(v.object({ name: v.nullable(v.string()) })) });
      const { exports } = await service.client.get(`/v1/${service.property}/exports`, listed);
      return exports.filter(({ name }) => name === 'Jazz, download').length;
    };
    expect(await made()).toBe(await made());
    expect(opened.complaints).toEqual([]);
  });

  it('are sent every week, and the page says when the first list goes out', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await openSegment(opened, 'Jazz');
    await page.getByRole('button', { name: 'Send every week', exact: true }).click();
    await page
      .getByRole('combobox', { name: 'When, in the zone Europe/Berlin' })
      .selectOption('Every Tuesday at 06:00');
    expect(await opened.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Send every Tuesday' }).click();
    await page.getByText(/^The first list goes out: .*06:00\. Today it would have 4 people\.$/).waitFor();
    const { exports } = await service.client.get(
      `/v1/${service.property}/exports`,
      v.object({
        exports: v.array(v.looseObject({ name: v.nullable(v.string()), next_run: v.nullable(v.string()) })),
      }),
    );
    const weekly = exports.find(({ name }) => name === 'Jazz, weekly');
    expect(weekly).toMatchObject({
      consent: { channel: 'email', state: 'given' },
      data_format: 'excel_comma',
      schedule: { minute: '0', hour: '6', day_of_week: 'tue', timezone: 'Europe/Berlin' },
      notification_email: service.userEmail,
      location: null,
    });
    expect(new Date(weekly?.next_run ?? 0).getUTCDay()).toBe(2);
    await page.keyboard.press('Escape');
    const lists = page.getByRole('region', { name: 'Exports of this segment' });
    await lists.getByRole('row', { name: 'Jazz, weekly' }).getByRole('button', { name: 'Stop …' }).waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('stop, go out once, start again on another day, and are deleted, where their segment is', async () => {
    const { client, property } = service;
    const segment = [await segmentOf(service, 'Jazz')];
    const { id } = await client.post(
      `/v1/${property}/exports`,
      {
        ...{ name: 'Jazz for the hall', segment, start: false, data_format: 'jsonl' },
        schedule: { hour: '3', day_of_week: 'tue', timezone: 'UTC' },
        notification_email: service.userEmail,
      },
      v.object({ id: v.string() }),
    );
    const stored = () =>
      client.get(`/v1/${property}/exports/${id}`, v.looseObject({ schedule: v.unknown() }));
    const before = await stored();
    await using opened = await openConsole(service);
    const { page } = opened;
    await openSegment(opened, 'Jazz');
    const row = page
      .getByRole('region', { name: 'Exports of this segment' })
      .getByRole('row', { name: 'Jazz for the hall' });
    await row.getByText('Has not run yet').waitFor();
    await row.getByRole('button', { name: 'Stop …' }).click();
    await page.getByRole('button', { name: 'Stop the schedule' }).click();
    await row.getByText('Only on request').waitFor();
    expect(await stored()).toEqual({ ...before, schedule: null, next_run: null });

    await row.getByRole('button', { name: 'Run now' }).click();
    await row.getByText('6 people').waitFor();

    await row.getByRole('button', { name: 'Schedule …' }).click();
    await page.getByRole('dialog').getByRole('combobox').selectOption('Every Friday at 06:00');
    expect(await opened.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Send every Friday' }).click();
    await row.getByRole('button', { name: 'Stop …' }).waitFor();
    expect(await stored()).toMatchObject({
      ...{ name: 'Jazz for the hall', data_format: 'jsonl', notification_email: service.userEmail },
      schedule: { minute: '0', hour: '6', day_of_week: 'fri', timezone: 'Europe/Berlin' },
    });

    await row.getByRole('button', { name: 'Delete …' }).click();
    await page.getByText('Its files no longer open').waitFor();
    expect(await opened.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Delete 1 export' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await service.call('GET', `/v1/${property}/exports/${id}`)).status).toBe(404);
    expect(opened.complaints).toEqual([]);
  });

  it('are sent to a server that somebody set up before, without its secret', async () => {
    const { id: hall } = await service.client.post(
      `/v1/${service.property}/exports`,
      {
        ...{ name: 'Hall', segment: [await segmentOf(service, 'Jazz')], start: false, directory: 'in' },
        destination_credentials: { domain: 'sftp.example.com', client_id: 'hall', password: 'secret word' },
      },
      v.object({ id: v.string() }),
    );
    await using opened = await openConsole(service);
    const { page } = opened;
    await openSegment(opened, 'Jazz');
    await page.getByRole('button', { name: 'Send every week', exact: true }).click();
    await page
      .getByRole('combobox', { name: 'How it goes out' })
      .selectOption('Like “Hall”: hall@sftp.example.com, in');
    expect(await page.getByLabel('To the mail address').count()).toBe(0);
    await page.getByRole('button', { name: 'Send every Monday' }).click();
    await page.getByText('To hall@sftp.example.com, in.').waitFor();
    const { exports } = await service.client.get(
      `/v1/${service.property}/exports`,
      v.object({ exports: v.array(v.looseObject({ id: v.string(), name: v.nullable(v.string()) })) }),
    );
    const [first, weekly] = [
      exports.find(({ id }) => id === hall),
      exports.findLast(({ name }) => name === 'Jazz, weekly'),
    ];
    expect(weekly).toMatchObject({
      directory: 'in',
      notification_email: null,
      file_name: '{name}-{date}-{id}.csv',
      data_format: 'csv',
    });
    expect(weekly?.['destination_credentials']).toMatchObject({ authentication: 'password' });
    expect(weekly?.['destination_credentials']).toEqual(first?.['destination_credentials']);
    expect(opened.complaints).toEqual([]);
  });
});
