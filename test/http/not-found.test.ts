import { describe, expect, it } from 'vitest';
import { nobodyFound, notFound, type Thing } from '../../shared/http/not-found.ts';

const property = { id: 1001 };

describe('a 404 names the thing', () => {
  it.each<[Thing, Record<string, string>, string]>([
    [
      'segment',
      { segment_id: '99' },
      'There is no segment 99 in property 1001, or it belongs to somebody else.',
    ],
    ['moment', { timeline_id: '7', moment_id: '9' }, 'There is no moment 9 of timeline 7 in property 1001'],
    ['importJob', { job_id: '5' }, 'There is no job 5 in property 1001'],
    ['exportJob', { export_id: '3', job_id: '5' }, 'There is no job 5 of export 3 in property 1001'],
  ])('%s', (thing, path, sentence) => {
    const problem = notFound(thing, { property, path });
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
    expect(problem.detail).toContain(sentence);
  });

  it('a text in the address that is no number is not repeated', () => {
    const { detail } = notFound('delivery', { property, path: { job_id: '5', delivery: '<b>webhook</b>' } });
    expect(detail).toBe('There is no delivery of job 5 in property 1001, or it belongs to somebody else.');
  });

  it('a person is named by the parameter of the query and never by its value', () => {
    expect(nobodyFound(property, { explain: true, email: 'ada@example.org' }).detail).toBe(
      'Nobody in property 1001 has this email.',
    );
  });
});
