import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { deadLetterRoute } from '../../shared/operator/dead-letters.ts';
import { functionOf, functions, synthesized } from './stacks.ts';

const stacks = synthesized('prod');
const { queues, logGroups } = stacks.deployment;
const { Variables } = functionOf(stacks, 'operator').properties.Environment;
const routes = v.parse(
  v.pipe(v.string(), v.parseJson(), v.array(deadLetterRoute)),
  Variables['DEAD_LETTERS'],
);
const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
const [, section = ''] = /^## Dead letters$([^]*?)^## /m.exec(runbook) ?? [];

describe('the dead letters of the operator', () => {
  it('are those of every work queue, with the way back, and those of the schedules', () => {
    const sources = queues.flatMap(({ name, properties }) => {
      const dead = queues.find(
        (one) => one.attributes['Arn'] === properties.RedrivePolicy?.deadLetterTargetArn,
      );
      return dead === undefined ? [] : [[dead.name, name]];
    });
    expect(sources).toHaveLength(stacks.deployment.mappings.length);
    const known = routes.map(({ deadLetters, from }) => [deadLetters, ...(from ? [from.queue] : [])]);
    expect(known.toSorted()).toEqual([...sources, ['tidemark-prod-schedules-dead-letters']].toSorted());
    const dead = queues.filter(({ name }) => name.includes('-dead-letters')).map(({ name }) => name);
    expect(routes.map(({ deadLetters }) => deadLetters).toSorted()).toEqual(dead.toSorted());
  });

  it('name the function that failed, and the log that has its errors', () => {
    for (const { name, from } of routes) {
      if (!from) continue;
      const [consumer] =
        functions.find(([, { trigger }]) => 'queue' in trigger && trigger.queue === name) ?? [];
      expect(from.consumer).toBe(consumer);
      expect(logGroups.map((group) => group.name)).toContain(from.logGroup);
    }
  });

  it('are in the runbook, each queue with its function', () => {
    const rows = [...section.matchAll(/^\| `(\w+)`\s+\| (?:\[(\w+)\]\(#|none)/gm)].map(
      ([, name, consumer]) => [name, consumer],
    );
    expect(rows.toSorted()).toEqual(routes.map(({ name, from }) => [name, from?.consumer]).toSorted());
  });

  it('are redriven by the command of the operator alone, which knows the destination', () => {
    expect(section).toContain('npm run admin -- dead-letters redrive --queue');
    expect(runbook).not.toContain('start-message-move-task');
  });
});
