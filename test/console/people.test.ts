import * as v from 'valibot';
import { expect, it } from 'vitest';
import { describeWith } from '../../local/test/support/installed.ts';
import { forms, type WatchedPage } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { keys } from '../../shared/table/keys.ts';
import { fieldMap } from '../support/field-map.ts';
import { putItem } from '../support/items.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { find, hostile, openPeople, search, theda } from './people-cast.ts';

let service: Service;
let segments: { readonly autumn: number; readonly far: number };

const named = (type: 'tag' | 'location' | 'demographic', name: string) => ({ named: { type, name } });

const client = () => service.client.tidemark.forProperty(service.property);

/** A definition of an import with one batch of records. */
const importBatch = async (records: readonly object[]): Promise<void> => {
  const tidemark = client();
  const mapping_fields = { required_fields: ['email'], field_maps: [fieldMap('email', 'email')] };
  const { id } = await tidemark.createImport({ body: { name: 'Box office', mapping_fields } });
  const path = { import_id: id };
  const job = await tidemark.createImportJob({ path, body: { name: 'Monday' } });
  await tidemark.importData({ body: { name: 'Monday', import_job: job.id, records } });
  await tidemark.waitForImport({ importId: id, jobId: job.id });
};

shared.beforeAll(async ({ service: own }) => {
  service = own;
  // Everybody of this property is found by name. Of the other, nobody is.
  await putItem(service, keys.rules(service.property), {
    ...{ profile_months: null, file_days: null, special_categories: true },
    ...{ names_since: 1, names_ready: 1 },
  });
  const tidemark = client();
  await importBatch([theda]);
  await tidemark.createProfile({
    body: { email: theda.email, attribute_source: 'third_party', city: 'Bonn' },
  });
  await tidemark.createProfile({
    body: {
      email: 'arno@example.org',
      first_name: 'Arno',
      phone_number: theda.phone_number,
      tags: [{ datetime: '2026-03-03 10:12:00', tag: ['Opera', 'Abo'] }],
    },
  });
  await tidemark.createProfile({ body: { email: 'arno@example.org', remove_tags: ['Abo'] } });
  await tidemark.createProfile({ body: hostile });
  const inner = await tidemark.createSegment({
    body: {
      name: 'Jazz in Köln',
      definition: { all: [named('tag', 'Jazz'), named('location', 'Köln, DE')] },
    },
  });
  const autumn = await tidemark.createSegment({
    body: {
      name: 'Autumn',
      definition: {
        any: [
          named('tag', 'Opera'),
          { all: [named('tag', 'Abo'), { not: { any: [named('tag', 'Opera'), { not: inner.id }] } }] },
        ],
      },
    },
  });
  const far = await tidemark.createSegment({
    body: {
      name: 'Far away',
      definition: { all: [named('tag', 'Jazz'), { not: named('location', 'Köln, DE') }] },
    },
  });
  segments = { autumn: autumn.id, far: far.id };
});

/** A browser says in its console that a page got such an answer, although the page expects it. */
const expected = /the server responded with a status of (?:400|404|409)/;

const unexpected = ({ complaints }: WatchedPage): readonly string[] =>
  complaints.filter((complaint) => !expected.test(complaint));

