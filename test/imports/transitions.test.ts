import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { jobPhases } from '../../shared/imports/items/import-job.ts';
import { canMove, transitions } from '../../shared/imports/items/transitions.ts';

const declared = Object.entries(transitions).flatMap(([name, { from, to }]) =>
  from.map((phase) => `${name}: ${phase} → ${to}`),
);

describe('transitions of a job', () => {
  it('are drawn as they are declared', () => {
    const drawing = readFileSync(new URL('../../docs/import-job.svg', import.meta.url), 'utf8');
    const drawn = [...drawing.matchAll(/data-transition="(\w+)" data-from="(\w+)" data-to="(\w+)"/g)].map(
      ([, name, from, to]) => `${name} ${from} ${to}`,
    );
    expect(drawn.toSorted()).toEqual(declared.map((each) => each.replace(/: | → /g, ' ')).toSorted());
  });

  it('lead out of no phase that is an end, and into every other but the first ones', () => {
    const left = jobPhases.filter((phase) => !declared.some((each) => each.includes(`: ${phase} →`)));
    expect(left).toEqual(['failed', 'cancelled']);
    const reached = jobPhases.filter((phase) => declared.some((each) => each.endsWith(`→ ${phase}`)));
    expect(reached).toEqual(jobPhases.filter((phase) => phase !== 'open' && phase !== 'awaiting'));
  });

  it('are allowed from the phases they name only', () => {
    expect(jobPhases.filter((phase) => canMove({ phase }, 'start'))).toEqual(['awaiting']);
    expect(canMove({ phase: 'cancelled' }, 'cancel')).toBe(false);
  });
});
