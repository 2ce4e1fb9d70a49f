import { expect, it } from 'vitest';
import { scheduledBy } from '../../shared/operator/item-schedules.ts';
import { keys } from '../../shared/table/keys.ts';
import { earlierListsOf, itemsOfProperty, type SampleItem } from '../table/sample-keys.ts';

const property = 1_001;
const id = 1_001_000_000_007;

it('schedules are told by what has them, by the tasks that look after them, and by nothing else', () => {
  const ofTimeline = keys.task(property, `timeline-schedule#${property}#${id}`);
  const items: Readonly<Record<string, SampleItem>> = {
    ...itemsOfProperty(property),
    ...earlierListsOf(property),
    ofTimeline: [ofTimeline],
  };
  const told = Object.entries(items).flatMap(([name, [key, attributes]]) => {
    const found = scheduledBy(property, { ...key, ...attributes });
    return found ? [[name, found.name]] : [];
  });
  expect(told).toEqual([
    ['task', `p${property}-export-${id}-r1`],
    ['timeline', `p${property}-timeline-${id}`],
    ['exportDefinition', `p${property}-export-${id}-r2`],
    ['outbox', `p${property}-export-${id}-r1`],
    ['ofTimeline', `p${property}-timeline-${id}`],
  ]);
});
