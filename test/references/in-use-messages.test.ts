import { describe, expect, it } from 'vitest';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import { deleteSegment } from '../../shared/segments/change-segments.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { property, referencesHarness, request } from './harness.ts';

const everyone = everyoneId(property);

describe('the refusal to delete what is in use', () => {
  it('names the users: the first in the sentence, and all of them in the list of errors', async () => {
    const harness = referencesHarness(new MemoryTable());
    const { id = 0 } = await harness.makeSegment(everyone, 'Jazz');
    const { id: user = 0 } = await harness.makeSegment({ not: id }, 'No jazz');
    const { id: timeline = 0 } = await harness.makeTimeline(id, 'Jazz over time');
    const { id: exported = 0 } = await harness.makeExport({ segment: [id] });
    const answer = await deleteSegment(harness, request(undefined, { segment_id: String(id) }));
    const problem = answer.ok ? undefined : answer.error;
    const users = [
      `segment "No jazz" (${user})`,
      `timeline "Jazz over time" (${timeline})`,
      `export (${exported})`,
    ];
    expect(problem).toMatchObject({ status: 409, code: 'in_use' });
    expect(problem?.errors?.map(({ detail }) => detail).toSorted()).toEqual(
      users.map((text) => `Is in use by ${text}.`).toSorted(),
    );
    expect(problem?.detail).toMatch(
      /^Is in use by .+ \(\d+\) and 2 more; see errors\. Change or delete what uses it first\.$/,
    );
  });

  it('lists at most twenty users, and counts all of them', async () => {
    const harness = referencesHarness(new MemoryTable());
    const { id = 0 } = await harness.makeSegment(everyone, 'Jazz');
    for (let user = 0; user < 25; user += 1) await harness.makeSegment({ not: id }, `u${user}`);
    const answer = await deleteSegment(harness, request(undefined, { segment_id: String(id) }));
    const problem = answer.ok ? undefined : answer.error;
    expect(problem?.errors).toHaveLength(20);
    expect(problem?.detail).toContain(' and 24 more; see errors. ');
  });
});
