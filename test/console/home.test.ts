import * as v from 'valibot';
import { expect, it } from 'vitest';
import { jobsAnswer } from '../../shared/exports/model/answers.ts';
import { importDeliveriesAnswer } from '../../shared/imports/schemas/report-schemas.ts';
import { describeWith } from '../../local/test/support/installed.ts';
import { forms } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { definitionOf } from '../support/field-map.ts';
import { defineExport, defineImport, importFile } from '../support/running.ts';
import type { Service } from '../support/service.ts';
import { openSftpServer } from '../support/sftp-server.ts';
import { shared } from '../support/shared-service.ts';
import { until } from '../support/until.ts';

const token = v.object({ access_token: v.string() });

let service: Service;
shared.beforeAll(({ service: own }) => {
  service = own;
});

const addAda = async (): Promise<void> => {
  const person = { email: 'ada@example.org', first_name: 'Ada' };
  await service.client.post(`/v1/${service.property}/profiles`, person, v.unknown());
  expect((await service.cloud.invoke('measureSizes', {})).ok).toBe(true);
};

describeWith('chromium', 'the home of the console', () => {
  it('begins with a first file, and hands it to the screen of imports', async () => {
    await using opened = await openConsole(service);
    const { page } = opened;
    await page.getByRole('heading', { name: 'Drop a CSV file here' }).waitFor();
    expect(await opened.barriers()).toEqual([]);
    const buffer = Buffer.from('E-Mail;Vorname\nann@example.org;Ann\n');
    await page.locator('input[type=file]').setInputFiles({ name: 'first.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('heading', { name: 'first.csv' }).waitFor();
    await page.getByLabel('Field for E-Mail').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('says which file did not arrive, and why, and delivers and runs it again', async () => {
    await addAda();
    await using server = await openSftpServer();
    server.mischief.isReadOnly = true;
    const id = await defineExport(service, {
      name: 'Friends, weekly',
      segment: [{ type: 'everyone', name: 'everyone' }],
      field_set: 'email',
      schedule: null,
      destination_credentials: { domain: `127.0.0.1:${server.port}`, client_id: 'hall' },
    });
    // The next attempt after these is five minutes away: none is under way when the reader asks for one.
    await until('two attempts', async () => {
      const { jobs } = await service.client.get(`/v1/${service.property}/exports/${id}/jobs`, jobsAnswer);
      const [delivery] = jobs[0]?.deliveries ?? [];
      return (delivery?.state === 'retrying' && delivery.attempts === 2) || undefined;
    });
    await using opened = await openConsole(service);
    const { page } = opened;
    const notice = page.getByRole('alert').filter({ hasText: 'Friends, weekly' });
    await notice.getByText(`did not reach 127.0.0.1:${server.port}`).waitFor();
    for (const { width } of forms) {
      await page.setViewportSize({ width, height: 900 });
      expect(await opened.barriers()).toEqual([]);
    }
    await notice.getByRole('button', { name: 'See attempts' }).click();
    await page.getByRole('dialog').getByText('refused').first().waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    server.mischief.isReadOnly = false;
    await notice.getByRole('button', { name: 'Deliver again' }).click();
    const files = page.getByRole('region', { name: 'Files, in and out' });
    await files.getByText('Delivered', { exact: true }).waitFor();
    await notice.waitFor({ state: 'detached' });
    expect(server.files.size).toBe(1);
    await page.getByRole('region', { name: 'Exports' }).getByRole('button', { name: 'Run again' }).click();
    await expect.poll(() => server.files.size, { timeout: 20_000 }).toBe(2);
    expect(opened.complaints).toEqual([]);
  });

  it('says that a list waits for the owner of its address, and stops its schedule', async () => {
    const segment = [{ type: 'everyone', name: 'everyone' }];
    const notification_email = 'partner@example.org';
    const schedule = { hour: '6', day_of_week: 'mon', timezone: 'Europe/Berlin' };
    const list = { name: 'Every Monday', segment, field_set: 'email', notification_email };
    const id = await defineExport(service, { ...list, schedule });
    const stored = async () =>
      v.parse(
        v.looseObject({ schedule: v.unknown() }),
        JSON.parse((await service.call('GET', `/v1/${service.property}/exports/${id}`)).text),
      );
    const before = await stored();
    await using opened = await openConsole(service);
    const next = opened.page
      .getByRole('region', { name: 'What comes next' })
      .getByRole('link', { name: 'Every Monday' });
    await next.waitFor();
    const row = opened.page
      .getByRole('region', { name: 'Exports' })
      .getByRole('row', { name: 'Every Monday' });
    await row.getByText('The owner of the address has not confirmed it yet').waitFor();
    await row.getByRole('button', { name: 'Stop …' }).click();
    const dialog = opened.page.getByRole('dialog');
    expect(await opened.barriers()).toEqual([]);
    await dialog.getByRole('button', { name: 'Stop the schedule' }).click();
    await row.getByRole('button', { name: 'Stop …' }).waitFor({ state: 'detached' });
    expect(await stored()).toEqual({ ...before, schedule: null, next_run: null });
    await next.waitFor({ state: 'detached' });
    expect(opened.complaints).toEqual([]);
  });

  it('says which notice about an import did not arrive, and sends it again', async () => {
    const path = await defineImport(
      service,
      definitionOf(['email'], { notification_email: 'office@example.org' }),
    );
    const { job } = await importFile(service, path, 'email\nbo@example.org\n', 'office.csv');
    const deliveries = async () =>
      (await service.client.get(`${job}/deliveries`, importDeliveriesAnswer)).deliveries;
    await until('two attempts', async () => {
      const [delivery] = await deliveries();
      return (delivery?.state === 'retrying' && delivery.attempts === 2) || undefined;
    });
    await using opened = await openConsole(service);
    const { page } = opened;
    const notice = page.getByRole('alert').filter({ hasText: 'office.csv' });
    await notice.getByText('The notice about office.csv did not reach office@example.org').waitFor();
    await notice.getByText('The owner of the address has not confirmed it yet').waitFor();
    expect(await opened.barriers()).toEqual([]);
    await notice.getByRole('button', { name: 'See attempts' }).click();
    await page.getByRole('dialog').getByText('2. Today').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await notice.getByRole('button', { name: 'Deliver again' }).click();
    const replays = async () => (await deliveries()).map((one) => one.replays);
    await expect.poll(replays).toEqual([1]);
    expect(opened.complaints).toEqual([]);
  });

  it('says why an export failed, and runs it again', async () => {
    const extra_data = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`note ${at}`, 'x'.repeat(1_020)]),
    );
    const person = { email: 'wide@example.org', extra_data };
    await service.client.post(`/v1/${service.property}/profiles`, person, v.unknown());
    const custom_result_format = Array.from({ length: 10 }, (_, at) => ({
      umbel_field_name: 'extra_data',
      destination_field_name: `Copy ${at}`,
    }));
    const segment = [{ type: 'everyone', name: 'everyone' }];
    const id = await defineExport(service, {
      name: 'Too wide',
      segment,
      field_set: 'custom',
      custom_result_format,
    });
    await using opened = await openConsole(service);
    const { page } = opened;
    const notice = page.getByRole('alert').filter({ hasText: 'The export “Too wide” failed' });
    await notice.getByText('The row of a profile would be over').waitFor();
    expect(await opened.barriers()).toEqual([]);
    await notice.getByRole('button', { name: 'Run again' }).click();
    const jobs = v.object({ jobs: v.array(v.unknown()) });
    const path = `/v1/${service.property}/exports/${id}/jobs`;
    await expect
      .poll(async () => v.parse(jobs, JSON.parse((await service.call('GET', path)).text)).jobs.length)
      .toBe(2);
    expect(opened.complaints).toEqual([]);
    await service.call('DELETE', `/v1/${service.property}/exports/${id}`);
  });

  it('shows no button that the token may not use', async () => {
    const { client_id, username, password } = v.parse(
      v.object({ client_id: v.string(), username: v.string(), password: v.string() }),
      service.cloud.endpoints,
    );
    const body = {
      grant_type: 'password',
      client_id,
      username,
      password,
      scope: 'definitions.read people.read',
    };
    const answer = await fetch(`${service.cloud.endpoints.auth_url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { access_token } = v.parse(token, await answer.json());
    await using opened = await openConsole(service);
    const { page } = opened;
    await page.evaluate((text) => sessionStorage.setItem('tidemark.token', text), access_token);
    await page.reload();
    await page.getByRole('region', { name: 'Files, in and out' }).getByText('Friends, weekly').waitFor();
    for (const name of ['Run again', 'Run now', 'Deliver again', 'Stop …'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    for (const name of ['Import', 'Import a file'])
      expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });
});
