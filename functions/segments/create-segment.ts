import { apiHandler } from '../../shared/edge/api-handler.ts';
import { createSegment } from '../../shared/segments/change-segments.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { segmentDeps } from './deps.ts';
import * as entries from './entries.ts';

const deps = (env: Env<'TABLE_NAME' | 'CONDITIONS' | 'CLOCK_MARGIN_SECONDS'>) => ({
  ...segmentDeps(env),
  marginMs: Number(env('CLOCK_MARGIN_SECONDS')) * 1000,
  takesConditions: env('CONDITIONS') === 'true',
});

export const handler = apiHandler(entries.createSegment, createSegment, deps);
