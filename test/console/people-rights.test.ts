import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { describeWith } from '../../local/test/support/installed.ts';
import { completeJobs, defineExport } from '../support/running.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { until } from '../support/until.ts';
import { find, large, openPeople, theda } from './people-cast.ts';

let service: Service;

const client = () => service.client.tidemark.forProperty(service.property);

shared.beforeAll(async ({ service: own }) => {
  service = own;
  for (const body of [theda, { email: 'arno@example.org', first_name: 'Arno' }])
    await client().createProfile({ body });
});

describeWith('chromium', 'the rights of people in the console', () => {
  it.each([
    ['a person', theda],
    ['a person with more data than an answer may have', large],
  ])('saves all data of %s as a file', async (_, { email }) => {
    await client().createProfile({ body: large });
    await using opened = await openPeople(service);
    await find(opened, email, 'Theda Möhlenkamp');
    const coming = opened.page.waitForEvent('download');
    await opened.page.getByRole('button', { name: 'All data' }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toMatch(/^access-request-[\da-f-]{36}\.json$/);
    const file = v.parse(stored, JSON.parse(await readFile(await download.path(), 'utf8')));
    expect(file.profile.email).toBe(email);
    expect(opened.page.url()).toContain('#/people/');
    expect(opened.complaints).toEqual([]);
  });

  it('says on demand which exports may have had a person, and who got them', async () => {
    const definition = { name: 'Friends', segment: [{ type: 'tag', name: 'Abo' }], field_set: 'email' };
    const id = await defineExport(service, { ...definition, notification_email: service.userEmail });
    await completeJobs(service, id);
    const who = { email: theda.email, only: 'disclosures' } as const;
    await until('the mail about the file', async () => {
      const answer = await client().accessRequest({ query: who });
      const [job] = 'disclosures' in answer ? (answer.disclosures.exports[0]?.jobs ?? []) : [];
      return job?.deliveries[0]?.state === 'delivered' ? job : undefined;
    });
    await using opened = await openPeople(service);
    const { page } = opened;
    await find(opened, theda.email, 'Theda Möhlenkamp');
    expect(await page.getByText('Friends').count()).toBe(0);
    await page.getByText('Who may have the data').click();
    const row = page.getByRole('row', { name: 'Friends 1 file: Today' });
    await row.getByText(service.userEmail).waitFor();
    await row.getByText('Delivered, Today').waitFor();
    await page.getByText('These files may have data of this person.').waitFor();
    expect(await opened.barriers()).toEqual([]);
    await find(opened, 'arno@example.org', 'Arno');
    expect(await page.getByText('Delivered, Today').count()).toBe(0);
    await page.getByText('Who may have the data').click();
    await page.getByText('had this person, and no outside service is asked about people.').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('forgets a person, after it said in numbers what is erased, and gives a receipt that agrees', async () => {
    const leaver = { ...theda, email: 'leaver@example.org', unique_id: 'L-1', phone_number: '+4922100000' };
    await client().createProfile({ body: leaver });
    await using opened = await openPeople(service);
    const { page } = opened;
    await find(opened, 'L-1', 'Theda Möhlenkamp');
    await page.getByRole('button', { name: 'Forget …' }).click();
    const dialog = page.getByRole('dialog');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Keep this person');
    const said = await dialog.getByRole('row').allTextContents();
    expect(said).toContain('Person1');
    expect(said).toContain('Identities2');
    expect(await opened.barriers()).toEqual([]);
    await dialog.getByLabel('Also refuse later records with these 2 identities').check();
    await dialog.getByRole('button', { name: 'Forget 1 person' }).click();
    await page.getByRole('heading', { level: 1, name: '1 person forgotten' }).waitFor();
    await page.getByText('Later records with the 2 identities of this person are refused.').waitFor();
    const numbers = (rows: readonly string[]): readonly string[] => rows.map((row) => row.replace(/\D/g, ''));
    const receipt = page.getByRole('region', { name: 'Receipt' });
    expect(numbers(await receipt.getByRole('row').allTextContents())).toEqual(numbers(said).slice(1));
    expect(await opened.barriers()).toEqual([]);
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the receipt' }).click();
    const text = await readFile(await (await coming).path(), 'utf8');
    expect(text).toContain('"identities": 2');
    expect(text).not.toMatch(/leaver|Möhlenkamp|L-1/);
    expect((await service.call('GET', `/v1/${service.property}/profile?unique_id=L-1`)).status).toBe(404);
    const again = await service.call('POST', `/v1/${service.property}/profiles`, {
      body: JSON.stringify(leaver),
    });
    expect(again.text).toContain('objected');
    expect(opened.complaints).toEqual([]);
  });

  it('stops every use of a person, and takes that back', async () => {
    const objector = {
      ...theda,
      email: 'objector@example.org',
      unique_id: 'O-1',
      phone_number: '+4922100001',
    };
    await client().createProfile({ body: objector });
    await using opened = await openPeople(service);
    const { page } = opened;
    await find(opened, 'O-1', 'Theda Möhlenkamp');
    await page.getByRole('button', { name: 'This person objects …' }).click();
    await page.getByRole('button', { name: 'Stop using the data of 1 person' }).click();
    const notice = page.getByRole('status').filter({ hasText: 'This person objects to every use.' });
    await notice.getByText('Objection by E-mail address: Today').waitFor();
    await page.getByText('This person is in no segment.').waitFor();
    expect(await opened.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'End the objection …' }).click();
    await page.getByRole('button', { name: 'End 2 objections' }).click();
    await notice.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Why? Jazz', exact: true }).waitFor();
    expect(opened.complaints).toEqual([]);
  });
});

const stored = v.object({ profile: v.object({ email: v.string() }) });
