import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeWith } from '../../local/test/support/installed.ts';
import { openPage } from '../support/browser.ts';
import { signIn } from '../support/console.ts';
import { defineExport } from '../support/running.ts';
import type { Service } from '../support/service.ts';
import { openSftpServer } from '../support/sftp-server.ts';
import { shared } from '../support/shared-service.ts';
import { until } from '../support/until.ts';

let service: Service;
shared.beforeAll(({ service: own }) => {
  service = own;
});

/** Counts the calls of a page, and says when all of them have their answers. */
const callsOf = (page: Page) => {
  const counts = new Map<string, number>();
  let open = 0;
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
    open += 1;
  });
  const answered = (): void => {
    open -= 1;
  };
  page.on('requestfinished', answered).on('requestfailed', answered);
  return {
    /** The calls by their addresses since the last look. */
    take: (): Record<string, number> => {
      const taken = Object.fromEntries(counts);
      counts.clear();
      return taken;
    },
    answered: () => until('all calls have answers', () => Promise.resolve(open === 0 || undefined)),
  };
};

const SECONDS = 20;
/** A call has its answer within a step, so that calls more often than each second would show. */
const STEPS = 4;

describeWith('chromium', 'a screen that follows what runs', () => {
  it('asks at most once a second, and not while it is hidden', async () => {
    await using server = await openSftpServer();
    // The job stays at work, because its server never answers.
    server.mischief.hangsAt = 'OPEN';
    const id = await defineExport(service, {
      name: 'Hangs',
      segment: [{ type: 'everyone', name: 'everyone' }],
      field_set: 'email',
      schedule: null,
      destination_credentials: { domain: `127.0.0.1:${server.port}`, client_id: 'hall' },
    });
    await using opened = await openPage(service.cloud.endpoints.base_url);
    const { page } = opened;
    await page.clock.install();
    await page.goto('/console');
    await signIn(opened, service.cloud.endpoints);
    await page.getByRole('region', { name: 'Exports' }).getByText('Hangs').waitFor();
    const calls = callsOf(page);
    await page.clock.pauseAt(Date.now() + 60_000);
    await calls.answered();
    const pass = async (seconds: number): Promise<Record<string, number>> => {
      calls.take();
      for (let step = 0; step < seconds * STEPS; step += 1) {
        await page.clock.runFor(1_000 / STEPS);
        await calls.answered();
      }
      return calls.take();
    };
    const seen = await pass(SECONDS);
    expect(seen[`/v1/${service.property}/exports/${id}/jobs`]).toBeGreaterThan(SECONDS / 5);
    // The other exports are looked at less often.
    expect(seen[`/v1/${service.property}/exports`] ?? 0).toBeLessThan(2);
    expect(Math.max(...Object.values(seen))).toBeLessThanOrEqual(SECONDS);

    const hide = (isHidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
         document.dispatchEvent(new Event('visibilitychange'));`,
      );
    await hide(true);
    await pass(10);
    expect(await pass(60)).toEqual({});
    await hide(false);
    expect(Object.keys(await pass(1))).not.toEqual([]);
    expect(opened.complaints).toEqual([]);
  });
});
