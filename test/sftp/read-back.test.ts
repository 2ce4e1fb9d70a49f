import { randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { putFile } from '../../shared/sftp/put-file.ts';
import { piecesOf, type ReadBack } from '../../shared/sftp/read-back.ts';
import type { SftpRequests } from '../../shared/sftp/requests.ts';
import { randomSource } from '../schedules/random.ts';
import { openSftpServer } from '../support/sftp-server.ts';
import { fileOf, later, leftName, push, reasonOf, targetOf } from './pushing.ts';

const BLOCK = 32_256;
const WINDOW = 64 * 32_768;

/**
 * A connection on which each block takes one millisecond of virtual time, read or written. The server has its files
 * in memory.
 */
class VirtualServer {
  readonly files = new Map<string, Buffer>();
  now = 0;
  written = 0;

  requests(): SftpRequests {
    const done = (): Promise<void> => Promise.resolve();
    const bytesOf = (handle: Buffer): Buffer => this.files.get(handle.toString()) ?? Buffer.alloc(0);
    const rename = (from: string, to: string): Promise<void> => {
      this.files.set(to, bytesOf(Buffer.from(from)));
      this.files.delete(from);
      return done();
    };
    return {
      sizeOf: (path) => Promise.resolve(this.files.get(path)?.length),
      open: (path, flags) => {
        if (flags === 'w') this.files.set(path, bytesOf(Buffer.from(path)).subarray(0, 0));
        return Promise.resolve(Buffer.from(path));
      },
      makeDirectory: done,
      readAt: (handle, at, length) => {
        this.now += 1;
        return Promise.resolve(bytesOf(handle).subarray(at, at + length));
      },
      write: (handle, bytes, at) => {
        this.now += 1;
        this.written += bytes.length;
        const old = bytesOf(handle);
        const whole = Buffer.from(old.buffer, 0, Math.max(old.length, at + bytes.length));
        bytes.copy(whole, at);
        this.files.set(handle.toString(), whole);
        return done();
      },
      close: done,
      remove: done,
      rename,
      replace: rename,
    };
  }

  /** Files grow in place: the file of this name gets all the memory that it will need. */
  room(name: string, bytes: number, left: Uint8Array): void {
    const memory = Buffer.from(new ArrayBuffer(bytes));
    memory.set(left);
    this.files.set(name, memory.subarray(0, left.length));
  }
}

/** Makes an attempt of a number of milliseconds; returns its outcome and its use of the partial file. */
const attempt = async (server: VirtualServer, file: ReturnType<typeof fileOf>, milliseconds: number) => {
  const ways: ReadBack[] = [];
  const random = randomSource(server.now);
  const outcome = await putFile(server.requests(), file, {
    clock: () => server.now,
    until: server.now + milliseconds,
    random: () => random.below(1_000) / 1_000,
    onReadBack: (way) => ways.push(way),
    onStep: () => undefined,
    way: { temporaryName: 'rename', verify: 'size' },
  });
  return { outcome, ways };
};

describe('a push of several attempts', () => {
  it('a push of several attempts makes progress in each attempt and ends', async () => {
    const server = new VirtualServer();
    const perAttempt = 900;
    const file = fileOf(randomBytes(5 * perAttempt * BLOCK));
    // The window is the smallest partial file that an attempt resumes.
    server.room(leftName(file), file.bytes, file.content.subarray(0, WINDOW + 1));
    const tries = [];
    for (let n = 0; n < 20 && tries.at(-1)?.outcome !== 'sent'; n += 1) {
      const before = server.written;
      tries.push(await attempt(server, file, perAttempt));
      // Two thirds of the attempt, except for the last attempt.
      if (tries.at(-1)?.outcome === 'paused')
        expect(server.written - before).toBeGreaterThan(0.6 * perAttempt * BLOCK);
    }
    expect(tries.at(-1)?.outcome).toBe('sent');
    // 4,500 blocks by 600 an attempt, less the 65 blocks that each attempt writes again.
    expect(tries.length).toBeLessThanOrEqual(9);
    expect(tries[0]?.ways).toEqual(['whole']);
    expect(tries.at(-1)?.ways).toEqual(['sampled']);
    expect(server.files.get(file.name)?.equals(file.content)).toBe(true);
  });

  it.each([
    ['near its end', 30_000_000 - WINDOW - 1],
    ['at the start of its end', 30_000_000 - WINDOW - 15_500_000],
  ])('a push starts again where a file too large to compare was changed %s', async (_, place) => {
    const server = new VirtualServer();
    const file = fileOf(randomBytes(30_000_000));
    const left = Buffer.from(file.content);
    left[place] = (left[place] ?? 0) ^ 1;
    server.room(leftName(file), file.bytes, left);
    // A third compares 600 blocks: 19 of 28 MB.
    const { outcome, ways } = await attempt(server, file, 1_800);
    expect([outcome, ways]).toEqual(['sent', ['from_start']]);
    expect(server.files.get(file.name)?.equals(file.content)).toBe(true);
  });
});

describe('the pieces of a partial file that are compared', () => {
  const { pushPieceBytes: piece, pushEndPieces } = limits.exports;
  it.each([1, piece, 15 * piece + 7, 16 * piece, 17 * piece, 18 * piece - 1, 1_000 * piece + 1])(
    'the pieces of %i bytes cover every byte exactly once',
    (bytes) => {
      for (const random of [0, 0.3, 0.999]) {
        const pieces = piecesOf(bytes, random).toSorted((one, other) => one.from - other.from);
        expect(pieces[0]?.from).toBe(0);
        expect(pieces.at(-1)?.to).toBe(bytes);
        for (const [n, { to }] of pieces.slice(0, -1).entries()) expect(pieces[n + 1]?.from).toBe(to);
      }
    },
  );

  it('the pieces are the end, then samples that leave no large gap wherever time runs out', () => {
    const bytes = 1_016 * piece;
    const [first, ...rest] = piecesOf(bytes, 0.5);
    expect(first?.to).toBe(bytes);
    expect(rest[pushEndPieces - 2]?.from).toBe(1_000 * piece);
    const samples = rest.slice(pushEndPieces - 1).map(({ from }) => from / piece);
    for (const count of [10, 50, 200]) {
      const places = [-1, ...samples.slice(0, count).toSorted((one, other) => one - other), 1_000];
      const gaps = places.slice(1).map((place, n) => place - (places[n] ?? 0));
      expect(Math.max(...gaps)).toBeLessThan((3 * 1_000) / count);
    }
    expect(piecesOf(bytes, 0.7)[pushEndPieces]).not.toEqual(piecesOf(bytes, 0.5)[pushEndPieces]);
  });
});

it('a connection that breaks while a file is read back fails only the attempt', async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', onUnhandled);
  onTestFinished(() => void process.off('unhandledRejection', onUnhandled));
  await using server = await openSftpServer();
  const file = fileOf(randomBytes(9_000_000));
  server.files.set(leftName(file), Buffer.from(file.content));
  server.mischief.cutAtRead = 100;
  const outcome = await push(targetOf(server.port), file, later());
  expect(reasonOf(outcome)).toMatch(/^the connection (broke at|was closed)/);
  // Node reports unhandled rejections after the microtasks of a turn.
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
  expect([...server.files.keys()]).toEqual([leftName(file)]);
  delete server.mischief.cutAtRead;
  expect(await push(targetOf(server.port), file, later())).toEqual({ kind: 'sent', readBack: 'whole' });
});
