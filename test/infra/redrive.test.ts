import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { synthesized } from './stacks.ts';

const { deployment } = synthesized('prod');
const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
const [, section = ''] = /^## Dead letters$([^]*?)^## /m.exec(runbook) ?? [];

describe('a redrive of the runbook', () => {
  it('names the destination in every command', () => {
    const commands = [...runbook.matchAll(/start-message-move-task(?:.*\\\n)*.*/g)].map(
      ([command]) => command,
    );
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) expect(command).toContain('--destination-arn');
  });

  it('knows the dead letters of every work queue, and where they go back', () => {
    const { queues } = deployment;
    const sources = queues.flatMap(({ name, properties }) => {
      const dead = queues.find(
        (one) => one.attributes['Arn'] === properties.RedrivePolicy?.deadLetterTargetArn,
      );
      return dead === undefined ? [] : [[dead.name, name]];
    });
    expect(sources).toHaveLength(deployment.mappings.length);
    const example = [...section.matchAll(/\(arn (tidemark-prod-[^)]+)\)/g)].map(([, name]) => name);
    const rows = [...section.matchAll(/^\| `(tidemark-prod-\S+)`\s+\| `(\S+)`/gm)].map(([, from, to]) => [
      from,
      to,
    ]);
    expect([example, ...rows].toSorted()).toEqual(sources.toSorted());
  });
});