describeWith('chromium', 'people in the console', () => {
  it.each(['theda@example.org', 'K-04417'])(
    'finds a person by %s, with no identity in an address',
    async (text) => {
      await using opened = await openConsole(service);
      const { page } = opened;
      await page.getByRole('searchbox', { name: 'Find a person' }).fill(text);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Theda Möhlenkamp' }).waitFor();
      expect(decodeURIComponent(page.url())).not.toMatch(/theda|K-04417/i);
      expect(page.url()).toMatch(/#\/people\/[\da-f-]{36}$/);
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Theda Möhlenkamp' }).waitFor();
      expect(opened.complaints).toEqual([]);
    },
  );

  it('shows consent, segments and values with the names of their sources, and what lost on demand', async () => {
    await using opened = await openPeople(service);
    const { page } = opened;
    await find(opened, theda.email, 'Theda Möhlenkamp');
    const consent = page.getByRole('region', { name: 'Consent' });
    await consent.getByRole('row', { name: 'E-mail Newsletter form, Sep 12, 2025 Given' }).waitFor();
    await consent.getByRole('row', { name: 'Post Box office, Jan 8, 2026 Withdrawn' }).waitFor();
    const values = page.getByRole('region', { name: 'Values' });
    await values.getByRole('row', { name: 'Town Köln Box office Your own data' }).waitFor();
    expect(await values.textContent()).not.toContain('Bonn');
    await values.getByLabel('Show 1 value that does not count').check();
    await values.getByText('API: Bonn, less trusted').waitFor();
    await values.getByRole('row', { name: 'Last visit Feb 14, 2025' }).waitFor();
    await values.getByRole('row', { name: 'Revenue 2,472.84' }).waitFor();
    await values.getByRole('row', { name: 'Old postcode 04417' }).waitFor();
    expect(await page.getByRole('region', { name: 'Identities' }).getByRole('row').count()).toBe(3);
    expect(opened.complaints).toEqual([]);
  });

  it('explains why somebody is in a segment, level by level, and why not', async () => {
    await using opened = await openPeople(service);
    const { page } = opened;
    await find(opened, theda.email, 'Theda Möhlenkamp');
    await page.getByRole('link', { name: 'Why? Autumn' }).click();
    const why = page.getByRole('complementary', { name: 'Why in this segment?' });
    await why.getByText('At least one of 2 rules holds.').waitFor();
    const opera = why.getByRole('listitem').filter({ hasText: 'Does not hold: Opera' }).first();
    await opera.getByText('does not decide').waitFor();
    const abo = why.getByRole('listitem').filter({ hasText: 'Holds: Abo' }).last();
    expect(await abo.textContent()).toMatch(/TagAbo.*SourceBox office.*TrustYour own data.*Known sinceToday/);
    await why.getByRole('heading', { name: 'Consent' }).waitFor();
    await why.getByRole('definition').filter({ hasText: 'Withdrawn, Jan 8, 2026' }).waitFor();
    const closed = why.locator('details').filter({ hasText: 'Jazz in Köln' }).first();
    expect(await closed.getByText('Holds: Jazz', { exact: false }).first().isVisible()).toBe(false);
    await closed.locator('summary').first().click();
    await closed.getByText('Jazz in Köln').first().waitFor();
    expect(await opened.barriers()).toEqual([]);
    await page.keyboard.press('Escape');
    await why.waitFor({ state: 'detached' });
    await page.goto(`${page.url()}/${segments.far}`);
    const whyNot = page.getByRole('complementary', { name: 'Why not in this segment?' });
    await whyNot.getByText('Does not hold: Not: Köln, Germany').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('lists the people who share a telephone number', async () => {
    await using opened = await openPeople(service);
    await search(opened, '+49 221 4710118');
    await opened.page.getByRole('region', { name: '2 people have this telephone number' }).waitFor();
    await opened.page.getByRole('link', { name: 'Arno' }).click();
    await opened.page.getByRole('heading', { level: 1, name: 'Arno' }).waitFor();
    await opened.page
      .getByRole('region', { name: 'Removed tags' })
      .getByText(/API.*, Today/)
      .waitFor();
    expect(unexpected(opened)).toEqual([]);
  });

  it('finds people by last name and town: several as a list, and one at once', async () => {
    const jana = { first_name: 'Jana', last_name: 'Müller', city: 'Köln', birthday: '1968-02-03' };
    await client().createProfile({ body: { ...jana, unique_id: 'M-1' } });
    await client().createProfile({ body: { ...jana, unique_id: 'M-2', first_name: 'Udo', city: 'Bonn' } });
    await using opened = await openPeople(service);
    const { page } = opened;
    await search(opened, 'Mueller');
    const list = page.getByRole('region', { name: '2 people of this name' });
    await list.getByRole('row', { name: 'Jana Müller Köln, 1968 M-1' }).waitFor();
    expect(await opened.barriers()).toEqual([]);
    await list.getByRole('link', { name: 'Udo Müller' }).click();
    await page.getByRole('heading', { level: 1, name: 'Udo Müller' }).waitFor();
    await page.goBack();
    await list.waitFor();
    for (const text of ['müller, köln', 'Jana Müller', 'Mueller, Jana'])
      await find(opened, text, 'Jana Müller');
    expect(decodeURIComponent(page.url())).not.toMatch(/m(?:ü|ue)ller/i);
    expect(unexpected(opened)).toEqual([]);
  });

  it('shows hostile names, tags and values as text, on a screen and on a phone', async () => {
    for (const form of [forms[0], forms[3]]) {
      await using opened = await openPeople(service, form);
      const { page } = opened;
      await find(opened, hostile.unique_id, hostile.last_name);
      await page.getByText("<a href='javascript:alert(1)'>v</a>").waitFor();
      await page.getByRole('link', { name: '<script>alert(1)</script>', exact: true }).waitFor();
      expect(await page.locator('main :is(b, i, img, script)').count()).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(await opened.barriers()).toEqual([]);
      await page.getByRole('button', { name: 'Forget …' }).click();
      await page.getByRole('button', { name: 'Keep this person' }).click();
      expect(opened.complaints).toEqual([]);
    }
  });

  it('says who nobody is, to its own account and to another', async () => {
    await using opened = await openPeople(service);
    await opened.page.getByPlaceholder('Name, e-mail, phone, customer id').waitFor();
    await opened.page.getByText('UUID, and by name: Anna Müller, Köln.').waitFor();
    await search(opened, 'Meier');
    await opened.page.getByText('Nobody has the id Meier, or a name that begins so.').waitFor();
    await search(opened, '0221 / 4710');
    await opened.page.getByText('Telephone numbers are found with their country code').waitFor();
    expect(await opened.barriers()).toEqual([]);
    expect(unexpected(opened)).toEqual([]);
    await using other = await openPeople(service, {}, service.cloud.endpoints.other);
    await other.page.getByPlaceholder('E-mail, phone, customer id', { exact: true }).waitFor();
    await other.page.getByText('social id or UUID.').waitFor();
    await search(other, theda.email);
    await other.page.getByText('Nobody has the e-mail address theda@example.org.').waitFor();
    await search(other, 'Möhlenkamp');
    await other.page.getByText('Nobody has the id Möhlenkamp.').waitFor();
    await other.page.getByText('People are not found by name here.').waitFor();
    await search(other, theda.email);
    await other.page.getByText('Nobody has the e-mail address').waitFor();
    expect(await other.page.textContent('main')).not.toContain('Möhlenkamp');
  });

  it('shows no Forget to a token that may not erase', async () => {
    const { auth_url, client_id, username, password } = service.cloud.endpoints;
    const body = JSON.stringify({
      grant_type: 'password',
      client_id,
      username,
      password,
      scope: 'people.read',
    });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${auth_url}/oauth/token`, { method: 'POST', headers, body });
    const { access_token } = v.parse(v.object({ access_token: v.string() }), await answer.json());
    await using opened = await openPeople(service);
    const { page } = opened;
    await page.evaluate((token) => sessionStorage.setItem('tidemark.token', token), access_token);
    await page.reload();
    await find(opened, theda.email, 'Theda Möhlenkamp');
    await page.getByRole('button', { name: 'All data' }).waitFor();
    expect(await page.getByRole('button', { name: 'Forget' }).count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });
});
