import { describe, expect, test } from 'vitest';
import { TidemarkConnectionError } from '../../client/src/index.ts';
import { clientOf, startServer, type Reply } from './small-server.ts';

const counts = (processing: number): object => ({ ingested: 100, processing });

describe('waiting for a job', () => {
  test('asks until it has ended, shows each answer, and returns a failed job as well', async () => {
    await using server = await startServer((_, before): Reply => ({
      body: {
        phase: before < 3 ? 'importing' : 'failed',
        finished: before < 3 ? null : 'now',
        counts: counts(50),
      },
    }));
    const seen: string[] = [];
    const { tidemark, waits } = clientOf(server);
    const job = await tidemark.waitForImport({
      importId: 3,
      jobId: 4,
      onProgress: ({ phase }) => seen.push(phase),
    });
    expect(job.phase).toBe('failed');
    expect(seen).toEqual(['importing', 'importing', 'importing', 'failed']);
    expect(waits).toHaveLength(3);
    expect(server.received[0]?.url).toBe('/v1/7/imports/3/jobs/4');
  });

  test('asks a long job rarely and a job near its end often', async () => {
    const remaining = [100, 50, 99, 1, 0];
    await using server = await startServer((_, before): Reply => ({
      body: { finished: before < 4 ? null : 'now', counts: counts(remaining[before] ?? 0) },
    }));
    let now = 0;
    const { tidemark, waits } = clientOf(server, { ports: { now: () => (now += 1_500) } });
    await tidemark.waitForImport({ importId: 3, jobId: 4 });
    expect(waits).toEqual([150, 1_000, 2_000, 100]);
  });

  test('of an export takes the newest job when none is named', async () => {
    await using server = await startServer(({ url }): Reply => ({
      body: url.includes('?') ? { jobs: [{ id: '9' }] } : { id: '9', finished: 'now', progress: 1 },
    }));
    const { tidemark } = clientOf(server);
    expect((await tidemark.waitForExport({ exportId: '5' })).id).toBe('9');
    await tidemark.waitForExport({ exportId: 5, jobId: 6 });
    expect(server.received.map(({ url }) => url)).toEqual([
      '/v1/7/exports/5/jobs?order=newest&limit=1',
      '/v1/7/exports/5/jobs/9',
      '/v1/7/exports/5/jobs/6',
    ]);
  });

  test('of an export without a job says so', async () => {
    await using server = await startServer(() => ({ body: { jobs: [] } }));
    await expect(clientOf(server).tidemark.waitForExport({ exportId: 5 })).rejects.toThrow('has no job yet');
  });

  test('survives an outage of many questions, such as that of a laptop that wakes up', async () => {
    // A question has five attempts.
    const outage = 9 * 5;
    await using server = await startServer((_, before): Reply => {
      if (before >= 1 && before <= outage) return before % 2 === 0 ? 'break' : { status: 503, body: {} };
      return { body: { finished: before === 0 ? null : 'now', counts: counts(50) } };
    });
    const { tidemark } = clientOf(server);
    expect((await tidemark.waitForImport({ importId: 3, jobId: 4 })).finished).toBe('now');
    expect(server.received).toHaveLength(outage + 2);
  });

  test('ends when ten questions in a row got no answer', async () => {
    await using server = await startServer((): Reply => 'break');
    const { tidemark } = clientOf(server);
    await expect(tidemark.waitForImport({ importId: 3, jobId: 4 })).rejects.toThrow(TidemarkConnectionError);
    expect(server.received).toHaveLength(10 * 5);
  });

  test('ends at once when the service refuses', async () => {
    await using server = await startServer((): Reply => ({ status: 404, body: { code: 'not_found' } }));
    const { tidemark } = clientOf(server);
    await expect(tidemark.waitForImport({ importId: 3, jobId: 4 })).rejects.toMatchObject({ status: 404 });
    expect(server.received).toHaveLength(1);
  });

  test('ends when the caller aborts', async () => {
    const caller = new AbortController();
    await using server = await startServer(() => ({ body: { finished: null, counts: counts(100) } }));
    const waiting = clientOf(server).tidemark.waitForImport({
      importId: 3,
      jobId: 4,
      signal: caller.signal,
      onProgress: () => caller.abort(new Error('Ctrl-C')),
    });
    await expect(waiting).rejects.toThrow('Ctrl-C');
    expect(server.received).toHaveLength(1);
  });
});

describe('waiting for a segment', () => {
  test('asks until a condition is prepared, and returns other segments at once', async () => {
    await using server = await startServer(({ url }, before): Reply => {
      const ready = before === 2;
      const prepared = { ready, progress: ready ? 1 : before / 2, count: ready ? 20 : null };
      return { body: url.endsWith('/9') ? { count: 5 } : prepared };
    });
    const seen: unknown[] = [];
    const { tidemark, waits } = clientOf(server);
    const onProgress = ({ progress }: { readonly progress?: number }): unknown => seen.push(progress);
    expect((await tidemark.waitForSegment({ segmentId: 8, onProgress })).count).toBe(20);
    expect([seen, waits.length]).toEqual([[0, 0.5, 1], 2]);
    expect((await tidemark.waitForSegment({ segmentId: 9 })).count).toBe(5);
    expect(server.received.map(({ url }) => url.replace('/v1/7/segments/', ''))).toEqual([
      '8',
      '8',
      '8',
      '9',
    ]);
  });
});
