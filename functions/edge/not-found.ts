import { noRoute } from '../../shared/edge/no-route.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { err } from '../../shared/runtime/result.ts';
import * as entries from './entries.ts';
import { routes } from './routes.ts';

export const handler = publicHandler(
  entries.notFound,
  (known, { rawPath }) => Promise.resolve(err(noRoute(known, rawPath))),
  () => routes.map(({ paths, trigger }) => ({ method: trigger.method, paths })),
);
