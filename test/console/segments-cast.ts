import { readFile } from 'node:fs/promises';
import Papa from 'papaparse';
import * as v from 'valibot';
import { expect } from 'vitest';
import { identified } from '../support/api-client.ts';
import type { WatchedPage } from '../support/browser.ts';
import type { Service } from '../support/service.ts';

/** A name that would do harm as HTML, and is long. */
export const hostile = `<img src=x onerror=alert(1)> שלום ${'x'.repeat(180)}`;

const datetime = '2026-01-01T00:00:00Z';
const said = (state: string) => [{ channel: 'email', state, datetime }];
export const tagged = (tag: readonly string[]) => [{ tag, datetime }];

/** Six people in Jazz: three are younger than 65, of whom two have given consent. One of all four has no address. */
const people = [
  { email: 'ada@example.org', first_name: 'Ada', birthday: '1990-01-01', consent: said('given') },
  { email: 'bea@example.org', first_name: 'Bea', birthday: '1991-01-01', consent: said('given') },
  { email: 'cyd@example.org', first_name: 'Cyd', birthday: '1992-01-01', consent: said('withdrawn') },
  { email: 'dan@example.org', first_name: 'Dan', birthday: '1930-01-01', consent: said('given') },
  { email: 'eve@example.org', first_name: 'Eve', birthday: '1931-01-01' },
  { unique_id: 'F-1', first_name: hostile, birthday: '1932-01-01', consent: said('given') },
];

/** Stores the people and a person with further tags, and measures the segments. */
export const storePeople = async (service: Service, further: readonly string[] = []): Promise<void> => {
  const path = `/v1/${service.property}/profiles`;
  for (const person of people)
    await service.client.post(path, { ...person, tags: tagged(['Jazz', hostile]) }, v.unknown());
  if (further.length > 0)
    await service.client.post(path, { email: 'many@example.org', tags: tagged(further) }, v.unknown());
  expect((await service.cloud.invoke('measureSizes', {})).ok).toBe(true);
};

/** Ages by which nobody should be judged: of those with a birthday it decides, whatever age was sent. */
const visitors = [
  { email: 'old-by-word@example.org', age: 80, birthday: '1990-01-01', consent: said('given') },
  { email: 'young-by-word@example.org', age: 39, birthday: '1930-01-01' },
  { email: 'only-word@example.org', age: 39, consent: said('withdrawn') },
  { email: 'no-word@example.org', birthday: '1991-02-28' },
];

/** Stores people with and without birthdays, and makes the segment of those under 65: three of four. */
export const storeUnder65 = async (service: Service): Promise<number> => {
  const at = `/v1/${service.property}`;
  for (const person of visitors)
    await service.client.post(`${at}/profiles`, { ...person, tags: tagged(['Visitor']) }, v.unknown());
  const older = { named: { type: 'demographic', name: 'Age: 65+' } };
  const definition = { all: [await segmentOf(service, 'Visitor'), { not: older }] };
  const { id } = await service.client.post(`${at}/segments`, { name: 'Under 65', definition }, identified);
  expect((await service.cloud.invoke('measureSizes', {})).ok).toBe(true);
  return id;
};

/** The id of the segment of a tag. */
export const segmentOf = async (service: Service, name: string): Promise<number> => {
  const path = `/v1/${service.property}/segments?type=tag&name=${name}`;
  const [found] = await service.client.get(path, v.array(identified));
  return found?.id ?? 0;
};

/** Opens the segment of a name from the list. */
export const openSegment = async ({ page }: WatchedPage, name: string): Promise<void> => {
  await page.getByRole('link', { name: 'Segments', exact: true }).first().click();
  await page.getByRole('searchbox', { name: 'Filter by name' }).fill(name);
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
};

/** The rows of a CSV file that the page downloads when `press` has been pressed. */
export const downloaded = async (
  { page }: WatchedPage,
  press: string,
): Promise<readonly Record<string, string>[]> => {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: press }).click(),
  ]);
  const text = await readFile(await file.path(), 'utf8');
  return Papa.parse<Record<string, string>>(text.replace(/^\uFEFF/, ''), {
    header: true,
    skipEmptyLines: true,
  }).data;
};
