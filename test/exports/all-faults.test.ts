import { describe, expect, it } from 'vitest';
import { exportsHarness, segment } from './harness.ts';

describe('a refused export', () => {
  it('has the faults of its rules and of its segments in one answer', async () => {
    const answer = await exportsHarness().create({
      segment: [segment(99)],
      webhook_url: 'ftp://hook.example',
      pgp_public_key: 'no key',
    });
    const errors = answer.ok ? [] : (answer.error.errors ?? []);
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual([
      '/pgp_public_key',
      '/segment/0',
      '/webhook_url',
    ]);
  });
});
