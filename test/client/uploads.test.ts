import { appendFileSync, truncateSync, utimesSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FileChangedError, UploadError } from '../../client/src/index.ts';
import { clientOf, startServer, type Received, type Reply, type SmallServer } from './small-server.ts';
import { newFolders } from '../../local/test/support/folders.ts';

const newFolder = newFolders();

const content = Buffer.from('0123456789abcdefghij');
const PART_BYTES = 6;

/** A service with one upload, whole or in parts, and its store of files. `refuse` may refuse a PUT. */
const uploads = async (
  form: 'whole' | 'parts',
  refuse: (put: Received, before: number) => Reply | undefined = () => undefined,
): Promise<SmallServer & { readonly file: () => string; readonly puts: () => readonly Received[] }> => {
  const stored = new Map<number, Buffer>();
  let puts = 0;
  const server = await startServer((request, _, url): Reply => {
    if (request.method === 'PUT') {
      const refusal = refuse(request, puts);
      puts += 1;
      if (refusal) return refusal;
      stored.set(Number(request.url.split('/').at(-1)), request.body);
      return {};
    }
    if (request.url.endsWith('/complete')) return { body: { id: 12 } };
    if (form === 'whole') {
      const address = { url: `${url}/store/0`, headers: { 'if-none-match': '*' } };
      return { status: 201, body: { job_id: 12, ...address } };
    }
    const offsets = Array.from(
      { length: Math.ceil(content.length / PART_BYTES) },
      (_, part) => part * PART_BYTES,
    );
    const missing = offsets.filter((offset) => !stored.has(offset));
    const parts = missing.map((offset) => ({
      part_number: offset / PART_BYTES + 1,
      offset,
      size: Math.min(PART_BYTES, content.length - offset),
      url: `${url}/store/${offset}`,
    }));
    return { status: 201, body: { job_id: 12, headers: {}, parts } };
  });
  return {
    ...server,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    file: () => Buffer.concat([...stored].toSorted(([a], [b]) => a - b).map(([, bytes]) => bytes)).toString(),
    puts: () => server.received.filter(({ method }) => method === 'PUT'),
  };
};

const inFile = async (): Promise<string> => {
  const file = join(newFolder(), 'people.csv');
  await writeFile(file, content);
  return file;
};

