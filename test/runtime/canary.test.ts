import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { handler } from '../../functions/edge/canary.ts';
import { listening } from '../support/listening.ts';

/** Runs the canary against a server; the server is there only as long. */
const canaryAt = async (answer: RequestListener): Promise<void> => {
  await using server = await listening(createServer(answer));
  vi.stubEnv('BASE_URL', server.url);
  try {
    await handler({});
  } finally {
    vi.unstubAllEnvs();
  }
};

describe('the canary', () => {
  it('asks for the health of the service at its address, and is content with 200', async () => {
    const asked: (string | undefined)[] = [];
    await canaryAt((request, response) => {
      asked.push(request.url);
      response.end('{"status":"ok"}');
    });
    expect(asked).toEqual(['/healthz']);
  });

  it.each([503, 404])('fails when the service answers %s', async (status) => {
    const canary = canaryAt((_, response) => response.writeHead(status).end());
    await expect(canary).rejects.toThrow(`/healthz answered ${status}`);
  });

  it('fails when something else answers in its place', async () => {
    const canary = canaryAt((_, response) => response.writeHead(302, { location: '/login' }).end());
    await expect(canary).rejects.toThrow();
  });

  it('fails when nobody answers', async () => {
    await expect(canaryAt((request) => request.socket.destroy())).rejects.toThrow('fetch failed');
    vi.stubEnv('BASE_URL', 'http://nowhere.invalid');
    await expect(handler({})).rejects.toThrow('fetch failed');
    vi.unstubAllEnvs();
  });
});
