import { publicHandler } from '../../shared/edge/public-handler.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { ratesFromEnv, tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { showLinkedChart } from '../../shared/timelines/draw-timeline-chart.ts';
import * as entries from './entries.ts';

export const handler = publicHandler(entries.showLinkedChart, showLinkedChart, (env) => ({
  table: tableFromEnv(env),
  rates: ratesFromEnv(env),
  clock: systemClock,
}));
