import { describe, expect, it } from 'vitest';
import { newestAnnounced } from '../../console/src/screens/home/news.ts';

describe('the notices about imports that are looked at', () => {
  const now = Date.parse('2026-11-20T00:00:00Z');
  const job = (id: number, of: number, finished: string | null, phase = 'complete') => ({
    ...{ id, import_definition: of, phase, finished },
  });
  const silent = { id: 1, webhook_url: null, notification_email: null };
  const told = { id: 2, webhook_url: null, notification_email: 'ada@example.org' };
  const found = (jobs: readonly ReturnType<typeof job>[]): readonly number[] =>
    newestAnnounced(jobs, [silent, told], now).map(({ job: { id } }) => id);

  it('are those of the newest job that has ended, of each import that tells somebody', () => {
    const jobs = [
      ...[job(9, 2, null, 'importing'), job(8, 2, '2026-11-19T00:00:00Z', 'cancelled')],
      ...[job(7, 2, '2026-11-18T00:00:00Z'), job(6, 2, '2026-11-17T00:00:00Z')],
      job(5, 1, '2026-11-19T00:00:00Z'),
    ];
    expect(found(jobs)).toEqual([7]);
  });

  it('are news for a week', () => {
    expect(found([job(7, 2, '2026-11-13T00:00:01Z')])).toEqual([7]);
    expect(found([job(7, 2, '2026-11-13T00:00:00Z')])).toEqual([]);
  });
});
