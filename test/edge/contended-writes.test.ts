import { expect, it } from 'vitest';
import { httpHandler, systemRuntime } from '../../shared/edge/http-handler.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import type { Write } from '../../shared/table/table.ts';
import { apiEvent } from '../support/api-event.ts';
import { keyedScenes } from './keyed-scenes.ts';

/** A conditional write of a POST route that another writer may win. */
interface Contended {
  readonly route: string;
  readonly kind: Write['kind'];
  /** The kind of the item. */
  readonly item: string;
  /** The end of the item's partition key, for a route that writes several items of the kind. */
  readonly ending?: string;
}

const contended: readonly Contended[] = [
  { route: 'createProfile', kind: 'insert', item: 'claim' },
  { route: 'createProfile', kind: 'insert', item: 'profile' },
  { route: 'createProfile', kind: 'insert', item: 'directory' },
  { route: 'createProfile', kind: 'insert', item: 'chunk' },
  { route: 'createSegment', kind: 'insert', item: 'property' },
  { route: 'createSegment', kind: 'insert', item: 'segment' },
  { route: 'createCollection', kind: 'insert', item: 'collection' },
  { route: 'createExport', kind: 'insert', item: 'export', ending: '#EXPORTS' },
  { route: 'createExportJob', kind: 'update', item: 'export' },
  { route: 'cancelExportJob', kind: 'update', item: 'export' },
  { route: 'createTimeline', kind: 'insert', item: 'timeline', ending: '#TIMELINES' },
  { route: 'createTimeline', kind: 'insert', item: 'directory' },
  { route: 'createTimeline', kind: 'insert', item: 'chunk' },
  { route: 'createTimeline', kind: 'update', item: 'moment' },
  { route: 'createMoment', kind: 'insert', item: 'directory' },
  { route: 'createMoment', kind: 'insert', item: 'chunk' },
  { route: 'cancelImportJob', kind: 'update', item: 'batch' },
  { route: 'undoImportJob', kind: 'update', item: 'batch' },
  { route: 'retryImportJob', kind: 'insert', item: 'batch' },
  { route: 'retryImportJob', kind: 'update', item: 'batch' },
];

it.each(contended)(
  '$route answers 503 with Retry-After when other writers always win the $kind of its $item',
  async ({ route, kind, item, ending = '' }) => {
    const play = keyedScenes[route];
    if (!play) throw new Error(`no scene of ${route}`);
    const { table, send } = await play(() => undefined);
    const lost = { writes: 0 };
    table.loses = (write) => {
      const { pk } = write.key;
      const isLost = write.kind === kind && kindOfKey(pk) === item && pk.endsWith(ending);
      lost.writes += Number(isLost);
      return isLost;
    };
    const around = { ...systemRuntime, log: () => undefined };
    const answer = await httpHandler('POST', around, () => send('cause'))(apiEvent({ method: 'POST' }));
    expect(answer).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } });
    expect(lost.writes).toBeGreaterThan(1);
  },
);