describe('an upload', () => {
  test('of a file by its path goes up in parts, each with its length, and is completed', async () => {
    await using server = await uploads('parts');
    const seen: number[] = [];
    const jobs: number[] = [];
    const upload = { importId: 3, file: await inFile(), dryRun: true };
    const { jobId } = await clientOf(server).tidemark.uploadFile({
      ...upload,
      onJob: (job) => jobs.push(job),
      onProgress: ({ sent, size }) => seen.push(sent / size),
    });
    expect([jobId, jobs]).toEqual([12, [12]]);
    expect(server.file()).toBe(content.toString());
    // Parts go up side by side, so they may arrive in any order.
    const lengths = server
      .puts()
      .map(({ headers, url }) => [url.split('/').at(-1), headers['content-length']]);
    expect(Object.fromEntries(lengths)).toEqual({ 0: '6', 6: '6', 12: '6', 18: '2' });
    expect(lengths).toHaveLength(4);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(1);
    const [first] = server.received;
    expect(JSON.parse(String(first?.body))).toEqual({ file_name: 'people.csv', size: 20, dry_run: true });
    expect(server.received.at(-1)?.url).toBe('/v1/7/imports/3/uploads/12/complete');
  });

  test.each([
    ['bytes', new Uint8Array(content), 'people.csv'],
    ['a Blob', new Blob([content]), 'people.csv'],
    ['a File, under its own name', new File([content], 'people.csv'), undefined],
  ])('takes %s, with the headers of the address, and completes nothing', async (_, file, fileName) => {
    await using server = await uploads('whole');
    await clientOf(server).tidemark.uploadFile({ importId: 3, file, fileName });
    expect(server.file()).toBe(content.toString());
    expect(server.puts()[0]?.headers).toMatchObject({ 'if-none-match': '*', 'content-length': '20' });
    expect(server.puts()[0]?.headers).not.toHaveProperty('authorization');
    expect(server.received).toHaveLength(2);
    expect(JSON.parse(String(server.received[0]?.body))).toMatchObject({ file_name: 'people.csv' });
  });

  test.each<[string, Reply]>([
    ['expire', { status: 403 }],
    ['are overloaded', { status: 503 }],
    ['break the connection', 'break'],
  ])('asks for new addresses of the missing parts when addresses %s', async (_, reply) => {
    await using server = await uploads('parts', (_put, before) =>
      before === 1 || before === 2 ? reply : undefined,
    );
    const { tidemark, waits } = clientOf(server);
    let last = 0;
    await tidemark.uploadFile({
      importId: 3,
      file: content,
      fileName: 'x',
      onProgress: ({ sent }) => (last = sent),
    });
    expect(server.file()).toBe(content.toString());
    expect(last).toBe(content.length);
    expect(server.puts()).toHaveLength(6);
    expect(waits).toHaveLength(1);
  });

  test('goes on after a sleep: a new token, new addresses, and an outage before them', async () => {
    let now = 0;
    let issued = 0;
    let outage = 7;
    await using store = await uploads('parts', (_put, before) => {
      if (before !== 1) return undefined;
      now += 3_600_000;
      return { status: 403 };
    });
    // The service beside the store, whose tokens last an hour.
    await using service = await startServer(({ method, url, headers }): Reply => {
      if (url === '/oauth/token') {
        issued += 1;
        return { body: { access_token: `token-${issued}`, expires_in: 3600 } };
      }
      if (headers.authorization !== `Bearer token-${issued}`) return { status: 401, body: {} };
      if (method === 'GET' && outage > 0) {
        outage -= 1;
        return 'break';
      }
      return { status: 307, headers: { location: `${store.url}${url}` } };
    });
    const through: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      const location = answer.headers.get('location');
      return answer.status === 307 && location !== null ? fetch(location, init) : answer;
    };
    const { tidemark } = clientOf(service, {
      token: undefined,
      clientId: 'c',
      username: 'ada',
      password: 'p',
      ports: { now: () => now, fetch: through },
    });
    await tidemark.uploadFile({ importId: 3, file: content, fileName: 'x' });
    expect(store.file()).toBe(content.toString());
    expect(issued).toBe(2);
    expect(outage).toBe(0);
  });

  test('ends with the failure of the store when the service stays out of reach', async () => {
    await using server = await startServer((request, _, url): Reply => {
      if (request.method !== 'POST') return 'break';
      return { status: 201, body: { job_id: 12, url: `${url}/store/0`, headers: {} } };
    });
    const failed = clientOf(server).tidemark.uploadFile({ importId: 3, file: content, fileName: 'x' });
    await expect(failed).rejects.toThrow(UploadError);
  });

  test('whose answer was lost finds its file stored', async () => {
    await using server = await uploads('whole', (_, before) => (before === 0 ? 'break' : { status: 412 }));
    const { jobId } = await clientOf(server).tidemark.uploadFile({
      importId: 3,
      file: content,
      fileName: 'x',
    });
    expect(jobId).toBe(12);
    expect(server.puts()).toHaveLength(2);
  });

  test('whose earlier attempt the store still works on waits for it', async () => {
    const statuses = ['break', { status: 409 }, { status: 412 }] as const;
    await using server = await uploads('whole', (_, before) => statuses[before] ?? { status: 500 });
    const upload = { importId: 3, file: content, fileName: 'x' };
    expect((await clientOf(server).tidemark.uploadFile(upload)).jobId).toBe(12);
    expect(server.puts()).toHaveLength(3);
  });

  test('ends after five rounds in which nothing arrived', async () => {
    await using server = await uploads('whole', () => ({ status: 503 }));
    const { tidemark } = clientOf(server);
    const failed = tidemark.uploadFile({ importId: 3, file: content, fileName: 'x' });
    await expect(failed).rejects.toThrow(UploadError);
    expect(server.puts()).toHaveLength(5);
  });

  test('ends at once when the store refuses the file', async () => {
    await using server = await uploads('whole', () => ({ status: 400 }));
    const { tidemark } = clientOf(server);
    const failed = tidemark.uploadFile({ importId: 3, file: content, fileName: 'x' });
    await expect(failed).rejects.toMatchObject({ name: 'UploadError', status: 400 });
    expect(server.puts()).toHaveLength(1);
  });

  test('continues an earlier upload: it sends what is missing', async () => {
    const end = new AbortController();
    const jobs: number[] = [];
    await using server = await uploads('parts', (_, before) => {
      if (before === 2) end.abort(new Error('Ctrl-C'));
      return before >= 2 && before < 4 ? 'break' : undefined;
    });
    const { tidemark } = clientOf(server);
    const upload = { importId: 3, file: content, fileName: 'x', onJob: (job: number) => jobs.push(job) };
    await expect(tidemark.uploadFile({ ...upload, signal: end.signal })).rejects.toThrow('Ctrl-C');
    const before = server.puts().length;
    const [jobId] = jobs;
    await tidemark.uploadFile({ ...upload, jobId });
    const begun = server.received.filter(({ method, url }) => method === 'POST' && url.endsWith('/uploads'));
    expect(begun).toHaveLength(1);
    expect(server.puts().length - before).toBeLessThan(4);
    expect(server.file()).toBe(content.toString());
  });

  test.each([
    ['shorter', (path: string) => truncateSync(path, 5)],
    ['longer', (path: string) => appendFileSync(path, 'more')],
    ['another file', (path: string) => utimesSync(path, 1, 1)],
  ])('stores nothing when the file becomes %s meanwhile', async (_, change) => {
    const path = await inFile();
    await using server = await uploads('whole');
    const failed = clientOf(server).tidemark.uploadFile({
      importId: 3,
      file: path,
      onJob: () => change(path),
    });
    await expect(failed).rejects.toThrow(FileChangedError);
    expect(server.file()).toBe('');
  });

  test('of a folder begins no job', async () => {
    await using server = await uploads('whole');
    await expect(clientOf(server).tidemark.uploadFile({ importId: 3, file: tmpdir() })).rejects.toThrow(
      'is no file',
    );
    expect(server.received).toEqual([]);
  });

  test('that continues finds that the file has arrived before', async () => {
    await using server = await startServer(() => ({ status: 409, body: { code: 'uploaded', detail: '' } }));
    const upload = { importId: 3, file: content, jobId: 12 };
    expect(await clientOf(server).tidemark.uploadFile(upload)).toEqual({ jobId: 12 });
    expect(server.received).toHaveLength(1);
  });

  test('has the reason of the store in its error, without the signature of the address', async () => {
    const body =
      '<Error><Code>BadDigest</Code><Message>No.</Message><SignatureProvided>hunter2</SignatureProvided>';
    await using server = await uploads('whole', () => ({ status: 400, body }));
    const failed = clientOf(server).tidemark.uploadFile({ importId: 3, file: content, fileName: 'x' });
    await expect(failed).rejects.toThrow(/^The upload answered 400: BadDigest: No\.$/);
  });

  test('of content without a name says what is missing', async () => {
    await using server = await uploads('whole');
    await expect(clientOf(server).tidemark.uploadFile({ importId: 3, file: content })).rejects.toThrow(
      'fileName',
    );
  });
});
