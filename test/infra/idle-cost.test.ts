import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { idleCost } from './idle-cost.ts';
import { functions, synthesized } from './stacks.ts';

const costOf = (stage: string) => idleCost(synthesized(stage).deployment, functions);
const total = (stage: string): number => Object.values(costOf(stage)).reduce((sum, part) => sum + part, 0);

describe('a stage that nobody uses', () => {
  it.each(['dev', 'prod'])('%s costs less than 17 dollars a month', (stage) => {
    expect(total(stage), JSON.stringify(costOf(stage))).toBeLessThan(17);
  });

  it('costs what the README says', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const [, said] = /^\| nothing at all .*\$(\d+) a month/m.exec(readme) ?? [];
    expect(Number(said)).toBe(Math.round(total('prod')));
  });

  it('has a dashboard that fits the free tier of CloudWatch', () => {
    const { dashboards } = synthesized('prod').deployment;
    const metrics = dashboards.flatMap(({ properties }) => properties.DashboardBody.match(/"AWS\//g) ?? []);
    expect(metrics.length).toBeLessThanOrEqual(50);
  });
});
