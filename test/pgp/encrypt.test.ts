import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PrivateKey } from 'openpgp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encryptTo } from '../../shared/pgp/encrypt.ts';
import { readRecipient } from '../../shared/pgp/recipient.ts';
import { gather } from '../../shared/runtime/bytes.ts';
import { describeWith } from '../support/installed.ts';
import { decryptWith, newPgpKey, publicText } from '../support/pgp-keys.ts';

const now = Date.parse('2026-06-01T00:00:00Z');
const run = promisify(execFile);

async function* pieces(text: string, count: number): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  for (let index = 0; index < count; index += 1) yield Buffer.from(`${text} ${index}\r\n`);
}

const encrypted = async (key: PrivateKey, plain: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const recipient = await readRecipient(publicText(key), now);
  if (!recipient.ok) throw new Error(recipient.error);
  return gather(encryptTo(recipient.value, plain));
};

describe('encrypting', () => {
  it('streams, and its receiver reads the plain text', async () => {
    const key = await newPgpKey();
    let asked = 0;
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const piece of pieces('x'.repeat(60_000), 200)) {
        asked += 1;
        yield piece;
      }
    }
    const recipient = await readRecipient(publicText(key), now);
    if (!recipient.ok) throw new Error(recipient.error);
    const parts: Uint8Array[] = [];
    for await (const part of encryptTo(recipient.value, counted())) {
      // The source is read no faster than the result, apart from the buffers in between.
      if (parts.push(part) === 2) expect(asked).toBeLessThan(100);
    }
    const data = await decryptWith(key, Buffer.concat(parts));
    expect(data.equals(await gather(pieces('x'.repeat(60_000), 200)))).toBe(true);
  });

  it('of a source that fails fails too', async () => {
    const key = await newPgpKey();
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* pieces('row', 50_000);
      throw new Error('the part is damaged');
    }
    await expect(encrypted(key, broken())).rejects.toThrow('the part is damaged');
  });
});

describeWith('gpg', 'GnuPG', (gpg) => {
  let home: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'tidemark-gpg-'));
  });
  afterAll(async () => {
    await run(gpg.replace(/gpg$/, 'gpgconf'), ['--homedir', home, '--kill', 'all']).catch(() => undefined);
    await rm(home, { recursive: true, force: true });
  });

  it.each([
    ['RSA', { type: 'rsa', rsaBits: 2_048 }],
    ['Curve25519', {}],
  ] as const)('opens a file for a key of %s', async (_, options) => {
    const key = await newPgpKey(options);
    await writeFile(join(home, 'key.asc'), key.armor());
    const quiet = ['--homedir', home, '--batch', '--quiet', '--no-tty'];
    await run(gpg, [...quiet, '--import', join(home, 'key.asc')]);
    await writeFile(join(home, 'file.pgp'), await encrypted(key, pieces('Zoë', 20_000)));
    const { stdout } = await run(gpg, [...quiet, '--decrypt', join(home, 'file.pgp')], {
      maxBuffer: 10_000_000,
    });
    expect(stdout).toBe((await gather(pieces('Zoë', 20_000))).toString());
  });
});
